import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODELS_FOLDER } from '../../src/config.js'
import { isIntact, StaticTable } from '../../src/embed/static-table.js'
import { HoneError } from '../../src/errors.js'
import { tableBytes, temporaryFolder, writeTable } from './static-tables.js'

const SHIPPED = join(MODELS_FOLDER, 'hone-static-1', 'words.bin')
const SMALL = tableBytes(
  [
    { word: 'rate', vector: [1, 2, 3], factor: 0.5 },
    { word: 'limit', vector: [-3, 0, 1], factor: 2 },
    { word: 'größe', vector: [0, 0, 1] },
    { word: '令牌', vector: [0, 1, 0] },
  ],
  3,
)

function failureOf(path: string): unknown {
  try {
    return new StaticTable(path)
  } catch (error) {
    return error
  }
}

describe('the shipped table of word vectors', () => {
  it('is intact', () => {
    expect(isIntact(SHIPPED)).toBe(true)
  })

  it('finds by halves what it finds through a map: every word, and none that it does not hold', () => {
    const table = new StaticTable(SHIPPED)
    const words = Array.from({ length: table.size }, (_, row) => table.word(row))
    const map = new Map(words.map((word, row) => [word, row]))
    expect(map.size).toBe(table.size)
    // A table searches by halves only at first, so a new one is opened for each thousand words.
    for (let from = 0; from < words.length; from += 1000 * 7) {
      const fresh = new StaticTable(SHIPPED)
      for (const word of words.slice(from, from + 1000)) {
        expect(fresh.rowOf(word)).toBe(map.get(word))
        expect(fresh.rowOf(`${word}\u0001`)).toBeUndefined()
      }
    }
    for (const word of words) expect(table.rowOf(word)).toBe(map.get(word))
  })

  it('gives the same entries for rows read singly and for rows read all at once', () => {
    const singly = new StaticTable(SHIPPED)
    const atOnce = new StaticTable(SHIPPED)
    for (let row = 0; row < 600; row++) atOnce.levels(row) // more than are read singly
    for (let row = 0; row < singly.size; row += 997) {
      expect([...singly.levels(row)]).toEqual([...atOnce.levels(row)])
      expect(singly.levels(row)).toHaveLength(singly.dimensions)
    }
  })
})

describe('a table of word vectors', () => {
  const anyWord = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((w) => !/[\n\0]/.test(w))

  it('finds every word it holds and no other, in any script', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyWord, { minLength: 1, maxLength: 40 }),
        fc.array(anyWord, { maxLength: 20 }),
        (words, others) => {
          const bytes = tableBytes(
            words.map((word) => ({ word, vector: [1] })),
            1,
          )
          const table = new StaticTable(writeTable(bytes))
          for (const word of words) expect(table.word(table.rowOf(word) ?? -1)).toBe(word)
          for (const word of others) expect(table.rowOf(word) !== undefined).toBe(words.includes(word))
          expect(table.rowOf('')).toBeUndefined()
        },
      ),
      { numRuns: 50 },
    )
  })

  it('gives back sizes, factors and vectors', () => {
    const table = new StaticTable(writeTable(SMALL))
    expect([table.size, table.dimensions]).toEqual([4, 3])
    expect(table.factor[table.rowOf('rate')!]).toBe(0.5)
    expect(table.factor[table.rowOf('limit')!]).toBe(2)
    expect([...table.levels(table.rowOf('rate')!)]).toEqual([42, 85, 127])
    expect([...table.levels(table.rowOf('limit')!)]).toEqual([-127, 0, 42])
    const cosines = table.similarities(table.rowOf('größe')!)
    expect(cosines[table.rowOf('größe')!]).toBeCloseTo(1, 3)
    expect(cosines[table.rowOf('令牌')!]).toBe(0)
    expect(cosines[table.rowOf('limit')!]).toBeCloseTo(1 / Math.sqrt(10), 2)
  })

  it('may be empty', () => {
    const table = new StaticTable(writeTable(tableBytes([], 16)))
    expect(table.size).toBe(0)
    expect(table.rowOf('word')).toBeUndefined()
  })

  const damaged: readonly (readonly [string, Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['nothing but its first word', SMALL.subarray(0, 8)],
    ['cut in its header', SMALL.subarray(0, 40)],
    ['cut in its words', SMALL.subarray(0, 60)],
    ['cut in its vectors', SMALL.subarray(0, SMALL.length - 1)],
    ['longer than it says', Buffer.concat([SMALL, Buffer.alloc(1)])],
    ['of another kind', Buffer.concat([Buffer.from('SQLite format 3\0'), SMALL.subarray(16)])],
    ['of another version', Buffer.concat([SMALL.subarray(0, 8), Buffer.of(3, 0, 0, 0), SMALL.subarray(12)])],
  ]
  it.each(damaged)('that is %s is refused, by name and with the next step', (_, bytes) => {
    const path = writeTable(bytes)
    const error = failureOf(path)
    expect(error).toBeInstanceOf(HoneError)
    expect(error).toMatchObject({ code: 'MODEL_CORRUPT' })
    expect((error as HoneError).message).toContain(path)
    expect((error as HoneError).message).toContain('reinstall')
  })

  it.each([
    ['missing', (folder: string) => join(folder, 'nothing.bin')],
    ['a folder', (folder: string) => folder],
  ])('that is %s is refused, by name and with the next step', (_, pathIn) => {
    const path = pathIn(temporaryFolder())
    const error = failureOf(path)
    expect(error).toMatchObject({ name: 'HoneError', code: 'MODEL_CORRUPT' })
    expect((error as HoneError).message).toContain(path)
  })

  it('with one changed byte anywhere after its header is not intact', () => {
    for (let at = 56; at < SMALL.length; at += 5) {
      const changed = Buffer.from(SMALL)
      changed[at]! ^= 1
      expect(isIntact(writeTable(changed))).toBe(false)
    }
    expect(isIntact(writeTable(SMALL))).toBe(true)
  })
})
