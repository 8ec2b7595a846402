import { describe, expect, it } from 'vitest'
import {
  bootstrap,
  mean,
  pairedDifference,
  quantile,
  randomNumbers,
  significanceLine,
} from '../../scripts/bench/statistics.js'

const groups = (...values: number[][]) => new Map(values.map((group, i) => [`r${i}`, group]))

describe('bootstrap over repositories', () => {
  it('its mean is over tasks, not over repositories', () => {
    expect(bootstrap(groups([1], [0, 0, 0])).mean).toBe(0.25)
  })

  it('has no width when all repositories are alike', () => {
    const interval = bootstrap(groups([0.5, 0.5], [0.5], [0.5]))
    expect(interval).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('two repositories give one of three means: both of one, both of the other, or one of each', () => {
    const interval = bootstrap(groups([0, 0], [1, 1]))
    expect(interval).toEqual({ mean: 0.5, low: 0, high: 1 })
  })

  it('is the same every time', () => {
    const values = groups([0.1, 0.4], [0.9], [0.3, 0.2, 0.8])
    expect(bootstrap(values)).toEqual(bootstrap(values))
  })

  it('with one repository says nothing about the spread', () => {
    expect(bootstrap(groups([0, 1]))).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('without repositories is zero', () => {
    expect(bootstrap(new Map())).toEqual({ mean: 0, low: 0, high: 0 })
  })
})

describe('paired difference', () => {
  it('is significant when every repository gains', () => {
    const before = groups(...Array.from({ length: 10 }, () => [0.5, 0.6]))
    const after = groups(...Array.from({ length: 10 }, () => [0.6, 0.7]))
    const difference = pairedDifference(before, after)
    expect(difference.mean).toBeCloseTo(0.1)
    // All ten signs must fall alike: 2 of 1,024 ways.
    expect(difference.p).toBeLessThan(0.01)
    expect(significanceLine(difference)).toMatch(/^\+0\.100 \[.*10 repositories, 20 tasks: significant$/)
  })

  it('is not when gains and losses cancel', () => {
    const difference = pairedDifference(groups([0.5], [0.5]), groups([0.7], [0.3]))
    expect(difference.mean).toBeCloseTo(0)
    expect(difference.p).toBe(1)
    expect(significanceLine(difference)).toContain('not significant')
  })

  it('takes only repositories that both runs have', () => {
    const difference = pairedDifference(new Map([['a', [0]]]), new Map([...groups([1]), ['a', [0.5]]]))
    expect(difference).toMatchObject({ mean: 0.5, repositories: 1, tasks: 1 })
  })

  it('refuses runs over other tasks', () => {
    expect(() => pairedDifference(groups([1, 2]), groups([1]))).toThrow('r0 has 2 tasks in one run and 1')
  })
})

it('quantiles are values that occur', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2)
  expect(quantile([4, 1, 3, 2], 0.95)).toBe(4)
  expect(quantile([], 0.5)).toBe(0)
})

it('the mean of nothing is zero', () => {
  expect(mean([])).toBe(0)
})

it('random numbers are uniform enough and repeatable', () => {
  const random = randomNumbers(7)
  const values = Array.from({ length: 10_000 }, random)
  expect(mean(values)).toBeCloseTo(0.5, 1)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...values)).toBeLessThan(1)
  expect(randomNumbers(7)()).toBe(values[0])
})
