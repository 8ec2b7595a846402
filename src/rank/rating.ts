/** From a table of signals and trees trained on them to a relevance; the same for every model (relevance.ts, feedback.ts). */
import { HoneError } from '../errors.js'
import type { Evidence } from '../types.js'
import type { Trees } from './trees.js'

/** The input of a model: its signals, in order, under a version that a change of any of them moves. */
export interface SignalTable<Query, File> {
  readonly version: number
  readonly signals: readonly {
    readonly name: string
    readonly value: (query: Query, file: File) => number
  }[]
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

/** The trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function treesOf<Q, F>(trees: Trees, path: string, { version, signals }: SignalTable<Q, F>): Trees {
  const { head } = trees
  const isSame =
    head.signalsVersion === version &&
    head.signals.length === signals.length &&
    signals.every(({ name }, s) => name === head.signals[s])
  if (isSame) return trees
  throw new HoneError(
    'MODEL_CORRUPT',
    `${path} was trained on version ${head.signalsVersion} of the signals, this hone has version ${version}; install hone again`,
  )
}

/** Rates candidates of one query, each by itself. */
export function rateBy<Query, File>(
  trees: Trees,
  table: SignalTable<Query, File>,
  asked: { readonly query: Query; readonly files: readonly File[] },
): readonly Rating[] {
  const width = table.signals.length
  const rows = new Float32Array(asked.files.length * width)
  const rowOf = (f: number): Float32Array => rows.subarray(f * width, (f + 1) * width)
  asked.files.forEach((file, f) => {
    putSignals(table, asked.query, { file, into: rowOf(f) })
  })
  return Array.from(trees.sums(rows), (logit, f) => ({
    relevance: Math.min(CERTAIN, Math.max(LEAST, rounded(1 / (1 + Math.exp(-logit))))),
    evidence: () => evidenceOf(trees, rowOf(f)),
  }))
}

/** Value of every signal, in their order; rounded to what training sees. */
export function valuesOf<Query, File>(
  table: SignalTable<Query, File>,
  query: Query,
  file: File,
): Float32Array {
  const values = new Float32Array(table.signals.length)
  putSignals(table, query, { file, into: values })
  return values
}

function putSignals<Query, File>(
  { signals }: SignalTable<Query, File>,
  query: Query,
  { file, into }: { readonly file: File; readonly into: Float32Array },
): void {
  for (let s = 0; s < signals.length; s++) into[s] = signals[s]!.value(query, file)
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
