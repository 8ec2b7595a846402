/**
 * DISPATCH: from a task to the terms of a cycle's keyword query, each with a weight and where it comes from.
 */
import type { Bridge } from '../types.js'
import { TASK_WORDS } from '../text/stop-words.js'
import { partsOf, stem } from '../text/words.js'
import { bridge } from './bridge.js'
import { inferPatterns } from './patterns.js'
import type { ParsedTask } from './task.js'
import { locatedIn } from './task-facts.js'
import type { Vocabulary } from './vocabulary.js'

export interface QueryTerm {
  /** As the keyword index holds it (stemmed). */
  readonly term: string
  /** The word of the task or of the code that it stands for. */
  readonly word: string
  /** Multiplies its BM25; 1 for a word of the task. */
  readonly weight: number
  readonly origin: 'task' | 'joined' | 'bridge' | 'code' | 'discovered'
}

export interface Dispatched {
  readonly terms: readonly QueryTerm[]
  /** Terms for the subjects of past commits, which may hold words that no file does. */
  readonly pastTerms: readonly QueryTerm[]
  /** Words of the task that the index does not hold. */
  readonly unknown: readonly string[]
  readonly bridged: readonly Bridge[]
  /** Globs of files, folders and extensions that the task names and the index holds. They limit nothing. */
  readonly patterns: readonly string[]
}

// The rarest words of a long task decide; one bit each in the coverage masks (scoring.ts).
export const MAX_TERMS = 31
// A joined form says the same as its parts, only more surely: half of the weight avoids counting it twice.
const JOINED_WEIGHT = 0.5
// Code that a task shows, or a trace passes through, is where the matter was met, not what it is about.
const CODE_WEIGHT = 0.5
// Frames whose names are looked for: further out the same entry points call everything.
const MAX_FRAMES = 5
// A bridge is a guess: even a sure one counts less than the user's own word.
const BRIDGE_WEIGHT = 0.6
// A word of a pair that was bridged as one, and that stands nowhere near the rest of the task, is another word of the
// same letters ("rate" in the bills).
const PAIRED_WEIGHT = 0.5

/** `isBridging`: whether words the index does not hold are taken for near ones that it does. */
export function dispatch(
  task: ParsedTask,
  vocabulary: Vocabulary,
  { isBridging = true }: { readonly isBridging?: boolean } = {},
): Dispatched {
  const all = task.words.map((word) => ownTerm(word, task))
  const unknown = all.filter(({ term }) => vocabulary.frequency(term) === 0).map(({ word }) => word)
  const joined = task.joined.map((form): QueryTerm => ({
    term: stem(form),
    word: form,
    weight: JOINED_WEIGHT,
    origin: 'joined',
  }))
  const bridged = isBridging ? bridge(unknown, task.pairs, vocabulary) : []
  const inPairs = new Set(bridged.filter(isPair).flatMap(({ word }) => word.split(' ')))
  const others = all.filter(({ word }) => !inPairs.has(word) && !TASK_WORDS.has(word))
  const own = all.map((term) =>
    inPairs.has(term.word) && isApart(term, others, vocabulary)
      ? { ...term, weight: term.weight * PAIRED_WEIGHT }
      : term,
  )
  const bridges = bridged.flatMap(bridgeTerms)
  const terms = keepRarest([...own, ...joined, ...bridges, ...frameTerms(task, vocabulary)], vocabulary)
  const onlySaid = own.filter(({ term }) => vocabulary.frequency(term) === 0).slice(0, MAX_TERMS)
  const patterns = inferPatterns(task, vocabulary.index)
  return { terms, pastTerms: [...terms, ...onlySaid], unknown, bridged, patterns }
}

function ownTerm(word: string, { codeWords }: ParsedTask): QueryTerm {
  return codeWords.has(word) ? codeTerm(word) : { term: stem(word), word, weight: 1, origin: 'task' }
}

/** Whether no chunk holds the term together with another of the task, where the index holds another. */
function isApart({ term }: QueryTerm, others: readonly QueryTerm[], { index }: Vocabulary): boolean {
  const own = index.postings('chunks', term)
  const chunks = new Set(own.ids.subarray(0, own.length))
  const lists = others.map((other) => index.postings('chunks', other.term)).filter(({ length }) => length > 0)
  return (
    lists.length > 0 && !lists.some(({ ids, length }) => ids.subarray(0, length).some((id) => chunks.has(id)))
  )
}

function isPair({ word }: Bridge): boolean {
  return word.includes(' ')
}

function bridgeTerms(bridge: Bridge): readonly QueryTerm[] {
  return bridge.to.map((word, i) => ({
    term: stem(word),
    word,
    // The nearest target of a pair stands for the whole of it, further ones for less.
    weight: isPair(bridge) ? 1 / (i + 1) : BRIDGE_WEIGHT * bridge.similarity,
    origin: 'bridge',
  }))
}

function codeTerm(word: string): QueryTerm {
  return { term: stem(word), word, weight: CODE_WEIGHT, origin: 'code' }
}

/** Words of the functions that a stack trace passes through in this repository. */
function frameTerms({ frames }: ParsedTask, { index }: Vocabulary): readonly QueryTerm[] {
  return locatedIn(index, frames)
    .slice(0, MAX_FRAMES)
    .flatMap(({ symbol }) => partsOf(symbol))
    .map(codeTerm)
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
