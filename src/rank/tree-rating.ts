/** What every model of trees with a logistic loss has in common: rows of named signals in, ratings with evidence out. */
import { HoneError } from '../errors.js'
import type { Evidence } from '../types.js'
import type { Trees } from './trees.js'

// Nothing is certain: what is shown has four decimals, and neither 0 nor 1 among them.
const LEAST = 0.0001
/** The largest relevance there is; what a person says outright has it. */
export const CERTAIN = 1 - LEAST

export interface Rating {
  /** 0.0001..0.9999, four decimals: what is shown is what is sorted by. */
  readonly relevance: number
  /** The same as it was computed: log-odds, neither rounded nor bounded. */
  readonly logOdds: number
  /** One entry for each signal that moved the score, largest effect first; ties by name. */
  readonly evidence: () => readonly Evidence[]
}

/** Throws MODEL_CORRUPT when the trees were trained on other signals than this code computes. */
export function checkSignals(
  { head }: Trees,
  own: { readonly version: number; readonly names: readonly string[] },
  path: string,
): void {
  const isSame =
    head.signalsVersion === own.version &&
    head.signals.length === own.names.length &&
    own.names.every((name, s) => name === head.signals[s])
  if (isSame) return
  throw new HoneError(
    'MODEL_CORRUPT',
    `${path} was trained on version ${head.signalsVersion} of the signals, this hone has version ${own.version}; install hone again`,
  )
}

/** Rates rows of signal values that stand one after the other. */
export function rateRows(trees: Trees, rows: Float32Array): readonly Rating[] {
  const width = trees.head.signals.length
  return Array.from(trees.sums(rows), (logOdds, r) =>
    ratingOf(logOdds, () => evidenceOf(trees, rows.subarray(r * width, (r + 1) * width))),
  )
}

export function ratingOf(logOdds: number, evidence: Rating['evidence']): Rating {
  const relevance = Math.min(CERTAIN, Math.max(LEAST, rounded(1 / (1 + Math.exp(-logOdds)))))
  return { relevance, logOdds, evidence }
}

/** Largest effect first; ties by name. */
export function byEffect(a: Evidence, b: Evidence): number {
  return Math.abs(b.effect) - Math.abs(a.effect) || (a.signal < b.signal ? -1 : 1)
}

function evidenceOf(trees: Trees, values: Float32Array): readonly Evidence[] {
  const { effects } = trees.effects(values)
  return trees.head.signals
    .map((signal, s) => ({ signal, value: rounded(values[s]!), effect: rounded(effects[s]!) }))
    .filter(({ effect }) => effect !== 0)
    .sort(byEffect)
}

/** Four decimals. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
