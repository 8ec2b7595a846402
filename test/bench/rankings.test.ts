import { describe, expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../scripts/bench/rankings/fusion.js'
import { grepWords, parseCounts } from '../../scripts/bench/rankings/ripgrep.js'
import { best } from '../../scripts/bench/rankings/ranking.js'

const NUL = String.fromCharCode(0)

it('fusion adds 1 / (60 + rank) over the lists', () => {
  const scores = reciprocalRankFusion([
    ['a', 'b'],
    ['b', 'c'],
  ])
  expect(scores.get('a')).toBeCloseTo(1 / 61)
  expect(scores.get('b')).toBeCloseTo(1 / 62 + 1 / 61)
  expect(scores.get('c')).toBeCloseTo(1 / 62)
})

it('the best are those with a score, ties by path', () => {
  const files = [
    { path: 'b', score: 1 },
    { path: 'a', score: 1 },
    { path: 'c', score: 0 },
    { path: 'd', score: 2 },
  ]
  expect(best(files, 10).map(({ path }) => path)).toEqual(['d', 'a', 'b'])
  expect(best(files, 1).map(({ path }) => path)).toEqual(['d'])
})

describe('ripgrep', () => {
  it('is given the words as written, without stop words', () => {
    expect(grepWords('how is the RateLimiter of a route reset')).toEqual(['RateLimiter', 'route', 'reset'])
  })

  it('is given stop words when there is nothing else', () => {
    expect(grepWords('the')).toEqual(['the'])
  })

  it('counts are read per file, also with a colon in the path', () => {
    expect(parseCounts(`./src/a:b.ts${NUL}12\n./c.go${NUL}3\n`)).toEqual([
      { path: 'src/a:b.ts', score: 12 },
      { path: 'c.go', score: 3 },
    ])
  })
})
