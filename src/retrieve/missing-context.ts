/**
 * What the files of an answer use but do not define: symbols defined elsewhere in the repository,
 * and words of the task that no sure file contains.
 */
import { identifiersIn, partsOf, stem } from '../text/words.js'
import type { IndexReader } from '../store/index-reader.js'
import type { StoredSymbol } from '../store/records.js'
import type { FileId, MissingContext } from '../types.js'
import type { QueryTerm } from './dispatch.js'
import type { Vocabulary } from './vocabulary.js'

// A name mentioned in more chunks than this share of the repository is plumbing, not missing context ...
const RARE_SHARE = 0.03
// ... but in a small repository a few mentions are always allowed.
const RARE_LEAST = 12
// Shorter names collide by accident.
export const MIN_NAME_LETTERS = 4
// More are a list to skim, not a hint.
const MAX_SYMBOLS_PER_FILE = 5

export const DEFINING_KINDS: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'module',
  'constant',
  'macro',
])

export interface MissingSymbol {
  readonly name: string
  readonly definedIn: FileId
  readonly path: string
  /** Nearness of the name to the task, 0..1. */
  readonly nearness: number
}

/** A name used in a file, and the one other file that defines it. */
export interface UsedSymbol {
  readonly name: string
  readonly definedIn: FileId
}

/** Names in `text` (lines of `file`) that exactly one file of the repository defines, and it is another. */
export function usedSymbols(index: IndexReader, file: FileId, text: string): readonly UsedSymbol[] {
  return [...new Set(identifiersIn(text))]
    .filter((name) => name.length >= MIN_NAME_LETTERS)
    .flatMap((name) => {
      const definedIn = soleDefiner(index.symbolsNamed(name))
      return definedIn === undefined || definedIn === file ? [] : [{ name, definedIn }]
    })
}

/** Those of the symbols that are near the task and rare in the repository; nearest first, ties by name. */
export function missingSymbols(
  index: IndexReader,
  used: readonly UsedSymbol[],
  options: {
    readonly vocabulary: Vocabulary
    /** Nearness of a name to the task, 0..1; 0 means unrelated. */
    readonly nearness: (name: string) => number
  },
): readonly MissingSymbol[] {
  return used
    .map((symbol) => ({ ...symbol, nearness: options.nearness(symbol.name) }))
    .filter(({ name, nearness }) => nearness > 0 && isRare(name, options.vocabulary, index))
    .sort((a, b) => b.nearness - a.nearness || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SYMBOLS_PER_FILE)
    .map((symbol) => ({ ...symbol, path: index.pathOf(symbol.definedIn) }))
}

function isRare(name: string, vocabulary: Vocabulary, index: IndexReader): boolean {
  const parts = partsOf(name)
  const whole = stem(parts.length > 1 ? parts.join('') : (parts[0] ?? ''))
  return vocabulary.frequency(whole) <= Math.max(RARE_LEAST, index.liveChunks * RARE_SHARE)
}

/** The only file that defines the name, or undefined when none or several do. */
export function soleDefiner(symbols: readonly StoredSymbol[]): FileId | undefined {
  const files = new Set(symbols.filter(({ kind }) => DEFINING_KINDS.has(kind)).map(({ file }) => file))
  return files.size === 1 ? [...files][0] : undefined
}

/** Words of the task that none of the sure files contains. Critical when the index holds the word and it is rare. */
export function missingWords(
  terms: readonly QueryTerm[],
  unknown: readonly string[],
  options: {
    readonly covered: ReadonlySet<string>
    readonly bridged: ReadonlySet<string>
    readonly vocabulary: Vocabulary
    readonly index: IndexReader
  },
): readonly MissingContext[] {
  const limit = Math.max(RARE_LEAST, options.index.liveChunks * RARE_SHARE)
  const held = terms
    .filter(({ origin, term }) => origin === 'task' && !options.covered.has(term))
    .map(({ word, term }): MissingContext => {
      return { kind: 'word', name: word, critical: options.vocabulary.frequency(term) <= limit }
    })
  const absent = unknown
    .filter((word) => !options.bridged.has(word))
    .map((word): MissingContext => ({ kind: 'word', name: word, critical: false }))
  return [...held, ...absent]
}
