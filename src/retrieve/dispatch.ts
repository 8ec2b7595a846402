/**
 * DISPATCH: from a task to the terms of a cycle's keyword query, each with a weight and where it comes from.
 */
import type { Bridge } from '../types.js'
import { stem } from '../text/words.js'
import type { ParsedTask } from './task.js'
import type { Vocabulary } from './vocabulary.js'

export interface QueryTerm {
  /** As the keyword index holds it (stemmed). */
  readonly term: string
  /** The word of the task or of the code that it stands for. */
  readonly word: string
  /** Multiplies its BM25; 1 for a word of the task. */
  readonly weight: number
  readonly origin: 'task' | 'joined' | 'bridge' | 'discovered'
}

export interface Dispatched {
  readonly terms: readonly QueryTerm[]
  /** Terms for the subjects of past commits, which may hold words that no file does. */
  readonly pastTerms: readonly QueryTerm[]
  /** Words of the task that the index does not hold. */
  readonly unknown: readonly string[]
  readonly bridged: readonly Bridge[]
}

// The rarest words of a long task decide; one bit each in the coverage masks (scoring.ts).
export const MAX_TERMS = 31
// A joined form says the same as its parts, only more surely: half of the weight avoids counting it twice.
const JOINED_WEIGHT = 0.5
// A bridge is a guess: even a sure one counts less than the user's own word.
const BRIDGE_WEIGHT = 0.6

export function dispatch(task: ParsedTask, vocabulary: Vocabulary): Dispatched {
  const own = task.words.map((word): QueryTerm => ({ term: stem(word), word, weight: 1, origin: 'task' }))
  const unknown = own.filter(({ term }) => vocabulary.frequency(term) === 0).map(({ word }) => word)
  const joined = task.joined.map((form): QueryTerm => ({
    term: stem(form),
    word: form,
    weight: JOINED_WEIGHT,
    origin: 'joined',
  }))
  const bridged = vocabulary.bridge(unknown)
  const bridges = bridged.flatMap(({ to, similarity }) =>
    to.map((word): QueryTerm => ({
      term: stem(word),
      word,
      weight: BRIDGE_WEIGHT * similarity,
      origin: 'bridge',
    })),
  )
  const terms = keepRarest([...own, ...joined, ...bridges], vocabulary)
  const onlySaid = own.filter(({ term }) => vocabulary.frequency(term) === 0).slice(0, MAX_TERMS)
  return { terms, pastTerms: [...terms, ...onlySaid], unknown, bridged }
}

/** Terms the index holds, once each (the heaviest), at most MAX_TERMS: the rarest, in the order given. */
export function keepRarest(terms: readonly QueryTerm[], vocabulary: Vocabulary): readonly QueryTerm[] {
  const heaviest = new Map<string, QueryTerm>()
  for (const term of terms) {
    if (vocabulary.frequency(term.term) === 0) continue
    const known = heaviest.get(term.term)
    if (known === undefined || known.weight < term.weight) heaviest.set(term.term, term)
  }
  const all = [...heaviest.values()]
  if (all.length <= MAX_TERMS) return all
  const byRarity = [...all].sort(
    (a, b) =>
      b.weight * vocabulary.idf(b.term) - a.weight * vocabulary.idf(a.term) || (a.term < b.term ? -1 : 1),
  )
  const kept = new Set(byRarity.slice(0, MAX_TERMS))
  return all.filter((term) => kept.has(term))
}
