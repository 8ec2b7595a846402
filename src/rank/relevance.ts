/** From signals to a relevance: boosted trees with a logistic loss, whose sums are log-odds. */
import { HoneError } from '../errors.js'
import type { Evidence } from '../types.js'
import { SIGNALS, SIGNALS_VERSION, type FileView, type QueryView } from './signals.js'
import type { Trees } from './trees.js'

export interface RelevanceModel {
  readonly trees: Trees
}

// Nothing is certain: what is shown has four decimals, and neither 0 nor 1 among them.
const LEAST = 0.0001
/** The largest relevance there is; what a person says outright has it. */
export const CERTAIN = 1 - LEAST

export interface Rating {
  /** 0.0001..0.9999, four decimals: what is shown is what is sorted by. */
  readonly relevance: number
  /** One entry for each signal that moved the score, largest effect first; ties by name. */
  readonly evidence: () => readonly Evidence[]
}

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function relevanceModel(trees: Trees, path: string): RelevanceModel {
  const { signalsVersion, signals } = trees.head
  const isSame =
    signalsVersion === SIGNALS_VERSION &&
    signals.length === SIGNALS.length &&
    SIGNALS.every(({ name }, s) => name === signals[s])
  if (isSame) return { trees }
  throw new HoneError(
    'MODEL_CORRUPT',
    `${path} was trained on version ${signalsVersion} of the signals, this hone has version ${SIGNALS_VERSION}; install hone again`,
  )
}

/** Rates candidates of one query, each by itself. */
export function rate(
  { trees }: RelevanceModel,
  query: QueryView,
  files: readonly FileView[],
): readonly Rating[] {
  const rows = new Float32Array(files.length * SIGNALS.length)
  files.forEach((file, f) => {
    putSignals(query, file, rows.subarray(f * SIGNALS.length, (f + 1) * SIGNALS.length))
  })
  return Array.from(trees.sums(rows), (logit, f) => ({
    relevance: Math.min(CERTAIN, Math.max(LEAST, rounded(1 / (1 + Math.exp(-logit))))),
    evidence: () => evidenceOf(trees, rows.subarray(f * SIGNALS.length, (f + 1) * SIGNALS.length)),
  }))
}

/** Value of every signal, in their order; rounded to what training sees. */
export function signalValues(query: QueryView, file: FileView): Float32Array {
  const values = new Float32Array(SIGNALS.length)
  putSignals(query, file, values)
  return values
}

function putSignals(query: QueryView, file: FileView, into: Float32Array): void {
  for (let s = 0; s < SIGNALS.length; s++) into[s] = SIGNALS[s]!.value(query, file)
}

function evidenceOf(trees: Trees, values: Float32Array): readonly Evidence[] {
  const { effects } = trees.effects(values)
  return trees.head.signals
    .map((signal, s) => ({ signal, value: rounded(values[s]!), effect: rounded(effects[s]!) }))
    .filter(({ effect }) => effect !== 0)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.signal < b.signal ? -1 : 1))
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
