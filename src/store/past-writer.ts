/** Writing past commits, and keeping them linked to the files of the index. */
import type { PastCommit } from '../types.js'
import type { Database } from './database.js'
import { Facts } from './facts.js'
import { linkPaths, namesToday } from './names-today.js'
import {
  decodeCommits,
  decodeNumbers,
  encodePast,
  PAST_PAGES,
  putPastPage,
  readPastPage,
  type PastPage,
  type PastPages,
} from './past-pages.js'
import type { HistoryRecord, StoredFile } from './records.js'
import { ByteWriter } from './varint.js'

/** A history to store. */
export interface History extends HistoryRecord {
  /** Newest first; empty when there is none. */
  readonly commits: readonly PastCommit[]
}

/** Undefined before any history was read. */
export function readHistoryRecord(database: Database): HistoryRecord | undefined {
  return (JSON.parse(new Facts(database).get('history')) as HistoryRecord | null) ?? undefined
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
  new Facts(database).put('history', text)
  return true
}

/** Finds for every path of the past the file it is today. To be called whenever files or history changed. */
export function relink(database: Database, files: readonly StoredFile[]): void {
  if (readHistoryRecord(database) === undefined) return
  const numbers = decodeNumbers(readPastPage(database, 'past.commits'))
  const ids = new Map(files.map(({ path, id }) => [path, id]))
  const paths = readPastPage(database, 'past.paths').toString('utf8').split('\0').slice(0, numbers.paths)
  const out = new ByteWriter()
  const prefix = readHistoryRecord(database)?.prefix ?? ''
  const idOf = (path: string): number | undefined =>
    path.startsWith(prefix) ? ids.get(path.slice(prefix.length)) : undefined
  for (const id of linkPaths(paths, namesToday(numbers), idOf)) out.writeVarint(id)
  putPastPage(database, 'past.links', out.take())
}

function storedPages(database: Database): PastPages {
  const isStored = readHistoryRecord(database) !== undefined
  const pageOf = (kind: PastPage): Buffer => (isStored ? readPastPage(database, kind) : Buffer.alloc(0))
  return Object.fromEntries(PAST_PAGES.map((kind) => [kind, pageOf(kind)])) as PastPages
}
