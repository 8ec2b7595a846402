/** REFINE: words of the code found so far that are near the task, rare in the repository, and not yet asked for. */
import { STOP_WORDS } from '../text/stop-words.js'
import { identifiersIn, joinedForm, partsOf, stem } from '../text/words.js'
import { isRare } from './rarity.js'
import type { Nearness } from './nearness.js'
import type { Vocabulary } from './vocabulary.js'

// Cosine of a single word with the task from which it says something about it: of function names of other code one in
// twenty reaches it (docs/decisions/0006-static-embedding.md).
const NEAR_WORD = 0.27
// Words discovered in one cycle; more drown the ones that matter.
const MAX_DISCOVERED = 8
// Shorter words mean too many things.
const MIN_LETTERS = 3

export interface DiscoveredWord {
  readonly word: string
  /** As the keyword index holds it (stemmed). */
  readonly term: string
  /** Cosine with the task. */
  readonly nearness: number
}

/** Nearest first, ties by word; at most MAX_DISCOVERED. `known`: terms that are asked for already. */
export function discoveredWords(
  texts: readonly string[],
  options: {
    readonly known: ReadonlySet<string>
    readonly nearness: Nearness
    readonly vocabulary: Vocabulary
  },
): readonly DiscoveredWord[] {
  const near = new Map<string, DiscoveredWord>()
  for (const word of wordsOf(texts)) {
    const term = stem(word)
    if (options.known.has(term)) continue
    const nearness = options.nearness(word)
    if (nearness < NEAR_WORD) continue
    const other = near.get(term)
    if (other === undefined || comesBefore({ word, nearness }, other))
      near.set(term, { word, term, nearness })
  }
  return [...near.values()]
    .filter(({ term }) => options.vocabulary.frequency(term) > 0 && isRare(term, options.vocabulary))
    .sort((a, b) => (comesBefore(a, b) ? -1 : 1)) // words are unique
    .slice(0, MAX_DISCOVERED)
}

function comesBefore(
  a: Pick<DiscoveredWord, 'word' | 'nearness'>,
  b: Pick<DiscoveredWord, 'word' | 'nearness'>,
): boolean {
  return a.nearness === b.nearness ? a.word < b.word : a.nearness > b.nearness
}

/** Parts of the identifiers, and identifiers of several parts as one word. */
function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const identifier of new Set(texts.flatMap(identifiersIn))) {
    const parts = partsOf(identifier)
    const all = parts.length > 1 ? [...parts, joinedForm(identifier)] : parts
    for (const word of all) if (word.length >= MIN_LETTERS && !STOP_WORDS.has(word)) words.add(word)
  }
  return words
}
