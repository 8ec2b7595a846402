/** The search of a first cycle: scores of everything, then candidates with what is known of each, rated. */
import type { FileId } from '../types.js'
import type { Adding } from './custom-signals.js'
import type { Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import { evaluate, type Evaluation } from './evaluate.js'
import { score, type FirstScores, type TaskVectors } from './scoring.js'
import type { TaskFacts } from './task-facts.js'

// Chunks the vector search brings in; about four to a pooled file.
export const NEAREST_CHUNKS = 240

/** What the first cycle found and later ones build on. */
export interface Search extends Evaluation {
  readonly scores: FirstScores
}

export function search(
  engine: Engine,
  query: TaskVectors & {
    readonly dispatched: Dispatched
    readonly facts: TaskFacts
    readonly accepts: (file: FileId) => boolean
    /** What the caller's own signals add. Default: nothing. */
    readonly adding?: Adding
  },
): Search {
  const { index, means, model, factsOf } = engine
  const { dispatched, vector, titleVector, ...rating } = query
  const scores: FirstScores = {
    ...score(index, dispatched, {
      queryVector: vector,
      means,
      accepts: rating.accepts,
      nearestChunks: NEAREST_CHUNKS,
    }),
    titleSimilarity: index.titles.similarityTo(titleVector),
  }
  return { scores, ...evaluate(index, scores, { terms: dispatched.terms, model, factsOf, ...rating }) }
}
