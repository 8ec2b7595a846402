import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanOfUnitLength } from '../../src/embed/pooling.js'

describe('meanOfUnitLength', () => {
  it('is the direction of the mean', () => {
    const out = new Float32Array(2)
    expect(meanOfUnitLength([3, 0, 0, 4], out)).toBe(true)
    expect([...out]).toEqual([Math.fround(0.6), Math.fround(0.8)])
  })

  it('leaves a mean of zero at zero', () => {
    const out = new Float32Array(2)
    expect(meanOfUnitLength([1, -1, -1, 1], out)).toBe(true)
    expect([...out]).toEqual([0, 0])
  })

  it('says so when a number is not finite, and writes nothing', () => {
    const out = new Float32Array(2)
    expect(meanOfUnitLength([1, NaN], out)).toBe(false)
    expect([...out]).toEqual([0, 0])
  })

  it('has length 1 for any rows that do not cancel out', () => {
    const row = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
        const out = new Float32Array(3)
        meanOfUnitLength(rows.flat(), out)
        expect(Math.hypot(...out)).toBeCloseTo(1, 6)
      }),
    )
  })
})
