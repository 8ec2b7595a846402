import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MODELS_FOLDER } from '../../src/config.js'
import { StaticEmbedder } from '../../src/embed/static-embedder.js'
import { StaticTable } from '../../src/embed/static-table.js'
import { tableBytes, writeTable } from './static-tables.js'

const SHIPPED = join(MODELS_FOLDER, 'hone-static-1', 'words.bin')

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, d) => sum + x * b[d]!, 0)
}

describe('the static encoder', () => {
  let embedder: StaticEmbedder
  beforeAll(() => {
    embedder = new StaticEmbedder('hone-static-1', new StaticTable(SHIPPED))
  })
  const one = (text: string): Float32Array => embedder.embedNow([text])

  const word = fc.oneof(
    fc.constantFrom('token', 'parseHTTPHeader', 'rate_limit', 'zzqx', '令牌', '  ', '\n', 'x'.repeat(100)),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const texts = fc.array(
    fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 6 },
  )

  it('gives vectors of length 1, or zeros where no word is known', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const vectors = embedder.embedNow(all)
        expect(vectors).toHaveLength(all.length * embedder.dimensions)
        all.forEach((text, i) => {
          const vector = vectors.subarray(i * embedder.dimensions, (i + 1) * embedder.dimensions)
          const hasKnown = /token|parseHTTPHeader|rate_limit/.test(text)
          if (hasKnown || vector.some((x) => x !== 0)) expect(lengthOf(vector)).toBeCloseTo(1, 5)
          else expect(vector.every((x) => x === 0)).toBe(true)
        })
      }),
    )
    expect(one('').every((x) => x === 0)).toBe(true)
    expect(one('zzqxjw').every((x) => x === 0)).toBe(true)
  })

  it('gives a text the same bits whatever else is in the batch, and whatever came before', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const together = embedder.embedNow(all)
        const singly = all.flatMap((text) => [...one(text)])
        expect([...together]).toEqual(singly)
        const other = new StaticEmbedder('hone-static-1', embedder.table)
        expect([...other.embedNow([...all].reverse())]).toEqual(
          [...all].reverse().flatMap((text) => [...one(text)]),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('gives nothing for nothing', async () => {
    expect(await embedder.embed([])).toHaveLength(0)
  })

  it('stops when asked', () => {
    expect(() => embedder.embed(['token'], { signal: AbortSignal.abort() })).toThrow()
  })

  it('does not mind how words are joined, cased or ordered', () => {
    const bits = [...one('rate limit')]
    expect([...one('limit rate')].map((x) => x.toFixed(5))).toEqual(bits.map((x) => x.toFixed(5)))
    expect(cosine(one('parse_header'), one('parseHeader'))).toBeCloseTo(1, 5)
  })

  it('places alike what means alike', () => {
    expect(cosine(one('delete user'), one('remove account'))).toBeGreaterThan(
      cosine(one('delete user'), one('matrix multiplication')) + 0.1,
    )
  })

  it('lets repetition count for less than it weighs', () => {
    const many = one(`${'token '.repeat(70_000)} limit`)
    expect(cosine(many, one('limit'))).toBeGreaterThan(0.02)
    expect(cosine(many, one('token'))).toBeGreaterThan(0.9)
  })
})

describe('a word of the static encoder', () => {
  const table = (factor: number): string =>
    writeTable(
      tableBytes(
        [
          { word: 'rate', vector: [1, 0, 0, 0] },
          { word: 'limit', vector: [0, 1, 0, 0], factor },
          { word: 'ratelimit', vector: [0, 0, 1, 0] },
          { word: 'bucket', vector: [0, 0, 0, 1] },
        ],
        4,
      ),
    )

  it('is its joined form when the table knows that, else its parts, else pieces of its parts', () => {
    const embedder = new StaticEmbedder('test', new StaticTable(table(1)))
    const wordsOf = (identifier: string): readonly string[] =>
      embedder.rowsOf(identifier).map((row) => embedder.table.word(row))
    expect(wordsOf('rateLimit')).toEqual(['ratelimit'])
    expect(wordsOf('limitBucket')).toEqual(['limit', 'bucket'])
    expect(wordsOf('limitbucket')).toEqual(['limit', 'bucket'])
    expect(wordsOf('limitUnknown')).toEqual(['limit'])
    expect(wordsOf('unknown')).toEqual([])
  })

  it('counts by its factor times the logarithm of how often it occurs', () => {
    const embedder = new StaticEmbedder('test', new StaticTable(table(0.25)))
    const [rate = 0, limit = 0] = embedder.embedNow(['limit bucket rate limit limit'])
    expect(limit / rate).toBeCloseTo(0.25 * (1 + Math.log(3)), 5)
  })

  it('changes the fingerprint when its vector or weight changes, and not otherwise', () => {
    const fingerprint = (path: string): string =>
      new StaticEmbedder('test', new StaticTable(path)).fingerprint
    expect(fingerprint(table(1))).toBe(fingerprint(table(1)))
    expect(fingerprint(table(1))).not.toBe(fingerprint(table(2)))
    expect(fingerprint(table(1))).toMatch(/^[0-9a-f]{32}$/)
  })
})
