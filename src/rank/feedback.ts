/** From what judgements say of a file that was not judged to its relevance: trees of their own (feedback-signals.ts). */
import {
  FEEDBACK_SIGNALS,
  FEEDBACK_VERSION,
  type FeedbackQuery,
  type FeedbackView,
} from './feedback-signals.js'
import { rateBy, treesOf, valuesOf, type Rating, type SignalTable } from './rating.js'
import type { Trees } from './trees.js'

export interface FeedbackModel {
  readonly feedback: Trees
}

const TABLE: SignalTable<FeedbackQuery, FeedbackView> = {
  version: FEEDBACK_VERSION,
  signals: FEEDBACK_SIGNALS,
}

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function feedbackModel(trees: Trees, path: string): FeedbackModel {
  return { feedback: treesOf(trees, path, TABLE) }
}

/** Rates files that were not judged, each by itself. */
export function rateByFeedback(
  { feedback }: FeedbackModel,
  query: FeedbackQuery,
  files: readonly FeedbackView[],
): readonly Rating[] {
  return rateBy(feedback, TABLE, { query, files })
}

/** Value of every signal, in their order; rounded to what training sees. */
export function feedbackValues(query: FeedbackQuery, file: FeedbackView): Float32Array {
  return valuesOf(TABLE, query, file)
}
