/** Why a file ranks where it does: what is said agrees with what a query returns. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildIndex,
  openIndex,
  type DeepMode,
  type ExplainRequest,
  type Explanation,
  type HoneIndex,
} from '../../src/index.js'
import { DEEP_FILES } from '../../src/retrieve/deep.js'
import { explained } from '../../src/cli/explain-command.js'
import { PLAIN } from '../../src/cli/layout.js'
import { makeSample, SAMPLE } from '../spine/sample.js'

let index: HoneIndex
let remove: () => void

beforeAll(async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `src/sign/sign${i}.ts`,
      `export const signed${i} = 'sign the token ${i}'\n`,
    ]),
  )
  const sample = makeSample({
    ...SAMPLE,
    ...many,
    '.env': 'KEY=1\n',
    'src/quiet/zebra.ts': 'export const zebra = 1\n',
  })
  remove = sample.remove
  await buildIndex({ root: sample.root, jobs: 0 })
  index = await openIndex({ root: sample.root })
})

afterAll(() => {
  index.close()
  remove()
})

const task = 'sign the token'
// Loading the encoder of the deep step takes a second, more on a busy machine.
const TIMEOUT_MS = 120_000

describe('an explanation', () => {
  it('agrees with the query: relevance, rank, signals', async () => {
    const { files, stop } = await index.retrieve({ task, explain: true, minRelevance: 0 })
    for (const [i, file] of files.entries()) {
      const explanation = await index.explain({ task, path: file.path, minRelevance: 0 })
      expect(explanation).toMatchObject({ outcome: 'returned', stop })
      expect(explanation.cycles.at(-1)).toMatchObject({ rank: i + 1, relevance: file.relevance })
      expect(explanation.rating?.relevance).toBe(file.relevance)
      expect(
        explanation.rating?.evidence.map(({ signal, value, effect }) => ({ signal, value, effect })),
      ).toEqual(file.evidence)
    }
  })

  it('says which words stand where, and which do not', async () => {
    const { words } = await index.explain({ task: 'sign the token with xylophone', path: 'src/token.ts' })
    const token = words.find(({ word }) => word === 'token')
    expect(token?.places).toEqual(['file name', 'defined name', 'text'])
    expect(token?.ranges[0]?.start).toBe(1)
    expect(words.find(({ word }) => word === 'xylophone')).toMatchObject({ places: [], chunks: 0 })
  })

  it('says how far it is to the next band', async () => {
    const { rating } = await index.explain({ task, path: 'src/table.ts' })
    expect(rating?.nextBand?.from).toBeGreaterThan(rating?.relevance ?? 1)
    expect((rating?.relevance ?? 0) + (rating?.nextBand?.missing ?? 0)).toBeCloseTo(
      rating?.nextBand?.from ?? 0,
      4,
    )
  })

  it('of a file below the minimum, or beyond the limit, says so', async () => {
    const low = await index.explain({ task, path: 'src/token.ts', minRelevance: 1 })
    expect(low).toMatchObject({ outcome: 'below-minimum' })
    const all = await index.retrieve({ task, minRelevance: 0, limit: 3 })
    const third = await index.explain({ task, path: all.files[2]?.path ?? '', minRelevance: 0, limit: 2 })
    expect(third).toMatchObject({ outcome: 'beyond-limit', why: 'at rank 3, and only 2 files are shown' })
  })

  it('of a file that no search brought in says what it would have been rated', async () => {
    const explanation = await index.explain({
      task,
      path: 'src/quiet/zebra.ts',
      minRelevance: 0,
      maxCycles: 1,
    })
    expect(explanation.outcome).toBe('no-candidate')
    expect(explanation.why).toContain('no word in common')
    expect(explanation.rating?.relevance).toBeLessThan(0.2)
    expect(explanation.cycles).toMatchObject([{ n: 1, rank: null, relevance: null, change: 'absent' }])
  })

  it.each([
    [{ exclude: ['src/table.ts', 'src/token.ts'] }, 'it is excluded by src/token.ts'],
    [{ include: ['docs/**'] }, 'it matches none of docs/**'],
  ])('of an excluded file names the glob: %j', async (globs, why) => {
    expect(await index.explain({ task, path: 'src/token.ts', ...globs })).toMatchObject({
      outcome: 'excluded',
      why,
    })
  })

  it('of a skipped file says why it is not in the index', async () => {
    const { outcome, why, rating } = await index.explain({ task, path: '.env' })
    expect(outcome).toBe('not-indexed')
    expect(why).toContain('secret')
    expect(rating).toBeNull()
  })

  it('of a file that is not there is an error that names near ones', async () => {
    const asked = index.explain({ task, path: 'src/tokens.ts' })
    await expect(asked).rejects.toMatchObject({ code: 'PATH_UNKNOWN' })
    await expect(asked).rejects.toThrow('src/token.ts')
  })

  it('is readable: outcome, cycles, words and signals in words', async () => {
    const text = explained(await index.explain({ task, path: 'src/token.ts', minRelevance: 0 }), {
      isColoured: false,
      layout: PLAIN,
    })
    expect(text).toMatch(/^src\/token\.ts: returned; rated 0\.\d\d, at rank \d/)
    expect(text).toMatch(/1 {2}found: 0\.\d\d, rank \d+ of \d+ candidates/)
    expect(text).toMatch(/token +file name, defined name, lines 1-\d/)
    expect(text).toContain('words in the text of its best parts')
  })

  it('is the same twice', async () => {
    const twice = [1, 2].map(() => index.explain({ task, path: 'src/session.ts', minRelevance: 0 }))
    const [one, two] = await Promise.all(twice)
    expect(one).toEqual(two)
  })
})

describe('what the deep step did', { timeout: TIMEOUT_MS }, () => {
  const unsure = 'who is signed in'
  const ask = (path: string, options: Partial<ExplainRequest> = {}): Promise<Explanation> =>
    index.explain({ task: unsure, path, minRelevance: 0, deep: 'always', ...options })

  it('agrees with the query: the files it read, what they were rated before and after', async () => {
    const { files } = await index.retrieve({ task: unsure, minRelevance: 0, limit: 100, deep: 'always' })
    let read = 0
    for (const { path, relevance } of files.slice(0, DEEP_FILES)) {
      const { deep, cycles } = await ask(path)
      if (deep?.outcome !== 'rated-anew') continue
      read++
      expect(deep).toMatchObject({ cycle: 2, files: DEEP_FILES, before: cycles[0]?.relevance })
      expect(deep.after).toBe(relevance)
      expect(cycles[1]?.change).toBe(changeFrom(deep.before, deep.after))
      expect(Math.abs(deep.cosine)).toBeLessThanOrEqual(1)
    }
    expect(read).toBeGreaterThan(0)
  })

  it('names the part that was read, of the file as it is', async () => {
    const path = 'src/session.ts'
    const { deep } = await ask(path, { task: 'refresh the session' })
    expect(deep).toMatchObject({ outcome: 'kept', range: { symbol: 'Session', kind: 'class' } })
    const range = deep !== null && 'range' in deep ? deep.range : undefined
    expect(index.linesOf(path)?.slice(range?.start, range?.end).join('\n')).toContain('class Session')
  })

  it('is nothing to a High file, to one below those it reads, and where auto is sure or nobody asked', async () => {
    const { files } = await index.retrieve({ task: 'throttle', minRelevance: 0, limit: 100 })
    const [best, last] = [files[0]!, files.at(-1)!] // the sample has more than one
    const of = (path: string, deep: DeepMode): Promise<Explanation> => ask(path, { task: 'throttle', deep })
    expect(best.relevance).toBeGreaterThanOrEqual(0.8)
    const { relevance } = best
    const kept = { outcome: 'kept', before: relevance, after: relevance }
    expect((await of(best.path, 'always')).deep).toMatchObject(kept)
    const why = `only the best ${DEEP_FILES} files are read`
    expect((await of(last.path, 'always')).deep).toMatchObject({ outcome: 'not-read', why })
    expect((await of(best.path, 'auto')).deep).toMatchObject({
      outcome: 'not-taken',
      why: `the best file is rated ${relevance.toFixed(2)}, and auto looks only where it is below 0.5`,
    })
    expect((await of(best.path, 'never')).deep).toBeNull()
  })

  it('is said in words', async () => {
    const shown = async (path: string, options: Partial<ExplainRequest> = {}): Promise<string> =>
      explained(await ask(path, options), { isColoured: false, layout: PLAIN })
    expect(await shown('src/session.ts', { task: 'refresh the session' })).toMatch(
      /Deep step\n {2}read in cycle 2, of 16 files: lines 1-\d+, class Session\n {2}cosine 0\.\d\d.+\n {2}relevance kept 0\.\d\d: /,
    )
    const { files } = await index.retrieve({ task: unsure, minRelevance: 0, deep: 'always' })
    expect(await shown(files[0]?.path ?? '')).toMatch(/\n {2}relevance \d\.\d\d -> \d\.\d\d: rated by /)
    expect(await shown('src/quiet/zebra.ts')).toContain('not read in cycle 2, of 16 files: only')
    expect(await shown('src/session.ts', { deep: 'never' })).not.toContain('Deep step')
  })
})

function changeFrom(before: number, after: number): 'raised' | 'lowered' | 'same' {
  if (after === before) return 'same'
  return after > before ? 'raised' : 'lowered'
}
