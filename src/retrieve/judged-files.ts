/** What judgements make of the files found: a view of them, which leaves what the loop itself found as it is. */
import { BAND_FROM } from '../rank/bands.js'
import { adjusted, type AdjustedRating } from '../rank/custom-signals.js'
import { rateByFeedback, type FeedbackModel } from '../rank/feedback.js'
import type { FeedbackView } from '../rank/feedback-signals.js'
import { CERTAIN } from '../rank/tree-rating.js'
import type { FileId } from '../types.js'
import type { Engine } from './engine.js'
import { gatherFeedback, type FeedbackInput } from './feedback.js'
import { ADDED_FROM, type FoundFile, type FoundFiles } from './found-file.js'
import type { Judged } from './judgements.js'

/** A file that was not judged, rated by those that were. */
export interface JudgedRating extends AdjustedRating {
  readonly view: FeedbackView
  /** The cycle in which it was first rated 0.5 or more by feedback; undefined while it was not. */
  readonly addedIn: number | undefined
}

export type JudgedRatings = ReadonlyMap<FileId, JudgedRating>

export const NOTHING_RATED: JudgedRatings = new Map()

/** Confirmed files are certain, rejected ones are gone, the others are what feedback says of them. */
export function judgedFiles(files: FoundFiles, judged: Judged, ratings: JudgedRatings): FoundFiles {
  if (judged.size === 0) return files
  const seen = new Map<string, FoundFile>()
  for (const [path, found] of files) {
    const verdict = judged.get(found.rated.id)
    if (verdict === false) continue
    seen.set(path, verdict === true ? confirmed(found) : rerated(found, ratings.get(found.rated.id)))
  }
  return seen
}

function confirmed(found: FoundFile): FoundFile {
  const { rated } = found
  const calibrated = { ...rated.calibrated, relevance: CERTAIN }
  return { ...found, rated: { ...rated, relevance: CERTAIN, calibrated }, verdict: { kind: 'confirmed' } }
}

/** A High file keeps its relevance: it is only judged itself that takes it. */
function rerated(found: FoundFile, rating: JudgedRating | undefined): FoundFile {
  if (rating === undefined) return found
  const { rated } = found
  if (rated.relevance >= BAND_FROM.high && rating.relevance < rated.relevance) return found
  const cycle = rated.relevance >= ADDED_FROM ? found.cycle : (rating.addedIn ?? found.cycle)
  const calibrated = { ...rating.calibrated, evidence: rated.calibrated.evidence }
  return {
    ...found,
    cycle,
    rated: { ...rated, relevance: rating.relevance, calibrated },
    verdict: { kind: 'rated', view: rating.view, evidence: rating.evidence },
  }
}

/** Rates what was not judged; `before` are the ratings of the cycle before. */
export function rateJudged(
  engine: Engine,
  model: FeedbackModel,
  input: FeedbackInput & { readonly before: JudgedRatings; readonly cycle: number },
): JudgedRatings {
  const { query, candidates } = gatherFeedback(engine, input)
  const views = candidates.map(({ view }) => view)
  const ratings = rateByFeedback(model, query, views)
  return new Map(
    candidates.map(({ rated, view }, c) => {
      const rating = adjusted(ratings[c]!, rated.added) // one for each
      const isIn = rating.relevance >= ADDED_FROM
      const addedIn = isIn ? (input.before.get(rated.id)?.addedIn ?? input.cycle) : undefined
      return [rated.id, { ...rating, view, addedIn }]
    }),
  )
}
