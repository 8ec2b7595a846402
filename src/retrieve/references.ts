/** Names that tie one file to another: what a place uses of others, and where others use what it defines. */
import type { StoredChunk, StoredSymbol } from '../store/records.js'
import { identifiersIn, partsOf, wholeTermOf } from '../text/words.js'
import type { ChunkId, FileId } from '../types.js'
import { DEFINING_KINDS, MIN_NAME_LETTERS, soleDefiner, usedSymbols } from './definers.js'
import type { Engine } from './engine.js'

/** A place: a file, and those of its chunks that are meant. */
export interface SourcePlace {
  readonly file: FileId
  readonly chunks: readonly StoredChunk[]
}

export interface Reference {
  readonly name: string
  /** The other file, and the chunk in it that defines or uses the name. */
  readonly file: FileId
  readonly chunk: ChunkId
}

// Kinds of symbols that are often called by one common word.
const PLAIN_KINDS: ReadonlySet<string> = new Set(['method', 'constant'])
// A name that more chunks mention is a word of the whole repository and ties nothing together.
const MAX_MENTIONS = 60
// Names of a place that are followed; a file that defines more is a list.
const MAX_NAMES = 40

/** Names the place uses that exactly one other file defines. */
export function usesOf(engine: Engine, place: SourcePlace): readonly Reference[] {
  const { index } = engine
  const lines = linesOf(engine, place.file)
  return usedSymbols(index, { file: place.file, text: textIn(lines, place.chunks), lines }).flatMap(
    ({ name, definedIn }) => {
      const symbol = index.symbolsNamed(name).find(({ file }) => file === definedIn)
      if (symbol === undefined || !isTelling(symbol)) return []
      if (engine.vocabulary.frequency(wholeTermOf(name)) > MAX_MENTIONS) return []
      const chunk = chunkAt(index.chunksOf(definedIn), symbol.line)
      return chunk === undefined ? [] : [{ name, file: definedIn, chunk: chunk.id }]
    },
  )
}

/** Chunks of other files that use a name which only the place defines. */
export function referencesTo(
  engine: Engine,
  place: SourcePlace,
  accepts: (file: FileId) => boolean,
): readonly Reference[] {
  const texts = new Map<ChunkId, ReadonlySet<string>>()
  return definedNames(engine, place).flatMap((name) =>
    mentionsOf(engine, name, accepts).flatMap((id) => {
      const chunk = engine.index.chunk(id)
      const names = texts.get(id) ?? new Set(identifiersIn(textIn(linesOf(engine, chunk.file), [chunk])))
      texts.set(id, names)
      return names.has(name) ? [{ name, file: chunk.file, chunk: id }] : []
    }),
  )
}

/** The chunk that holds a line, or undefined beyond the end. */
export function chunkAt(chunks: readonly StoredChunk[], line: number): StoredChunk | undefined {
  return chunks.find(({ startLine, endLine }) => startLine <= line && line <= endLine)
}

function definedNames({ index }: Engine, { file, chunks }: SourcePlace): readonly string[] {
  const names = index
    .symbolsOf(file)
    .filter((symbol) => DEFINING_KINDS.has(symbol.kind) && isTelling(symbol))
    .filter(({ line }) => chunkAt(chunks, line) !== undefined)
    .map(({ name }) => name)
    .filter((name) => name.length >= MIN_NAME_LETTERS && soleDefiner(index, name) === file)
  return [...new Set(names)].slice(0, MAX_NAMES)
}

/** Whether a name elsewhere means this symbol: a plain word like `call` that is a method or a constant may be any. */
function isTelling({ name, kind }: StoredSymbol): boolean {
  return !PLAIN_KINDS.has(kind) || /^\p{Lu}/u.test(name) || partsOf(name).length > 1
}

/** Live chunks of accepted files that hold the name's term; none for a name that everybody mentions. */
function mentionsOf(
  { index, vocabulary }: Engine,
  name: string,
  accepts: (file: FileId) => boolean,
): readonly ChunkId[] {
  const term = wholeTermOf(name)
  if (vocabulary.frequency(term) > MAX_MENTIONS) return []
  const { ids, length } = index.postings('chunks', term)
  const { fileOf } = index.documents
  return [...ids.subarray(0, length)].filter(
    (id) => fileOf[id]! > 0 && accepts(fileOf[id] as FileId),
  ) as ChunkId[]
}

/** Lines of a file as they are on disk; none when it cannot be read. */
function linesOf(engine: Engine, file: FileId): readonly string[] {
  return engine.linesOf(engine.index.pathOf(file)) ?? []
}

function textIn(lines: readonly string[], chunks: readonly StoredChunk[]): string {
  return chunks.map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine).join('\n')).join('\n')
}
