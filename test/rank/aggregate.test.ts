import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregate, NO_SCORE, sumOfBest } from '../../src/rank/aggregate.js'
import { BAND_FROM, bandOf } from '../../src/rank/bands.js'

describe('the score of a file', () => {
  it('is that of its best four chunks, weighted 1, 1/2, 1/3, 1/4', () => {
    const score = fc.oneof(fc.constantFrom(0, 1, 2), fc.double({ min: -5, max: 50, noNaN: true }))
    fc.assert(
      fc.property(fc.array(score, { maxLength: 12 }), fc.nat(5), fc.nat(14), (scores, first, count) => {
        const own = scores.slice(first, first + count).map((value) => Math.max(0, value))
        const end = Math.min(scores.length, first + count)
        const [a = 0, b = 0, c = 0, d = 0] = own.sort((x, y) => y - x)
        const found = aggregate(Float64Array.from(scores), first, count)
        expect(found).toEqual({ sum: a + b / 2 + c / 3 + d / 4, best: a, second: b })
        if (first <= end) expect(sumOfBest(Float64Array.from(scores), first, end - first)).toBe(found.sum)
      }),
    )
  })

  it('is none without chunks', () => {
    expect(aggregate([1, 2, 3], 1, 0)).toEqual(NO_SCORE)
    expect(aggregate([], 0, 5)).toEqual(NO_SCORE)
  })
})

describe('bands', () => {
  it.each([
    [1, 'high'],
    [0.8, 'high'],
    [0.7999, 'medium'],
    [0.5, 'medium'],
    [0.4999, 'low'],
    [0.2, 'low'],
    [0.1999, 'none'],
    [0, 'none'],
  ] as const)('%f is %s', (relevance, band) => {
    expect(bandOf(relevance)).toBe(band)
  })

  it('have the borders that are published', () => {
    expect(BAND_FROM).toEqual({ high: 0.8, medium: 0.5, low: 0.2 }) // docs/interface.md
  })
})
