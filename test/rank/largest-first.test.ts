import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largestFirst } from '../../src/rank/largest-first.js'

const scores = fc.array(
  fc.oneof(
    fc.double({ min: -1, max: 40, noNaN: true }).map((x) => x + 0), // no negative zero
    fc.integer({ min: 0, max: 3 }), // ties
    fc.double({ min: 0, max: 1e12, noNaN: true }), // one far above all others
  ),
  { maxLength: 300 },
)

describe('the largest first', () => {
  it('are all positions in the order that sorting gives', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 50 }), (values, atLeast) => {
        const positions = [...largestFirst(Float64Array.from(values), { atLeast })].flat()
        expect(positions.map((at) => values[at])).toEqual([...values].sort((a, b) => b - a))
        expect(new Set(positions).size).toBe(values.length)
      }),
    )
  })

  it('come in batches that no two equal scores are split over, the first with as many as asked for', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 50 }), (values, atLeast) => {
        const batches = [...largestFirst(Float64Array.from(values), { atLeast })]
        const seen = new Set<number>()
        for (const batch of batches) {
          const own = new Set(batch.map((at) => values[at]!))
          for (const score of own) expect(seen.has(score)).toBe(false)
          for (const score of own) seen.add(score)
        }
        if (batches.length > 1) expect(batches[0]!.length).toBeGreaterThanOrEqual(atLeast)
      }),
    )
  })

  it('leave out what is not above the least', () => {
    const values = [0, 2, 0, -1, 1]
    expect([...largestFirst(Float64Array.from(values), { atLeast: 10, above: 0 })].flat()).toEqual([1, 4])
    expect([...largestFirst(Float64Array.of(0, 0), { atLeast: 1, above: 0 })]).toEqual([])
  })

  it('of nothing are nothing', () => {
    expect([...largestFirst(new Float64Array(0), { atLeast: 3 })]).toEqual([])
  })
})
