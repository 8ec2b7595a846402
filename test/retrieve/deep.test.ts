/** The deep step with its real encoder, through the library. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOTHING_ADDED } from '../../src/rank/custom-signals.js'
import { openIndex, type Answer, type RetrieveOptions } from '../../src/index.js'
import { deepen, isDeepWanted, lookedAt, MAX_DEEP_CHUNKS } from '../../src/retrieve/deep.js'
import { deepText } from '../../src/retrieve/deep-text.js'
import { deepTools } from '../../src/retrieve/deep-tools.js'
import { mergeLookedAt, type FoundFile } from '../../src/retrieve/found-file.js'
import { VECTOR_CACHE_FILE } from '../../src/store/vector-cache.js'
import { bytesOf } from '../helpers/answers.js'
import { indexedSample } from '../helpers/indexed-sample.js'

const TASK = 'who is signed in'
// Loading the encoder takes a second, more on a busy machine.
const TIMEOUT_MS = 120_000

const sample = indexedSample()

const ask = (options: Omit<RetrieveOptions, 'task'> = {}): Promise<Answer> =>
  sample.index.retrieve({ task: TASK, minRelevance: 0, limit: 50, ...options })
const deepOf = ({ cycles }: Answer): number => cycles.reduce((sum, { deep }) => sum + deep, 0)

describe('the deep step', () => {
  it('is not taken unless asked for, and leaves nothing behind then', async () => {
    expect(deepOf(await ask())).toBe(0)
    expect(existsSync(join(sample.index.folder, VECTOR_CACHE_FILE))).toBe(false)
  })

  it(
    'rates files anew in a later cycle, within its bound, and says so',
    async () => {
      const before = await ask()
      const after = await ask({ deep: 'always', explain: true })
      expect(after.cycles[0]?.deep).toBe(0)
      expect(deepOf(after)).toBeGreaterThan(0)
      expect(deepOf(after)).toBeLessThanOrEqual(MAX_DEEP_CHUNKS)
      expect(after.files.map(({ relevance }) => relevance)).not.toEqual(
        before.files.map(({ relevance }) => relevance),
      )
      const signals = after.files.flatMap(({ evidence = [] }) => evidence.map(({ signal }) => signal))
      expect(signals).toContain('deep.nearness')
      expect(after.notes.map(({ code }) => code)).not.toContain('DEEP_UNAVAILABLE')
    },
    TIMEOUT_MS,
  )

  it(
    'answers the same bytes from kept vectors as from new ones, also in another process',
    async () => {
      const first = await ask({ deep: 'always' })
      const kept = await ask({ deep: 'always' })
      const other = await openIndex({ root: sample.root })
      const again = await other.retrieve({ task: TASK, minRelevance: 0, limit: 50, deep: 'always' })
      other.close()
      rmSync(join(sample.index.folder, VECTOR_CACHE_FILE))
      const fresh = await openIndex({ root: sample.root })
      const anew = await fresh.retrieve({ task: TASK, minRelevance: 0, limit: 50, deep: 'always' })
      fresh.close()
      for (const answer of [kept, again, anew]) expect(bytesOf(answer)).toBe(bytesOf(first))
    },
    TIMEOUT_MS,
  )

  it(
    'never goes outside the globs given',
    async () => {
      const { files } = await ask({ deep: 'always', include: ['src/**'] })
      expect(files.length).toBeGreaterThan(0)
      expect(files.every(({ path }) => path.startsWith('src/'))).toBe(true)
    },
    TIMEOUT_MS,
  )

  it(
    'is taken in the only cycle when there is but one',
    async () => {
      const { cycles } = await ask({ deep: 'always', maxCycles: 1 })
      expect(cycles.map(({ deep }) => deep > 0)).toEqual([true])
    },
    TIMEOUT_MS,
  )

  it('says why it was not taken when its encoder is not there', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'hone-deep-'))
    const deep = deepTools({ models: empty, index: empty })
    const found = [foundFile('a.ts', 0.3)]
    const result = await deepen({ linesOf: () => ['one line'], deep }, { queryText: TASK, files: found })
    deep.vectors.close()
    rmSync(empty, { recursive: true })
    expect(result).toMatchObject({ looks: [], chunks: 0 })
    expect(result.unavailable).toMatch(/no encoder "all-MiniLM-L6-v2"/)
  })
})

describe('what the deep step reads', () => {
  it('is bounded, whatever is found, and leaves out files that cannot be read', () => {
    const files = Array.from({ length: 200 }, (_, f) => foundFile(`f${f}.ts`, 0.4))
    const read = lookedAt({ linesOf: (path) => (path === 'f0.ts' ? undefined : ['x']) }, files)
    expect(read.flatMap(({ texts }) => texts).length).toBeLessThanOrEqual(MAX_DEEP_CHUNKS)
    expect(read[0]?.rated.path).toBe('f1.ts')
  })

  it('is plain words: place, names and lines, identifiers taken apart', () => {
    const text = deepText(
      'src/rateLimit.ts',
      { scope: 'API', symbols: ['throttleCalls'] },
      'if (n > MAX_CALLS) {',
    )
    expect(text).toBe('src rate limit api throttle calls if n max calls')
  })
})

describe('auto', () => {
  it('looks deeper where the best file is unsure, and not where it is sure or there is none', () => {
    expect(isDeepWanted('auto', [foundFile('a.ts', 0.49)])).toBe(true)
    expect(isDeepWanted('auto', [foundFile('a.ts', 0.5)])).toBe(false)
    expect(isDeepWanted('auto', [])).toBe(false)
    expect(isDeepWanted('never', [foundFile('a.ts', 0.1)])).toBe(false)
    expect(isDeepWanted('always', [foundFile('a.ts', 0.9)])).toBe(true)
  })
})

describe('merging what was looked at', () => {
  it('moves unsure files both ways, keeps High ones and adds no file', () => {
    const found = new Map([0.9, 0.6, 0.3].map((r, i) => [`${i}.ts`, foundFile(`${i}.ts`, r)]))
    const rated = [0.1, 0.4, 0.7, 0.9].map((r, i) => foundFile(`${i}.ts`, r).rated)
    const { files, added } = mergeLookedAt(found, rated, 2)
    expect([...files.values()].map(({ rated: { relevance }, cycle }) => [relevance, cycle])).toEqual([
      [0.9, 1],
      [0.4, 1],
      [0.7, 2],
    ])
    expect(added).toEqual(['2.ts'])
  })
})

/** A found file with one chunk of one line. */
function foundFile(path: string, relevance: number): FoundFile {
  const chunk = { id: 1, file: 1, startLine: 1, endLine: 1, kind: 'block', name: '', scope: '', symbols: [] }
  const calibrated = { relevance, logOdds: 0, evidence: () => [] }
  return {
    rated: { id: 1, path, ...calibrated, calibrated, added: NOTHING_ADDED, matched: [], view: {} },
    cycle: 1,
    matched: [{ chunk, score: 1 }],
    missing: [],
  } as unknown as FoundFile
}
