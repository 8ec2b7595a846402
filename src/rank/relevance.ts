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
  return rateRows(trees, signalRows(query, files))
}

/** Value of every signal, in their order; rounded to what training sees. */
export function signalValues(query: QueryView, file: FileView): Float32Array {
  return signalRows(query, [file])
}

/** The same of each file, one row after the other. */
function signalRows(query: QueryView, files: readonly FileView[]): Float32Array {
  const rows = new Float32Array(files.length * SIGNALS.length)
  // One signal of all files, then the next: what a signal reads is then still at hand.
  SIGNALS.forEach(({ value }, s) => {
    for (let f = 0, at = s; f < files.length; f++, at += SIGNALS.length) rows[at] = value(query, files[f]!)
  })
  return rows
}
