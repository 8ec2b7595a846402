import { describe, expect, it } from 'vitest'
import { overlap, placeFacts, placeOf } from '../../src/rank/places.js'

const facts = (a: string, b: string): ReturnType<typeof placeFacts> => placeFacts(placeOf(a), placeOf(b))

describe('two paths', () => {
  it.each([
    ['src/session.ts', 'test/session.test.ts'],
    ['src/http_client.c', 'include/http_client.h'],
    ['pkg/retry.go', 'pkg/retry_test.go'],
    ['src/RateLimit.java', 'test/RateLimitTest.java'],
    ['a/test_reader.py', 'b/reader.py'],
  ])('%s and %s have the same stem', (a, b) => {
    expect(facts(a, b).isSameStem).toBe(true)
  })

  it.each([
    ['src/session.ts', 'src/sessions.ts'],
    ['src/test.ts', 'src/spec.ts'],
    ['src/.ts', 'src/a.ts'],
  ])('%s and %s have not', (a, b) => {
    expect(facts(a, b).isSameStem).toBe(false)
  })

  it('are as near as their leading folders', () => {
    expect(facts('a/b/c/x.ts', 'a/b/d/y.ts').nearness).toBeCloseTo(2 / 3)
    expect(facts('a/x.ts', 'b/a/x.ts').nearness).toBe(0)
    expect(facts('x.ts', 'y.ts')).toMatchObject({ nearness: 1, isSameFolder: true })
    expect(facts('a/x.ts', 'a/b/y.ts')).toMatchObject({ nearness: 0.5, isSameFolder: false })
  })

  it('share the words of their names, 0..1', () => {
    expect(facts('a/rate-limit-store.ts', 'b/rateLimit.ts').nameOverlap).toBeCloseTo(2 / 3)
    expect(facts('a/x.ts', 'b/y.ts').nameOverlap).toBe(0)
  })

  it('say the same of each other', () => {
    for (const [a, b] of [
      ['a/b/x.ts', 'a/x.test.ts'],
      ['x.go', 'c/d/y.go'],
    ] as const)
      expect(facts(a, b)).toEqual(facts(b, a))
  })
})

it('nothing and nothing have nothing in common', () => {
  expect(overlap(new Set(), new Set())).toBe(0)
})
