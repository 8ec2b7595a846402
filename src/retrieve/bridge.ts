/**
 * Bridging: from words of a task that the index does not hold to the nearest words that it does, by their vectors.
 * Two words that belong together ("rate limiting") are bridged as one, to what is near both of them ("throttle").
 */
import type { StaticTable } from '../embed/static-table.js'
import { TASK_WORDS } from '../text/stop-words.js'
import { joinedForm, stem } from '../text/words.js'
import type { Bridge } from '../types.js'
import type { Vocabulary } from './vocabulary.js'

// Cosine from which two words count as alike: of random pairs of the table one in a hundred reaches it
// (docs/decisions/0006-static-embedding.md) ...
const NEAR = 0.45
// ... and the three cosines of a pair's words and what they are bridged to. Words further apart than that are
// neighbours by accident ("ruff formatter"): of their bridges a quarter were right, of the others three quarters.
const NEAR_BOTH = 0.3
// A target is among so many nearest of all words of the table: further down, a third are no synonyms
// (docs/decisions/0008-bridging.md).
const NEAREST = 20
// More targets than this bring noise faster than finds.
const MAX_TARGETS = 3
// Shorter words are too ambiguous to bridge.
const MIN_LETTERS = 3
// A word that the table weighs less (before, using, already) says too little to look for something like it.
const MIN_FACTOR = 0.0012
// Pairs looked at; a task of hundreds of words has many, and the first ones say what it is about.
const MAX_PAIRS = 8

/** Two neighbouring words of a task. */
export type WordPair = readonly [string, string]

/** For each word, and pair of words, what is nearest in the index, where anything is near. */
export function bridge(
  words: readonly string[],
  pairs: readonly WordPair[],
  vocabulary: Vocabulary,
): readonly Bridge[] {
  const { table } = vocabulary
  const isKnown = (word: string): boolean => vocabulary.frequency(stem(word)) > 0
  const unknown = words.filter((word) => !isKnown(word) && canBridge(table, word))
  const phrases = bridgedPairs(
    pairs.filter((pair) => isOpen(pair, isKnown, table)),
    { table, isKnown },
  )
  const taken = new Set(phrases.flatMap(({ word }) => word.split(' ')))
  const singles = unknown
    .filter((word) => !taken.has(word))
    .flatMap((word) => {
      const similarities = table.similarities(table.rowOf(word)!) // canBridge looked
      const near = nearest(table, [word], { score: (row) => similarities[row]!, least: NEAR, isKnown })
      return toBridge(word, near)
    })
  return [...phrases, ...singles]
}

/** A pair that the index says nothing about as a pair: a word of it is unknown, and so is the two as one word. */
function isOpen(pair: WordPair, isKnown: (word: string) => boolean, table: StaticTable): boolean {
  return (
    pair.every((word) => canBridge(table, word)) &&
    !pair.every(isKnown) &&
    !isKnown(pair.map(joinedForm).join(''))
  )
}

function canBridge(table: StaticTable, word: string): boolean {
  const row = table.rowOf(word)
  return (
    row !== undefined &&
    word.length >= MIN_LETTERS &&
    table.factor[row]! >= MIN_FACTOR &&
    !TASK_WORDS.has(word)
  )
}

/** The pairs that have a bridge, nearest first; a word is in one of them only. */
function bridgedPairs(
  pairs: readonly WordPair[],
  { table, isKnown }: { readonly table: StaticTable; readonly isKnown: (word: string) => boolean },
): readonly Bridge[] {
  const found = pairs.slice(0, MAX_PAIRS).flatMap((pair) => {
    const [one, two] = pair.map((word) => table.rowOf(word)!) as [number, number] // canBridge looked
    const [toOne, toTwo] = [table.similarities(one), table.similarities(two)]
    if (toOne[two]! < NEAR_BOTH) return []
    const score = (row: number): number => Math.min(toOne[row]!, toTwo[row]!)
    return toBridge(pair.join(' '), nearest(table, pair, { score, least: NEAR_BOTH, isKnown }))
  })
  const taken = new Set<string>()
  return [...found]
    .sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
    .filter(({ word }) => {
      const own = word.split(' ')
      if (own.some((part) => taken.has(part))) return false
      for (const part of own) taken.add(part)
      return true
    })
}

interface NearWord {
  readonly word: string
  readonly similarity: number
}

function toBridge(word: string, near: readonly NearWord[]): readonly Bridge[] {
  const [first] = near
  if (first === undefined) return []
  return [{ word, to: near.map((target) => target.word), similarity: round(first.similarity) }]
}

function round(similarity: number): number {
  return Math.round(similarity * 100) / 100
}

/** Of the words nearest by `score` those that the index holds, best first; one of each stem. */
function nearest(
  table: StaticTable,
  of: readonly string[],
  options: {
    readonly score: (row: number) => number
    readonly least: number
    readonly isKnown: (word: string) => boolean
  },
): readonly NearWord[] {
  const near: NearWord[] = []
  for (let row = 0; row < table.size; row++) {
    const similarity = options.score(row)
    if (similarity >= options.least) near.push({ word: table.word(row), similarity })
  }
  const stems = new Set(of.map(stem))
  return near
    .filter(({ word }) => !of.includes(word))
    .sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
    .slice(0, NEAREST)
    .filter(({ word }) => {
      if (word.length < MIN_LETTERS || stems.has(stem(word)) || !options.isKnown(word)) return false
      stems.add(stem(word))
      return true
    })
    .slice(0, MAX_TARGETS)
}
