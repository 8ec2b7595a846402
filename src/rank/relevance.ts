/** From signals to a relevance: boosted trees with a logistic loss, whose sums are log-odds. */
import { rateBy, treesOf, valuesOf, type Rating, type SignalTable } from './rating.js'
import { SIGNALS, SIGNALS_VERSION, type FileView, type QueryView } from './signals.js'
import type { Trees } from './trees.js'

export type { Rating } from './rating.js'

export interface RelevanceModel {
  readonly trees: Trees
}

const TABLE: SignalTable<QueryView, FileView> = { version: SIGNALS_VERSION, signals: SIGNALS }

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function relevanceModel(trees: Trees, path: string): RelevanceModel {
  return { trees: treesOf(trees, path, TABLE) }
}

/** Rates candidates of one query, each by itself. */
export function rate(
  { trees }: RelevanceModel,
  query: QueryView,
  files: readonly FileView[],
): readonly Rating[] {
  return rateBy(trees, TABLE, { query, files })
}

/** Value of every signal, in their order; rounded to what training sees. */
export function signalValues(query: QueryView, file: FileView): Float32Array {
  return valuesOf(TABLE, query, file)
}
