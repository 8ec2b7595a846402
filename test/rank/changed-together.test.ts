import { describe, expect, it } from 'vitest'
import { changedTogether } from '../../src/rank/changed-together.js'
import type { PastCommits } from '../../src/rank/past-scores.js'
import type { FileId } from '../../src/types.js'

const id = (n: number): FileId => n as FileId

/** Commits, newest first, as lists of files; `touched` may say that more were touched that are gone. */
function past(
  commits: readonly (readonly number[])[],
  touched = commits.map((files) => files.length),
): PastCommits {
  const firstFile = new Uint32Array(commits.length + 1)
  commits.forEach((files, c) => (firstFile[c + 1] = firstFile[c]! + files.length))
  return {
    commits: commits.length,
    firstFile,
    fileOf: Uint32Array.from(commits.flat()),
    touched: Uint16Array.from(touched),
    firstTerm: new Uint32Array(commits.length + 1),
    termOf: new Uint32Array(0),
    termNumber: () => undefined,
    holders: {
      first: new Uint32Array(1),
      commitOf: new Uint32Array(0),
      count: new Uint16Array(0),
      subjects: 0,
    },
  }
}

const silent = new Float64Array(10)

describe('what changed together', () => {
  const history = past([[1, 2], [1, 2, 3], [3, 4], [2]])

  it('is every file that shared a commit with a given one, and no other', () => {
    expect([...changedTogether(history, [id(1)], silent).keys()].sort()).toEqual([2, 3])
    expect(changedTogether(history, [], silent).size).toBe(0)
    expect(changedTogether(history, [id(9)], silent).size).toBe(0)
  })

  it('counts shared commits, and weighs each by the files it touched', () => {
    const two = changedTogether(history, [id(1)], silent).get(id(2))!
    const own = { one: 1 / 2 + 1 / 3, two: 1 / 2 + 1 / 3 + 1 }
    expect(two.commits).toBe(2)
    expect(two.best).toBeCloseTo(own.one / Math.sqrt(own.one * own.two), 10)
    expect(two.share).toBeCloseTo(1, 10)
    expect(two.shareBack).toBeCloseTo(own.one / own.two, 10)
    expect(two.newest).toBe(1)
    expect(changedTogether(history, [id(1)], silent).get(id(3))?.newest).toBe(0.75)
  })

  it('names the given file it shares most with, and sums over all of them', () => {
    const three = changedTogether(history, [id(1), id(4)], silent).get(id(3))!
    expect(three.partner).toBe(1)
    expect(three.commits).toBe(1)
    expect(three.sum).toBeGreaterThan(three.best)
  })

  it('tells small commits from large ones, files that are gone included', () => {
    const large = past([[1, 2]], [12])
    expect(changedTogether(large, [id(1)], silent).get(id(2))).toMatchObject({ commits: 1, narrow: 0 })
    expect(changedTogether(history, [id(1)], silent).get(id(2))?.narrow).toBe(2)
  })

  it('says how much of the task the subjects of shared commits have', () => {
    const subjects = Float64Array.from([4, 0, 9, 0])
    expect(changedTogether(history, [id(1)], subjects).get(id(2))?.onTask).toBeCloseTo(2, 10)
    expect(changedTogether(history, [id(1)], subjects).get(id(3))?.onTask).toBe(0)
  })

  it('does not depend on the order of the given files, but for the number of the partner', () => {
    const there = changedTogether(history, [id(1), id(4)], silent).get(id(3))!
    const back = changedTogether(history, [id(4), id(1)], silent).get(id(3))!
    expect({ ...back, partner: 0 }).toEqual({ ...there, partner: 0 })
    expect(back.partner).toBe(0)
  })
})
