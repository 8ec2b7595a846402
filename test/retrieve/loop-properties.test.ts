/** What holds for the loop whatever it is asked, on repositories and tasks made by chance. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIndex, openIndex, type Answer, type HoneIndex } from '../../src/index.js'
import { pathMatcher } from '../../src/walk/globs.js'
import { makeSample, put } from '../spine/sample.js'

const WORDS = [
  'token',
  'session',
  'expire',
  'refresh',
  'throttle',
  'table',
  'parse',
  'money',
  'retry',
  'clock',
]
const RUNS = 40
const NAMES = ['src', 'lib', 'test', 'docs']

/** Forty files that use one another's functions, two of ten words each. */
const FILES: readonly (readonly [path: string, text: string])[] = Array.from({ length: 40 }, (_, i) => {
  const [one, two] = [WORDS[i % 10] ?? '', WORDS[(i * 7 + 3) % 10] ?? '']
  const other = (i * 3 + 1) % 40
  const text = `import { ${WORDS[other % 10] ?? ''}Of${other} } from './other.js'\n\n/** Makes a ${one} of a ${two}. */\nexport function ${one}Of${i}(${two}: string): string {\n  return ${WORDS[other % 10] ?? ''}Of${other}(${two}) + '${one} ${two}'\n}\n`
  return [`${NAMES[i % 4] ?? 'src'}/${one}/${one}-${two}-${i}.ts`, text]
})

const task = fc
  .array(
    fc.oneof(fc.constantFrom(...WORDS, 'limiting', 'rate', 'expiry', 'fix'), fc.string({ maxLength: 12 })),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((words) => words.join(' '))
  .filter((text) => text.trim() !== '')

const globs = fc.uniqueArray(
  fc.constantFrom('src', 'lib/**', 'test', '**/*.ts', 'docs', 'src/token', '*-table-*'),
  { maxLength: 2 },
)

const options = fc.record({
  task,
  include: globs,
  exclude: globs,
  maxCycles: fc.constantFrom(1, 2, 3),
  minRelevance: fc.constantFrom(0, 0.2, 0.5),
})

async function indexed(
  files: typeof FILES,
): Promise<{ readonly index: HoneIndex; readonly remove: () => void }> {
  const { root, remove } = makeSample({})
  for (const [path, text] of files) put(root, path, text)
  await buildIndex({ root, jobs: 0 })
  const index = await openIndex({ root })
  return {
    index,
    remove: () => {
      index.close()
      remove()
    },
  }
}

const bytesOf = (answer: Answer): string =>
  JSON.stringify({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })

let opened: Awaited<ReturnType<typeof indexed>>

beforeAll(async () => {
  opened = await indexed(FILES)
})

afterAll(() => {
  opened.remove()
})

describe('whatever is asked', () => {
  it('there are at most as many cycles as allowed, and never more than three', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const { cycles } = await opened.index.retrieve(asked)
        expect(cycles.length).toBeGreaterThanOrEqual(1)
        expect(cycles.length).toBeLessThanOrEqual(asked.maxCycles)
        expect(cycles.map(({ n }) => n)).toEqual(cycles.map((_, i) => i + 1))
      }),
      { numRuns: RUNS },
    )
  })

  it('every relevance is from 0 to 1, and the order is by relevance, then path', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const { files } = await opened.index.retrieve({ ...asked, limit: 50 })
        for (const [i, { relevance, path }] of files.entries()) {
          expect(relevance).toBeGreaterThan(0)
          expect(relevance).toBeLessThanOrEqual(1)
          expect(relevance).toBeGreaterThanOrEqual(asked.minRelevance)
          const next = files[i + 1]
          if (next === undefined) continue
          expect(relevance).toBeGreaterThanOrEqual(next.relevance)
          if (relevance === next.relevance) expect(path < next.path).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('no path is outside the limits given: not in the answer, not in a cycle', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const { files, cycles } = await opened.index.retrieve({ ...asked, limit: 50, minRelevance: 0 })
        const isIn = asked.include.length === 0 ? (): boolean => true : pathMatcher(asked.include)
        const isOut = asked.exclude.length === 0 ? (): boolean => false : pathMatcher(asked.exclude)
        for (const path of [...files.map((file) => file.path), ...cycles.flatMap(({ added }) => added)]) {
          expect(isIn(path), path).toBe(true)
          expect(isOut(path), path).toBe(false)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('the same bytes come twice', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        expect(bytesOf(await opened.index.retrieve(asked))).toBe(bytesOf(await opened.index.retrieve(asked)))
      }),
      { numRuns: RUNS },
    )
  })

  it('a later cycle drops no file, and lowers none that is High', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const session = opened.index.start({ ...asked, minRelevance: 0, limit: 100 })
        let before: Answer | undefined
        while (session.stop === undefined) {
          const now = await session.next()
          for (const { path, relevance, band } of before?.files ?? []) {
            const later = now.files.find((file) => file.path === path)
            expect(later, path).toBeDefined()
            expect(later?.relevance).toBeGreaterThanOrEqual(band === 'high' ? relevance : 0)
          }
          before = now
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('a file is in the list of what was added by the cycle that its entry names, once it is at 0.5', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const { files, cycles } = await opened.index.retrieve({ ...asked, limit: 100 })
        for (const { path, relevance, cycle } of files.filter((file) => file.relevance >= 0.5))
          expect(cycles[cycle - 1]?.added, `${path} ${relevance}`).toContain(path)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the order in which files were indexed', () => {
  it('changes no answer', async () => {
    // One index was built at once, the other a part at a time, last files first: their ids differ.
    const { root, remove } = makeSample({})
    for (const part of [FILES.slice(25), FILES.slice(10, 25), FILES.slice(0, 10)]) {
      for (const [path, text] of part) put(root, path, text)
      await buildIndex({ root, jobs: 0 })
    }
    const grown = await openIndex({ root })
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        expect(bytesOf(await grown.retrieve(asked))).toBe(bytesOf(await opened.index.retrieve(asked)))
      }),
      { numRuns: RUNS },
    )
    grown.close()
    remove()
  })
})
