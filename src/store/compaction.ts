/**
 * Keeping an index that is updated for years as small and quick as a new one: joining the segments of posting lists,
 * and giving live documents new ids without gaps, so that the rows of deleted ones go.
 */
import type { Column } from './columns.js'
import type { DocumentColumns, NewIds, Renumbering } from './document-columns.js'
import { damage, type Database } from './database.js'
import type { Facts } from './facts.js'
import { encodeRun, NO_POSTINGS, packCounts, type Postings } from './postings.js'
import { LISTS, type ListName } from './posting-lists.js'
import { RunReader, RunWriter } from './stored-runs.js'
import { dropTerms, putTerms, TermDirectory } from './term-directory.js'
import { ByteWriter } from './varint.js'

// Rows of deleted chunks cost 0.3 KB and a comparison a query each; renumbering costs about as much as writing the
// index anew without parsing. So: not before they are most of the index, and never for less than a megabyte.
const LEAST_DEAD_CHUNKS = 4096

/** What is kept by id: of chunks their vectors, of files those of their titles. */
export interface Columns {
  readonly documents: DocumentColumns
  readonly vectors: Column
  readonly titles: Column
}

/** Whether most chunk rows are of deleted chunks. */
export function isMostlyDead(fileOf: Uint32Array): boolean {
  let live = 0
  for (const file of fileOf) if (file > 0) live++
  const dead = fileOf.length - 1 - live // row 0 is of no chunk
  return dead >= LEAST_DEAD_CHUNKS && dead > live
}

/** Rewrites everything that holds an id of a document. `columns` are changed, saving them is the caller's. */
export function compact(database: Database, facts: Facts, columns: Columns): void {
  const { fileOf, isLive } = columns.documents.snapshot()
  const renumbering: Renumbering = { chunks: withoutGaps(fileOf), files: withoutGaps(isLive) }
  const { chunks, files } = renumbering
  joinLists(database, facts, { chunks: chunks.newId, files: files.newId })
  renumberTables(database, renumbering, fileOf)
  columns.documents.renumber(renumbering)
  columns.vectors.keep(chunks.kept)
  columns.titles.keep(files.kept)
}

/** Joins the segments of every term into one and drops the postings of deleted documents. */
export function joinSegments(database: Database, facts: Facts, documents: DocumentColumns): void {
  const { fileOf, isLive } = documents.snapshot()
  joinLists(database, facts, { chunks: sameIds(fileOf), files: sameIds(isLive) })
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

function joinLists(
  database: Database,
  facts: Facts,
  newIds: { readonly chunks: Int32Array; readonly files: Int32Array },
): void {
  const directory = new TermDirectory(database, facts.terms)
  const kept = LISTS.map((list) => ({
    list,
    terms: joinList(database, directory, { list, newId: list === 'c' ? newIds.chunks : newIds.files }),
  }))
  dropTerms(database)
  const parts = kept.map(({ list, terms }) => [list, putTerms(database, { list, segment: 0, terms })])
  facts.put('terms', JSON.stringify([Object.fromEntries(parts)]))
}

/**
 * Returns the terms that are left. What is joined stands aside until all is read: what a segment was said to hold is
 * checked against what it holds (term-directory.ts), and must not be half gone by then.
 */
function joinList(
  database: Database,
  directory: TermDirectory,
  { list, newId }: { readonly list: ListName; readonly newId: Int32Array },
): readonly string[] {
  database.exec('create temp table joined as select * from postings where false')
  const runs = new RunReader(database, directory)
  const joined = new RunWriter(database, 'joined')
  const bytes = new ByteWriter()
  const left = termsOf(database, directory, list).filter((term) => {
    const { ids, packed } = renumbered(runs.read(list, term) ?? NO_POSTINGS, newId)
    const documents = ids.length
    if (documents > 0)
      joined.put({ list, term, segment: 0, documents, data: encodeRun(bytes, ids, packed, 0, documents) })
    return documents > 0
  })
  database.prepare('delete from postings where list = ?').run(list)
  database.exec('insert into postings select * from joined; drop table joined')
  return left
}

/** Each once. What SQLite does not find would be lost for good, so that all must be there. */
function termsOf(database: Database, directory: TermDirectory, list: ListName): readonly string[] {
  const rows = database.prepare('select term from postings where list = ?').pluck().all(list)
  const terms = rows.filter((term) => typeof term === 'string')
  if (terms.length !== directory.count(list)) throw damage(database.name, 'where words are found')
  return [...new Set(terms)]
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

/** New ids are never above old ones and ids ascend, so each row moves to a place that is free. Sums move along. */
function renumberTables(database: Database, { chunks, files }: Renumbering, fileOf: Uint32Array): void {
  const moveChunk = database.prepare(
    'update chunks set sum = sum + @n - id + @file - file, id = @n, file = @file where id = @id',
  )
  chunks.kept.forEach((id, n) => {
    if (n > 0) moveChunk.run({ n, file: files.newId[fileOf[id]!] ?? 0, id })
  })
  const moveFile = database.prepare('update files set sum = sum + @n - id, id = @n where id = @id')
  const moveSymbols = database.prepare('update symbols set sum = sum + @n - file, file = @n where file = @id')
  files.kept.forEach((id, n) => {
    if (id === n) return
    moveFile.run({ n, id })
    moveSymbols.run({ n, id })
  })
}
