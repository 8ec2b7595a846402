/** Writing past commits, and keeping them linked to the files of the index. */
import type { PastCommit } from '../types.js'
import type { Database } from './database.js'
import { linkPaths, namesToday } from './names-today.js'
import {
  decodeCommits,
  decodeNumbers,
  encodePast,
  PAST_PAGES,
  putPastPage,
  readPastPage,
  type PastPages,
} from './past-pages.js'
import type { HistoryRecord } from './records.js'
import { ByteWriter } from './varint.js'

/** A history to store. */
export interface History extends HistoryRecord {
  /** Newest first; empty when there is none. */
  readonly commits: readonly PastCommit[]
}

export function readHistoryRecord(database: Database): HistoryRecord | undefined {
  const text = database.prepare("select value from meta where key = 'history'").pluck().get()
  return typeof text === 'string' ? parsedRecord(text) : undefined
}

/** Undefined for a damaged one: the history is then read again. */
function parsedRecord(text: string): HistoryRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<HistoryRecord> | null
    const isWhole = typeof record?.state === 'object' && typeof record.stamp === 'string'
    return isWhole ? (record as HistoryRecord) : undefined
  } catch {
    return undefined
  }
}

/** The stored commits, by object id. */
export function storedCommits(database: Database): ReadonlyMap<string, PastCommit> {
  return decodeCommits(storedPages(database))
}

/** Makes the stored history this one; returns whether it was another. */
export function putHistory(database: Database, { commits, ...record }: History): boolean {
  const pages = encodePast(commits)
  const stored = storedPages(database)
  const isSame = PAST_PAGES.every((kind) => pages[kind].equals(stored[kind]))
  const text = JSON.stringify(record satisfies HistoryRecord)
  if (isSame && JSON.stringify(readHistoryRecord(database)) === text) return false
  for (const kind of PAST_PAGES) putPastPage(database, kind, pages[kind])
  database.prepare("insert or replace into meta values ('history', ?)").run(text)
  return true
}

/** Finds for every path of the past the file it is today. To be called whenever files or history changed. */
export function relink(database: Database): void {
  const numbers = decodeNumbers(readPastPage(database, 'past.commits'))
  if (numbers.commits === 0) return
  const files = database.prepare('select path, id from files').raw().all() as [string, number][]
  const ids = new Map(files)
  const paths = readPastPage(database, 'past.paths').toString('utf8').split('\0')
  const out = new ByteWriter()
  const prefix = readHistoryRecord(database)?.prefix ?? ''
  const idOf = (path: string): number | undefined =>
    path.startsWith(prefix) ? ids.get(path.slice(prefix.length)) : undefined
  for (const id of linkPaths(paths, namesToday(numbers), idOf)) out.writeVarint(id)
  putPastPage(database, 'past.links', out.take())
}

function storedPages(database: Database): PastPages {
  return Object.fromEntries(PAST_PAGES.map((kind) => [kind, readPastPage(database, kind)])) as PastPages
}
