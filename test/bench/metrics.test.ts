import { describe, expect, it } from 'vitest'
import {
  gains,
  hitAt1,
  matchesLabel,
  ndcg,
  recallAt,
  recallWithin,
  reciprocalRank,
  tokensOf,
} from '../../scripts/bench/metrics.js'

describe('matching a label', () => {
  it('takes equal paths and whole-segment suffixes, in both directions', () => {
    expect(matchesLabel('src/a.ts', 'src/a.ts')).toBe(true)
    expect(matchesLabel('pkg/src/a.ts', 'src/a.ts')).toBe(true)
    expect(matchesLabel('a.ts', 'src/a.ts')).toBe(true)
  })

  it('does not take a suffix that begins inside a segment', () => {
    expect(matchesLabel('src/ba.ts', 'a.ts')).toBe(false)
    expect(matchesLabel('src/a.ts', 'src')).toBe(false)
  })
})

describe('gains', () => {
  it('counts a label once although two paths end alike', () => {
    expect(gains(['x/index.js', 'y/index.js'], ['index.js'])).toEqual([1, 0])
  })

  it('gives an equal label before one that only ends alike', () => {
    expect(gains(['lib/index.js', 'index.js'], ['index.js', 'lib/index.js'])).toEqual([1, 1])
  })
})

describe('NDCG', () => {
  it('is 1 for all labels at the top and 0 for none', () => {
    expect(ndcg([1, 1, 0], 2)).toBe(1)
    expect(ndcg([0, 0, 0], 2)).toBe(0)
  })

  it('discounts by log2(rank + 1)', () => {
    // (1/log2(3) + 1/log2(5)) / (1/log2(2) + 1/log2(3)) = (0.63093 + 0.43068) / 1.63093
    expect(ndcg([0, 1, 0, 1], 2)).toBeCloseTo(0.65092, 4)
  })

  it('asks for no more than k labels', () => {
    expect(ndcg(new Array<number>(10).fill(1), 25)).toBe(1)
  })

  it('does not look beyond k', () => {
    expect(ndcg([0, 0, 1], 1, 2)).toBe(0)
  })

  it('is 0 without labels', () => {
    expect(ndcg([], 0)).toBe(0)
  })
})

describe('recall, hit and reciprocal rank', () => {
  it('recall is the share of all labels among the first k', () => {
    expect(recallAt([1, 0, 1, 0, 0, 1], 4, 5)).toBe(0.5)
    expect(recallAt([], 0, 5)).toBe(0)
  })

  it('a hit is the first result only', () => {
    expect(hitAt1([1])).toBe(1)
    expect(hitAt1([0, 1])).toBe(0)
    expect(hitAt1([])).toBe(0)
  })

  it('reciprocal rank is of the first right one', () => {
    expect(reciprocalRank([0, 0, 1, 1])).toBeCloseTo(1 / 3)
    expect(reciprocalRank([0])).toBe(0)
  })
})

describe('recall within a token budget', () => {
  const files = [
    { path: 'a', pieces: [300, 100] },
    { path: 'b', pieces: [100, 500] },
    { path: 'c', pieces: [10] },
  ]

  it('counts a file when its first piece has been read to the end', () => {
    expect(recallWithin(files, [1, 1, 1], { labels: 3, budget: 499 })).toBeCloseTo(1 / 3)
    expect(recallWithin(files, [1, 1, 1], { labels: 3, budget: 500 })).toBeCloseTo(2 / 3)
  })

  it('reads in order: a short file behind a long one is not met early', () => {
    expect(recallWithin(files, [0, 0, 1], { labels: 1, budget: 1009 })).toBe(0)
    expect(recallWithin(files, [0, 0, 1], { labels: 1, budget: 1010 })).toBe(1)
  })

  it('a budget of nothing meets nothing', () => {
    expect(recallWithin(files, [1, 1, 1], { labels: 3, budget: 0 })).toBe(0)
  })
})

it('tokens are a quarter of the UTF-8 bytes, rounded up', () => {
  expect(tokensOf('')).toBe(0)
  expect(tokensOf('abcde')).toBe(2)
  expect(tokensOf('日本')).toBe(2) // six bytes
})
