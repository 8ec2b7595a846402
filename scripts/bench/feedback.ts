/**
 * Judged feedback: five files are shown and judged; how well are the remaining right ones found among the rest?
 * Only tasks count where at least one shown file is right and at least one right file is still to be found.
 */
import { gains, recallAt, reciprocalRank } from './metrics.js'

/** Files shown to the judge. */
export const SHOWN = 5

export interface FeedbackScore {
  readonly recall5: number
  readonly recall10: number
  readonly mrr: number
}

/** undefined when the task does not count. `rest`: files not shown, best first. */
export function feedbackScore(
  shown: readonly string[],
  rest: readonly string[],
  labels: readonly string[],
): FeedbackScore | undefined {
  const gained = gains([...shown, ...rest], labels)
  const met = gained.slice(0, shown.length).filter((gain) => gain === 1).length
  const remaining = labels.length - met
  if (met === 0 || remaining === 0) return undefined
  const later = gained.slice(shown.length)
  return {
    recall5: recallAt(later, remaining, 5),
    recall10: recallAt(later, remaining, 10),
    mrr: reciprocalRank(later),
  }
}
