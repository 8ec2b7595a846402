/** Which file defines a name that another uses: resolved through names and imports, undecided where several might. */
import { posix } from 'node:path'
import type { IndexReader } from '../store/index-reader.js'
import { identifiersIn, partsOf } from '../text/words.js'
import type { FileId } from '../types.js'
import { importLines, mentions } from './imports.js'

// Shorter names collide by accident.
export const MIN_NAME_LETTERS = 4
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

/** The lines of a file in which symbols are looked for. */
export interface UsingFile {
  readonly file: FileId
  /** The ranges in question. */
  readonly text: string
  /** All its lines. */
  readonly lines: readonly string[]
}

/** A name used in a file, and the other file that defines it. */
export interface UsedSymbol {
  readonly name: string
  readonly definedIn: FileId
}

/** Names in the text that another file defines. */
export function usedSymbols(index: IndexReader, using: UsingFile): readonly UsedSymbol[] {
  const definerOf = definers(index, using)
  return [...new Set(identifiersIn(using.text))]
    .filter((name) => name.length >= MIN_NAME_LETTERS)
    .flatMap((name) => {
      const definedIn = definerOf(name)
      return definedIn === undefined ? [] : [{ name, definedIn }]
    })
}

/**
 * The other file that defines a name: the only one there is, or the only one that the file imports or that stands beside
 * it, which a plain word needs in any case. Undefined when none does, the file itself does, or several might.
 */
export function definers(
  index: IndexReader,
  { file, lines }: Omit<UsingFile, 'text'>,
): (name: string) => FileId | undefined {
  let imports: readonly string[] | undefined
  return (name) => {
    const files = definingFiles(index, name)
    if (files.includes(file) || files.length > MAX_DEFINERS) return undefined
    if (files.length === 0 || (files.length === 1 && !isPlainWord(name))) return files[0]
    imports ??= importLines(lines)
    const near = files.filter((definer) => isWithinReach(index, file, { definer, imports: imports ?? [] }))
    return near.length === 1 ? near[0] : undefined
  }
}

/** A word like "watch" is as often no name at all: a comment, a key, a variable. */
function isPlainWord(name: string): boolean {
  return /^\p{Ll}/u.test(name) && partsOf(name).length === 1
}

/** Whether one file imports another, or stands beside it. */
function isWithinReach(
  index: IndexReader,
  file: FileId,
  { definer, imports }: { readonly definer: FileId; readonly imports: readonly string[] },
): boolean {
  const path = index.pathOf(definer)
  return posix.dirname(path) === posix.dirname(index.pathOf(file)) || mentions(imports, path)
}

/** The only file that defines the name, or undefined when none or several do. */
export function soleDefiner(index: IndexReader, name: string): FileId | undefined {
  const files = definingFiles(index, name)
  return files.length === 1 ? files[0] : undefined
}

/** The files that define a name, each once. */
export function definingFiles(index: IndexReader, name: string): readonly FileId[] {
  const symbols = index.symbolsNamed(name)
  return [...new Set(symbols.filter(({ kind }) => DEFINING_KINDS.has(kind)).map(({ file }) => file))]
}
