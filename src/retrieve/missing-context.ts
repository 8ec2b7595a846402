/**
 * What the files of an answer use but do not define: symbols defined elsewhere in the repository,
 * and words of the task that no sure file contains.
 */
import { TASK_WORDS } from '../text/stop-words.js'
import { identifiersIn } from '../text/words.js'
import type { FileId, MissingContext } from '../types.js'
import { definers, MIN_NAME_LETTERS, type UsingFile } from './definers.js'
import type { QueryTerm } from './dispatch.js'
import type { Nearness } from './nearness.js'
import { isRare, isRareName } from './rarity.js'
import type { Vocabulary } from './vocabulary.js'

// Cosine of a name with the task from which it counts as near: nine in ten names of unrelated code lie below
// (docs/decisions/0006-static-embedding.md).
const NEAR = 0.22
// More are a list to skim, not a hint.
const MAX_SYMBOLS_PER_FILE = 5
export interface MissingSymbol {
  readonly name: string
  readonly definedIn: FileId
  readonly path: string
  /** Nearness of the name to the task, 0..1. */
  readonly nearness: number
}

export interface SymbolOptions {
  readonly nearness: Nearness
  readonly vocabulary: Vocabulary
}

/**
 * Symbols that the text uses and exactly one other file defines: the only one there is, or the only one that the file
 * imports. Near the task and rare in the repository; nearest first, ties by name.
 */
export function missingSymbols(using: UsingFile, options: SymbolOptions): readonly MissingSymbol[] {
  const { vocabulary, nearness } = options
  const { index } = vocabulary
  const near = [...new Set(identifiersIn(using.text))]
    .filter((name) => name.length >= MIN_NAME_LETTERS && nearness(name) >= NEAR)
    .map((name) => ({ name, nearness: nearness(name) }))
    .sort((a, b) => b.nearness - a.nearness || (a.name < b.name ? -1 : 1))
  const definerOf = definers(index, using)
  const missing: MissingSymbol[] = []
  for (const symbol of near) {
    if (missing.length === MAX_SYMBOLS_PER_FILE) break
    if (!isRareName(symbol.name, vocabulary)) continue
    const definedIn = definerOf(symbol.name)
    if (definedIn !== undefined) missing.push({ ...symbol, definedIn, path: index.pathOf(definedIn) })
  }
  return missing
}

/** Words of the task that none of the sure files contains. Critical when the index holds the word and it is rare. */
export function missingWords(
  terms: readonly QueryTerm[],
  unknown: readonly string[],
  options: {
    readonly covered: ReadonlySet<string>
    readonly bridged: ReadonlySet<string>
    readonly vocabulary: Vocabulary
  },
): readonly MissingContext[] {
  const held = terms
    .filter(({ origin, term }) => origin === 'task' && !options.covered.has(term))
    .map(({ word, term }): MissingContext => {
      return {
        kind: 'word',
        name: word,
        critical: !TASK_WORDS.has(word) && isRare(term, options.vocabulary),
      }
    })
  const absent = unknown
    .filter((word) => !options.bridged.has(word) && !TASK_WORDS.has(word))
    .map((word): MissingContext => ({ kind: 'word', name: word, critical: false }))
  return [...held, ...absent]
}
