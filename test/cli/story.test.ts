import { describe, expect, it } from 'vitest'
import { storyOf } from '../../src/cli/story.js'
import { EVERYTHING } from './html/answers.js'

const paths = (n: number): readonly string[] => Array.from({ length: n }, (_, i) => `f${i}`)

describe('the story of a query', () => {
  it.each([
    [2, 0, 'f0, f1'],
    [7, 0, 'f0, f1, f2, f3, f4, f5, f6'],
    [6, 1, 'f0, f1, f2, f3, f4, f5 and 1 more'],
    [20, 130, 'f0, f1, f2, f3, f4, f5 and 144 more'],
  ])('counts what it does not list of %i paths left out and %i more', (listed, moreExcludes, shown) => {
    const [cycle] = EVERYTHING.cycles
    const query = { ...cycle!.query, excludes: paths(listed), moreExcludes } // it has two cycles
    const story = storyOf({ ...EVERYTHING, cycles: [{ ...cycle!, query }] })
    expect(story.find((line) => line.startsWith('  left out'))).toBe(`  left out     ${shown}`)
  })
})
