/** From what judgements say of a file that was not judged to its relevance: trees of their own (feedback-signals.ts). */
import {
  FEEDBACK_SIGNALS,
  FEEDBACK_VERSION,
  type FeedbackQuery,
  type FeedbackView,
} from './feedback-signals.js'
import { checkSignals, rateRows, type Rating } from './tree-rating.js'
import type { Trees } from './trees.js'

export interface FeedbackModel {
  readonly feedback: Trees
}

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function feedbackModel(trees: Trees, path: string): FeedbackModel {
  const names = FEEDBACK_SIGNALS.map(({ name }) => name)
  checkSignals(trees, { version: FEEDBACK_VERSION, names }, path)
  return { feedback: trees }
}

/** Rates files that were not judged, each by itself. */
export function rateByFeedback(
  { feedback }: FeedbackModel,
  query: FeedbackQuery,
  files: readonly FeedbackView[],
): readonly Rating[] {
  const rows = new Float32Array(files.length * FEEDBACK_SIGNALS.length)
  files.forEach((file, f) => {
    rows.set(feedbackValues(query, file), f * FEEDBACK_SIGNALS.length)
  })
  return rateRows(feedback, rows)
}

/** Value of every signal, in their order; rounded to what training sees. */
export function feedbackValues(query: FeedbackQuery, file: FeedbackView): Float32Array {
  return Float32Array.from(FEEDBACK_SIGNALS, ({ value }) => value(query, file))
}
