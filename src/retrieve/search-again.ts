/** The search of a later cycle: files that the words discovered and the moved vector bring in, and no cycle has seen. */
import type { FileId } from '../types.js'
import { candidates } from './candidates.js'
import type { DiscoveredWord } from './discover.js'
import { keepRarest, type Dispatched, type QueryTerm } from './dispatch.js'
import type { Engine } from './engine.js'
import { score, scoreFurther, type Scores } from './scoring.js'
import { NEAREST_CHUNKS } from './search.js'
import { NO_FACTS } from './task-facts.js'

// A discovered word is a guess: less than the user's own word even when it is very near.
const DISCOVERED_WEIGHT = 0.6

// Best of each score among the files not seen: the first cycle saw a hundred of each, so what is left is far.
const MOST = 20

export function searchAgain(
  engine: Engine,
  query: {
    readonly dispatched: Dispatched
    /** Scores of the first cycle, for `dispatched`. */
    readonly first: Scores
    readonly discovered: readonly DiscoveredWord[]
    /** Unit vector. */
    readonly vector: Float32Array
    /** Files not seen yet that the answer may hold. */
    readonly accepts: (file: FileId) => boolean
  },
): readonly FileId[] {
  const { index, means, vocabulary } = engine
  const { dispatched, first, discovered, vector, accepts } = query
  const found = discovered.map(({ word, term, nearness }): QueryTerm => {
    return { term, word, weight: DISCOVERED_WEIGHT * nearness, origin: 'discovered' }
  })
  const terms = keepRarest([...dispatched.terms, ...found], vocabulary)
  const options = { queryVector: vector, means, accepts, nearestChunks: NEAREST_CHUNKS }
  const before = dispatched.terms.length
  const scores = dispatched.terms.every((term, t) => term === terms[t])
    ? scoreFurther(index, first, terms.slice(before), options)
    : score(index, { terms, pastTerms: [] }, options) // so many words that some of the first gave way
  return candidates(index, scores, {
    facts: NO_FACTS,
    accepts,
    factsOf: engine.factsOf,
    most: MOST,
  })
}
