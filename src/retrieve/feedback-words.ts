/** The words that tell confirmed files from others, as a keyword query of their own (RM3's idea, with plain BM25). */
import { addBm25 } from '../rank/bm25.js'
import { aggregate, NO_SCORE, type FileScore } from '../rank/aggregate.js'
import { STOP_WORDS } from '../text/stop-words.js'
import { identifiersIn, termsOf } from '../text/words.js'
import type { FileId } from '../types.js'
import type { Engine } from './engine.js'

// Terms asked for; more bring in the words of everything.
const MAX_TERMS = 25
// Terms of a text whose rarity is looked up: the most frequent ones.
const MAX_LOOKED_UP = 60
const MIN_LETTERS = 3
// How soon repetition says no more, as K1 in BM25.
const SATURATION = 1.2

/** BM25 sums by file for the most telling terms of the texts. */
export function tellingScores(engine: Engine, texts: readonly string[]): (file: FileId) => FileScore {
  const { index, means } = engine
  const { fileOf, firstChunk, chunkCount } = index.documents
  const terms = tellingTerms(engine, texts)
  if (terms.length === 0) return () => NO_SCORE
  const scores = new Float64Array(fileOf.length)
  for (const { term, weight } of terms)
    addBm25(scores, index.postings('chunks', term), { field: 0, weight, lengths: means.chunk[0] })
  return (file) => aggregate(scores, firstChunk[file]!, chunkCount[file]!)
}

export interface TellingTerm {
  readonly term: string
  /** Share of the most telling term's weight times its idf. */
  readonly weight: number
}

/** Most telling first, ties by term. */
export function tellingTerms({ vocabulary }: Engine, texts: readonly string[]): readonly TellingTerm[] {
  const weights = new Map<string, number>()
  for (const text of texts) {
    for (const [term, count] of frequent(text)) {
      if (vocabulary.frequency(term) === 0) continue
      const weight = (count / (count + SATURATION)) * vocabulary.idf(term)
      weights.set(term, (weights.get(term) ?? 0) + weight)
    }
  }
  const sorted = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_TERMS)
  const most = sorted[0]?.[1] ?? 0
  return sorted.map(([term, weight]) => ({ term, weight: (weight / most) * vocabulary.idf(term) }))
}

function frequent(text: string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const identifier of identifiersIn(text)) {
    if (STOP_WORDS.has(identifier.toLowerCase())) continue
    for (const term of termsOf(identifier))
      if (term.length >= MIN_LETTERS) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_LOOKED_UP)
}
