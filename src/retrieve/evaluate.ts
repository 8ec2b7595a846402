/**
 * EVALUATE: candidates from the scores, signals for each, a relevance and its reasons.
 */
import { adjusted, type AdjustedRating } from '../rank/custom-signals.js'
import type { PathFacts } from '../rank/path-facts.js'
import { rate, type RelevanceModel } from '../rank/relevance.js'
import { comparedScores, neighbourhoodsOf, type FileView, type QueryView } from '../rank/signals.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import { candidates } from './candidates.js'
import { addNothing, type Adding } from './custom-signals.js'
import type { QueryTerm } from './dispatch.js'
import { fileView, type Candidate } from './file-view.js'
import type { FirstScores } from './scoring.js'
import type { TaskFacts } from './task-facts.js'

export interface RatedFile extends AdjustedRating {
  readonly id: FileId
  readonly path: string
  readonly view: FileView
  /** Terms of the query found in the file, in query order. */
  readonly matched: readonly QueryTerm[]
}

export interface EvaluateOptions {
  readonly terms: readonly QueryTerm[]
  readonly facts: TaskFacts
  readonly model: RelevanceModel
  /** What the caller's own signals add. Default: nothing. */
  readonly adding?: Adding
  readonly accepts: (file: FileId) => boolean
  readonly factsOf: (file: FileId) => PathFacts
}

export interface Evaluation {
  /** Best first, ties by path. */
  readonly rated: readonly RatedFile[]
  /** What values are relative to; later cycles rate on the same scale. */
  readonly query: QueryView
}

/** Finds the candidates and rates them. */
export function evaluate(index: IndexReader, scores: FirstScores, options: EvaluateOptions): Evaluation {
  const { facts, accepts, factsOf } = options
  const pool = candidates(index, scores, { facts, accepts, factsOf })
  const views = pool.map((id) => fileView(index, scores, { id, facts, factsOf }))
  const query = queryView(
    index,
    scores,
    views.map(({ view }) => view),
  )
  return { rated: rateAll(views, query, options), query }
}

/** Rates given files with new facts about them, on the scale of an earlier evaluation. */
export function rateAgain(
  index: IndexReader,
  scores: FirstScores,
  options: EvaluateOptions & Omit<Evaluation, 'rated'> & { readonly files: readonly FileId[] },
): readonly RatedFile[] {
  const { facts, factsOf } = options
  const views = options.files
    .filter((id) => options.accepts(id))
    .map((id) => fileView(index, scores, { id, facts, factsOf }))
  return rateAll(views, options.query, options)
}

function rateAll(
  candidates: readonly Candidate[],
  query: QueryView,
  { terms, model, adding = addNothing }: EvaluateOptions,
): readonly RatedFile[] {
  const ratings = rate(
    model,
    query,
    candidates.map(({ view }) => view),
  )
  return candidates
    .map((candidate, c): RatedFile => {
      const { id, view, mask } = candidate
      const matched = terms.filter((_, t) => (mask & (1 << t)) !== 0)
      return { id, path: view.path, view, matched, ...adjusted(ratings[c]!, adding(candidate)) } // one for each
    })
    .sort((a, b) => b.relevance - a.relevance || (a.path < b.path ? -1 : 1))
}

function queryView(index: IndexReader, scores: FirstScores, views: readonly FileView[]): QueryView {
  const candidates = comparedScores(views)
  return {
    totalIdf: scores.totalIdf,
    knownTerms: scores.termIdf.length,
    pastIdf: scores.past.totalIdf,
    hasPast: scores.past.isKnown,
    files: index.liveFiles,
    candidates,
    neighbourhoods: neighbourhoodsOf(views, candidates),
  }
}
