/**
 * What the files of an answer use but do not define: symbols defined elsewhere in the repository,
 * and words of the task that no sure file contains.
 */
import { TASK_WORDS } from '../text/stop-words.js'
import { identifiersIn } from '../text/words.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId, MissingContext } from '../types.js'
import type { QueryTerm } from './dispatch.js'
import { importLines, mentions } from './imports.js'
import type { Nearness } from './nearness.js'
import { isRare, isRareName } from './rarity.js'
import type { Vocabulary } from './vocabulary.js'

// Cosine of a name with the task from which it counts as near: nine in ten names of unrelated code lie below
// (docs/decisions/0006-static-embedding.md).
const NEAR = 0.22
// Shorter names collide by accident.
const MIN_NAME_LETTERS = 4
// More are a list to skim, not a hint.
const MAX_SYMBOLS_PER_FILE = 5
// A name that more files define is looked up in none, whatever is imported.
const MAX_DEFINERS = 8

/** Kinds of symbols that other files use by name. */
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

/** The lines of a file in which symbols are looked for. */
export interface UsingFile {
  readonly file: FileId
  /** Its matched ranges. */
  readonly text: string
  /** All its lines. */
  readonly lines: readonly string[]
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
  const imports = lazily(() => importLines(using.lines))
  const missing: MissingSymbol[] = []
  for (const symbol of near) {
    if (missing.length === MAX_SYMBOLS_PER_FILE) break
    if (!isRareName(symbol.name, vocabulary)) continue
    const definedIn = definerFor(index, using, { name: symbol.name, imports })
    if (definedIn !== undefined) missing.push({ ...symbol, definedIn, path: index.pathOf(definedIn) })
  }
  return missing
}

/** The other file that defines the name, or undefined when none does, the file itself does, or several might. */
function definerFor(
  index: IndexReader,
  { file }: UsingFile,
  { name, imports }: { readonly name: string; readonly imports: () => readonly string[] },
): FileId | undefined {
  const symbols = index.symbolsNamed(name).filter(({ kind }) => DEFINING_KINDS.has(kind))
  const files = [...new Set(symbols.map((symbol) => symbol.file))]
  if (files.includes(file) || files.length > MAX_DEFINERS) return undefined
  if (files.length <= 1) return files[0]
  const imported = files.filter((definer) => mentions(imports(), index.pathOf(definer)))
  return imported.length === 1 ? imported[0] : undefined
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
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
