import { describe, expect, it } from 'vitest'
import { collected, probability, wholeNumber } from '../../src/cli/options.js'

describe('a whole number', () => {
  it.each(['0', '-1', '1.5', 'abc', '', ' ', ' 5', '1e3', '0x10', 'NaN', 'Infinity', '٣', '9'.repeat(30)])(
    '%j is none from 1 up',
    (value) => {
      expect(() => wholeNumber(1)(value)).toThrow('whole number from 1 up')
    },
  )

  it('takes its bounds and no more', () => {
    expect(wholeNumber(0)('0')).toBe(0)
    expect(wholeNumber(1)('007')).toBe(7)
    expect(['1', '3'].map(wholeNumber(1, 3))).toEqual([1, 3])
    expect(() => wholeNumber(1, 3)('4')).toThrow('"4" is not a whole number from 1 to 3')
  })
})

describe('a probability', () => {
  it.each(['2', '1.01', '-0.1', 'NaN', 'abc', '', ' ', '1e0', '0,5', '.', '1.'])('%j is none', (value) => {
    expect(() => probability(value)).toThrow('number from 0 to 1')
  })

  it.each([
    ['0', 0],
    ['1', 1],
    ['0.25', 0.25],
    ['.5', 0.5],
    ['1.0', 1],
  ])('%s is one', (value, number) => {
    expect(probability(value)).toBe(number)
  })
})

describe('a repeatable option', () => {
  it('collects in order and leaves what it was given alone', () => {
    const first = collected('a', undefined)
    expect(collected('b', first)).toEqual(['a', 'b'])
    expect(first).toEqual(['a'])
  })
})
