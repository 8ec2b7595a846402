/**
 * Keeping an index that is updated for years as small and quick as a new one: joining the segments of posting lists,
 * and giving live documents new ids without gaps, so that the rows of deleted ones go.
 */
import type { Column } from './columns.js'
import type { Database } from './database.js'
import type { DocumentColumns, NewIds, Renumbering } from './document-columns.js'
import { encodeRun, NO_POSTINGS, packCounts, type Postings } from './postings.js'
import { RunReader, RunWriter, type ListName } from './stored-runs.js'
import { ByteWriter } from './varint.js'

// Rows of deleted chunks cost 0.3 KB and a comparison a query each; renumbering costs about as much as writing the
// index anew without parsing. So: not before they are most of the index, and never for less than a megabyte.
const LEAST_DEAD_CHUNKS = 4096

/** Whether most chunk rows are of deleted chunks. */
export function isMostlyDead(fileOf: Uint32Array): boolean {
  let live = 0
  for (const file of fileOf) if (file > 0) live++
  const dead = fileOf.length - 1 - live // row 0 is of no chunk
  return dead >= LEAST_DEAD_CHUNKS && dead > live
}

/** Rewrites everything that holds an id of a document. `columns` are changed, saving them is the caller's. */
export function compact(
  database: Database,
  columns: { readonly documents: DocumentColumns; readonly vectors: Column },
): void {
  const { fileOf, isLive } = columns.documents.snapshot()
  const renumbering: Renumbering = { chunks: withoutGaps(fileOf), files: withoutGaps(isLive) }
  const { chunks, files } = renumbering
  joinList(database, 'c', chunks.newId)
  joinList(database, 'f', files.newId)
  renumberTables(database, renumbering, fileOf)
  columns.documents.renumber(renumbering)
  columns.vectors.keep(chunks.kept)
}

/** Joins the segments of every term into one and drops the postings of deleted documents. */
export function joinSegments(database: Database, documents: DocumentColumns): void {
  const { fileOf, isLive } = documents.snapshot()
  joinList(database, 'c', sameIds(fileOf))
  joinList(database, 'f', sameIds(isLive))
}

function withoutGaps(live: Uint32Array | Uint8Array): NewIds {
  const newId = new Int32Array(live.length)
  const kept = [0]
  for (let id = 1; id < live.length; id++) {
    if ((live[id] ?? 0) === 0) continue
    newId[id] = kept.length
    kept.push(id)
  }
  return { newId, kept: Int32Array.from(kept) }
}

function sameIds(live: Uint32Array | Uint8Array): Int32Array {
  return Int32Array.from(live, (isLive, id) => (isLive > 0 ? id : 0))
}

function joinList(database: Database, list: ListName, newId: Int32Array): void {
  const terms = database
    .prepare('select distinct term from postings where list = ?')
    .pluck()
    .all(list) as string[]
  const runs = new RunReader(database)
  const drop = database.prepare('delete from postings where list = ? and term = ?')
  const written = new RunWriter(database)
  const bytes = new ByteWriter()
  for (const term of terms) {
    const { ids, packed } = renumbered(runs.read(list, term) ?? NO_POSTINGS, newId)
    drop.run(list, term)
    const documents = ids.length
    if (documents === 0) continue
    written.put({ list, term, segment: 0, documents, data: encodeRun(bytes, ids, packed, 0, documents) })
  }
}

function renumbered(
  { ids, counts }: Postings,
  newId: Int32Array,
): { readonly ids: Int32Array; readonly packed: Int32Array } {
  const kept = Array.from(ids.keys()).filter((i) => (newId[ids[i]!] ?? 0) > 0)
  return {
    ids: Int32Array.from(kept, (i) => newId[ids[i]!]!), // kept: those that have a new id
    packed: Int32Array.from(kept, (i) => packCounts(counts[0][i]!, counts[1][i]!, counts[2][i]!)),
  }
}

/** New ids are never above old ones and ids ascend, so each row moves to a place that is free. */
function renumberTables(database: Database, { chunks, files }: Renumbering, fileOf: Uint32Array): void {
  const moveChunk = database.prepare('update chunks set id = ?, file = ? where id = ?')
  chunks.kept.forEach((id, n) => moveChunk.run(n, files.newId[fileOf[id]!] ?? 0, id))
  const moveFile = database.prepare('update files set id = ? where id = ?')
  const moveSymbols = database.prepare('update symbols set file = ? where file = ?')
  files.kept.forEach((id, n) => {
    if (id === n) return
    moveFile.run(n, id)
    moveSymbols.run(n, id)
  })
}
