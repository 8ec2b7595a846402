import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEP_MODEL, MODELS_FOLDER } from '../../src/config.js'
import {
  DEEP_SIGNALS,
  DEEP_SIGNALS_VERSION,
  deepModel,
  deepRows,
  rateDeep,
} from '../../src/rank/deep-signals.js'
import { Trees } from '../../src/rank/trees.js'
import { readDeepModel } from '../../src/retrieve/relevance-file.js'
import { treesFile } from './trees-file.js'

const model = readDeepModel(join(MODELS_FOLDER, DEEP_MODEL))
const files = fc.array(
  fc.record({
    relevance: fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
    cosine: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 16 },
)

describe('the signals of the deep step', () => {
  it('are the log-odds before, nearness beside the others, and what the best had', () => {
    const rows = deepRows([
      { relevance: 0.5, cosine: 0.6 },
      { relevance: 0.2, cosine: 0.2 },
    ])
    const expected = [0, 0.2, 0, 0.6, Math.log(0.25), -0.2, 0, 0.6]
    expect(rows).toHaveLength(expected.length)
    expected.forEach((value, i) => {
      expect(rows[i]).toBeCloseTo(value, 6)
    })
  })

  it('are finite whatever is looked at', () => {
    fc.assert(fc.property(files, (looked) => deepRows(looked).every(Number.isFinite)))
  })
})

describe('the model of the deep step', () => {
  it('is of the signals of this code', () => {
    expect(model.trees.head.signals).toEqual(DEEP_SIGNALS.map(({ name }) => name))
    const signals = ['before', 'other']
    const other = new Trees(
      treesFile({ signalsVersion: DEEP_SIGNALS_VERSION, signals, added: {} }, [{ value: 0, rows: 1 }]),
      'other.bin',
    )
    expect(() => deepModel(other, 'other.bin')).toThrow(/other\.bin was trained on/)
  })

  it('never rates a file lower for being nearer, or for having been more relevant before', () => {
    const weight = (name: string): number => model.trees.head.added[name] ?? 0
    expect(weight('before')).toBeGreaterThan(0)
    expect(weight('deep.nearness')).toBeGreaterThan(0)
  })

  it('gives a relevance strictly between 0 and 1', () => {
    fc.assert(
      fc.property(files, (looked) =>
        rateDeep(model, looked).every(({ relevance }) => relevance > 0 && relevance < 1),
      ),
    )
  })
})
