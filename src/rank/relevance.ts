/** From signals to a relevance: boosted trees with a logistic loss, whose sums are log-odds. */
import { SIGNALS, SIGNALS_VERSION, type FileView, type QueryView } from './signals.js'
import { checkSignals, rateRows, type Rating } from './tree-rating.js'
import type { Trees } from './trees.js'

export interface RelevanceModel {
  readonly trees: Trees
}

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function relevanceModel(trees: Trees, path: string): RelevanceModel {
  checkSignals(trees, { version: SIGNALS_VERSION, names: SIGNALS.map(({ name }) => name) }, path)
  return { trees }
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
  return rateRows(trees, rows)
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
