import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RatedFile } from '../../src/retrieve/evaluate.js'
import { NOTHING_ADDED } from '../../src/rank/custom-signals.js'
import { ADDED_FROM, merge, ranked, type FoundFiles } from '../../src/retrieve/found-file.js'
import type { FileId } from '../../src/types.js'

const PATHS = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']

/** A rating of nothing but a path and a number: all that merging looks at. */
function rated(path: string, relevance: number): RatedFile {
  const id = (PATHS.indexOf(path) + 1) as FileId
  const calibrated = { relevance, logOdds: 0, evidence: () => [] }
  return {
    id,
    path,
    ...calibrated,
    calibrated,
    added: NOTHING_ADDED,
    matched: [],
    view: {} as RatedFile['view'],
  }
}

const cycle = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(...PATHS),
    relevance: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  }),
  { selector: ({ path }) => path },
)
const cycles = fc.array(cycle, { minLength: 1, maxLength: 3 })

const mergeAll = (all: readonly (readonly { path: string; relevance: number }[])[]): FoundFiles =>
  all.reduce<FoundFiles>(
    (found, files, i) =>
      merge(
        found,
        files.map(({ path, relevance }) => rated(path, relevance)),
        i + 1,
      ).files,
    new Map(),
  )

const summary = (found: FoundFiles): unknown =>
  ranked(found).map(({ rated: { path, relevance }, cycle: n }) => [path, relevance, n])

describe('merging a later cycle', () => {
  it('never drops a file, and never lowers one that has reached 0.5', () => {
    fc.assert(
      fc.property(cycles, cycle, (before, later) => {
        const found = mergeAll(before)
        const { files } = merge(
          found,
          later.map(({ path, relevance }) => rated(path, relevance)),
          3,
        )
        for (const [path, { rated: old, cycle: since }] of found) {
          const now = files.get(path)
          expect(now).toBeDefined()
          expect(now?.rated.relevance).toBeGreaterThanOrEqual(old.relevance)
          if (old.relevance >= ADDED_FROM) {
            expect(now?.rated).toBe(old)
            expect(now?.cycle).toBe(since)
          }
        }
      }),
    )
  })

  it('does not depend on the order in which a cycle lists its files', () => {
    fc.assert(
      fc.property(cycles, fc.infiniteStream(fc.nat(1000)), (all, keys) => {
        const shuffled = all.map((files) =>
          files
            .map((file) => ({ file, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ file }) => file),
        )
        expect(summary(mergeAll(shuffled))).toEqual(summary(mergeAll(all)))
      }),
    )
  })

  it('leaves what it was given as it was', () => {
    const found = mergeAll([[{ path: 'a.ts', relevance: 0.3 }]])
    const before = summary(found)
    merge(found, [rated('a.ts', 0.9), rated('b.ts', 0.9)], 2)
    expect(summary(found)).toEqual(before)
  })

  it('says which files it added: those that reach 0.5 for the first time, in the cycle that did it', () => {
    const first = merge(new Map(), [rated('a.ts', 0.5), rated('b.ts', 0.49)], 1)
    expect(first.added).toEqual(['a.ts'])
    const second = merge(first.files, [rated('a.ts', 0.9), rated('b.ts', 0.6), rated('c.ts', 0.1)], 2)
    expect(second.added).toEqual(['b.ts'])
    expect(summary(second.files)).toEqual([
      ['b.ts', 0.6, 2],
      ['a.ts', 0.5, 1],
      ['c.ts', 0.1, 2],
    ])
  })

  it('does not lift a file for being seen again with the same evidence', () => {
    const first = merge(new Map(), [rated('a.ts', 0.4)], 1)
    const second = merge(first.files, [rated('a.ts', 0.4)], 2)
    expect(second.added).toEqual([])
    expect(summary(second.files)).toEqual(summary(first.files))
  })
})

describe('the order of an answer', () => {
  it('is by relevance, ties by path', () => {
    const found = mergeAll([
      [
        { path: 'c.ts', relevance: 0.5 },
        { path: 'b.ts', relevance: 0.7 },
      ],
      [{ path: 'a.ts', relevance: 0.5 }],
    ])
    expect(ranked(found).map(({ rated: { path } }) => path)).toEqual(['b.ts', 'a.ts', 'c.ts'])
  })
})
