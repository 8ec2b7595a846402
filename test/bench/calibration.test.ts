import { describe, expect, it } from 'vitest'
import { calibration } from '../../scripts/bench/calibration.js'

const predictions = (predicted: number, relevant: number, all: number) =>
  Array.from({ length: all }, (_, i) => ({ predicted, isRelevant: i < relevant }))

describe('calibration', () => {
  it('is perfect when shares are as predicted', () => {
    const { error } = calibration([...predictions(0.25, 1, 4), ...predictions(0.75, 3, 4)])
    expect(error).toBe(0)
  })

  it('weighs the distance of each bin by its count', () => {
    // 10 files predicted 0.85 of which 6 are right: off by 0.25; 30 predicted 0.05 of which none is: off by 0.05
    const { error, count, bins } = calibration([...predictions(0.85, 6, 10), ...predictions(0.05, 0, 30)])
    expect(error).toBeCloseTo((10 * 0.25 + 30 * 0.05) / 40)
    expect(count).toBe(40)
    expect(bins[8]).toMatchObject({ count: 10, actual: 0.6 })
    expect(bins[3]).toMatchObject({ count: 0, predicted: 0, actual: 0 })
  })

  it('a certain prediction falls into the last bin', () => {
    expect(calibration([{ predicted: 1, isRelevant: true }]).bins.at(-1)?.count).toBe(1)
  })

  it('without predictions there is no error', () => {
    expect(calibration([]).error).toBe(0)
  })
})
