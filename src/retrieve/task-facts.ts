/** What the index says about names and paths that a task spells out. */
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import type { ParsedTask } from './task.js'

/** What is known about the task besides its words. */
export interface TaskFacts {
  /** Files that define a name the task spells out -> those names. */
  readonly definers: ReadonlyMap<FileId, readonly string[]>
  /** Files whose path the task names. */
  readonly named: ReadonlySet<FileId>
  /** Files that define a symbol a confirmed file uses -> those symbols. */
  readonly pointedAt: ReadonlyMap<FileId, readonly string[]>
}

// A name that more files define (get, run, init) does not point at any of them.
const MAX_DEFINERS = 5
const MIN_NAME_LETTERS = 3

export function taskFacts(index: IndexReader, task: ParsedTask): Omit<TaskFacts, 'pointedAt'> {
  const definers = new Map<FileId, string[]>()
  for (const name of new Set([...task.names, ...task.tokens])) {
    if (name.length < MIN_NAME_LETTERS) continue
    const files = [...new Set(index.symbolsNamed(name).map(({ file }) => file))]
    if (files.length > MAX_DEFINERS) continue
    for (const file of files) definers.set(file, [...(definers.get(file) ?? []), name])
  }
  return { definers, named: namedFiles(index, task.paths) }
}

/** Files whose path is, or ends with, a path the task names. */
function namedFiles(index: IndexReader, paths: readonly string[]): ReadonlySet<FileId> {
  if (paths.length === 0) return new Set()
  const named = index.files().filter(({ path }) => paths.some((p) => path === p || path.endsWith(`/${p}`)))
  return new Set(named.map(({ id }) => id))
}
