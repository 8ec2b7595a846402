/** What the index says about names, paths, places and quotations that a task spells out. */
import type { IndexReader } from '../store/index-reader.js'
import { identifiersIn, partsOf, stem } from '../text/words.js'
import type { FileId } from '../types.js'
import { locate, type LocatedPlace } from './places.js'
import type { ParsedTask } from './task.js'

/** What is known about the task besides its words. */
export interface TaskFacts {
  /** Files that define a name the task spells out -> those names. */
  readonly definers: ReadonlyMap<FileId, readonly string[]>
  /** Files that the task points at: by path, as the place of an error, or by a text that hardly another file holds. */
  readonly named: ReadonlySet<FileId>
  /** Lines the task points at. */
  readonly lines: ReadonlyMap<FileId, readonly number[]>
  /** How the task points at a file, in words, e.g. "where the stack trace begins". */
  readonly mentions: ReadonlyMap<FileId, string>
  /** Files that define a symbol a confirmed file uses -> those symbols. */
  readonly pointedAt: ReadonlyMap<FileId, readonly string[]>
}

export const NO_FACTS: TaskFacts = {
  definers: new Map(),
  named: new Set(),
  lines: new Map(),
  mentions: new Map(),
  pointedAt: new Map(),
}

// A name that more files define (get, run, init) does not point at any of them; nor does a text that more files hold.
const MAX_DEFINERS = 5
const MIN_NAME_LETTERS = 3
// Words of a quotation that a chunk must hold, at least; and the share of them that the index must know: what differs
// from case to case (a number, a name) is in no code.
const MIN_QUOTED_WORDS = 3
const QUOTED_SHARE = 0.5

export function taskFacts(index: IndexReader, task: ParsedTask): Omit<TaskFacts, 'pointedAt'> {
  const frames = locatedIn(index, task.frames)
  const places = locatedIn(index, task.places)
  const mentions = new Map<FileId, string>()
  const mention = (file: FileId, how: string): void => {
    if (!mentions.has(file)) mentions.set(file, how)
  }
  const named = new Set(namedFiles(index, task.paths))
  for (const file of named) mention(file, 'named in the task')
  // The deepest frame of ours is where it happened; those that called it are on the way to it.
  const [deepest, ...callers] = frames
  if (deepest !== undefined) {
    named.add(deepest.file)
    mention(deepest.file, `the stack trace begins here, line ${deepest.line ?? 1}`)
  }
  for (const { file, line } of callers) mention(file, `in the stack trace, line ${line ?? 1}`)
  for (const [file, quote] of quotingFiles(index, task.quotes)) {
    named.add(file)
    mention(file, `holds "${quote}"`)
  }
  return { definers: definers(index, task, frames), named, lines: linesOf([...frames, ...places]), mentions }
}

/** Where the places of a task are in this index, in their order. */
export function locatedIn(index: IndexReader, places: ParsedTask['frames']): readonly LocatedPlace[] {
  if (places.length === 0) return []
  const defines = (file: FileId, name: string): boolean =>
    index.symbolsNamed(name).some((s) => s.file === file)
  return locate(places, { root: index.settings.root, files: index.allPaths(), defines })
}

function definers(
  index: IndexReader,
  task: ParsedTask,
  frames: readonly LocatedPlace[],
): ReadonlyMap<FileId, readonly string[]> {
  const found = new Map<FileId, string[]>()
  const add = (file: FileId, name: string): void => {
    const names = found.get(file)
    if (names === undefined) found.set(file, [name])
    else if (!names.includes(name)) names.push(name)
  }
  for (const name of new Set([...task.names, ...task.tokens])) {
    if (name.length < MIN_NAME_LETTERS) continue
    const files = [...new Set(index.symbolsNamed(name).map(({ file }) => file))]
    if (files.length > MAX_DEFINERS) continue
    for (const file of files) add(file, name)
  }
  for (const { owner, name } of task.members) {
    const own = index.symbolsNamed(name).filter(({ scope }) => scope.split('.').at(-1) === owner)
    const files = new Set(own.map(({ file }) => file))
    if (files.size <= MAX_DEFINERS) for (const file of files) add(file, name)
  }
  for (const { file, symbol } of frames)
    if (symbol !== '' && index.symbolsNamed(symbol).some((defined) => defined.file === file))
      add(file, symbol)
  return found
}

/** Files whose path is, or ends with, a path the task names. */
function namedFiles(index: IndexReader, paths: readonly string[]): ReadonlySet<FileId> {
  if (paths.length === 0) return new Set()
  const files = index.allPaths()
  const direct = files.filter(({ path }) => paths.some((p) => path === p || path.endsWith(`/${p}`)))
  // A path of another machine, or from above the root.
  const longer = paths.filter(
    (path) => path.includes('/') && !direct.some((file) => file.path.endsWith(path)),
  )
  const located = locatedIn(
    index,
    longer.map((path) => ({ path, line: undefined, symbol: '' })),
  )
  return new Set([...direct.map(({ id }) => id), ...located.map(({ file }) => file)])
}

function linesOf(places: readonly LocatedPlace[]): ReadonlyMap<FileId, readonly number[]> {
  const lines = new Map<FileId, readonly number[]>()
  for (const { file, line } of places)
    if (line !== undefined) lines.set(file, [...new Set([...(lines.get(file) ?? []), line])])
  return lines
}

/** Files with a chunk that holds the known words of a quotation, where that are few files -> the quotation. */
function quotingFiles(index: IndexReader, quotes: readonly string[]): ReadonlyMap<FileId, string> {
  const quoting = new Map<FileId, string>()
  for (const quote of quotes) {
    const files = filesWithAll(index, quote)
    if (files.size <= MAX_DEFINERS) for (const file of files) if (!quoting.has(file)) quoting.set(file, quote)
  }
  return quoting
}

function filesWithAll(index: IndexReader, quote: string): ReadonlySet<FileId> {
  const words = new Set(identifiersIn(quote).flatMap((identifier) => partsOf(identifier)))
  const terms = [...words].filter((word) => !/^\d+$/.test(word)).map(stem) // numbers differ from case to case
  const { fileOf } = index.documents
  const holding = terms
    .map((term) => index.postings('chunks', term))
    .map(({ ids, length }) => new Set(ids.subarray(0, length).filter((chunk) => fileOf[chunk]! > 0)))
    .filter((chunks) => chunks.size > 0)
  const [first, ...others] = holding
  if (first === undefined || holding.length < Math.max(MIN_QUOTED_WORDS, terms.length * QUOTED_SHARE))
    return new Set()
  const chunks = [...first].filter((chunk) => others.every((held) => held.has(chunk)))
  return new Set(chunks.map((chunk) => fileOf[chunk] as FileId))
}
