/**
 * Writing one index database: files with their chunks, symbols, keyword postings and vectors.
 * Everything between `begin` and `commit` is one transaction; `rollback` leaves the index as it was.
 */
import type { Chunk, CodeSymbol, FileId, PastCommit, SkipReason } from '../types.js'
import { HoneError } from '../errors.js'
import { Column } from './columns.js'
import { compact, isMostlyDead, joinSegments } from './compaction.js'
import { mapErrors, openDatabase, type Database, type Statement } from './database.js'
import { DocumentColumns } from './document-columns.js'
import { putHistory, readHistoryRecord, relink, storedCommits, type History } from './past-writer.js'
import { PostingsWriter } from './postings-writer.js'
import { parsedStamp } from './records.js'
import type { FileRecord, HistoryRecord, IndexSettings, StampedSkip } from './records.js'
import { RunWriter } from './stored-runs.js'
import { FEATURE_VERSION, FORMAT_VERSION, SCHEMA } from './schema.js'
import { encodeVector, vectorRowBytes } from '../vector/vector-table.js'

// Segments one term's postings may be spread over before they are joined: each costs a row at query time.
const MAX_SEGMENTS = 24

export interface IndexedFile {
  readonly record: FileRecord
  readonly chunks: readonly Chunk[]
  readonly symbols: readonly CodeSymbol[]
  /** chunks x dimensions, row-major. */
  readonly vectors: Float32Array
}

export class IndexWriter {
  readonly #database: Database
  #chunkPostings = new PostingsWriter()
  #filePostings = new PostingsWriter()
  readonly #statements: Statements
  readonly #runs: RunWriter
  #loaded: { readonly documents: DocumentColumns; readonly vectors: Column } | undefined
  /** Whether the files of past commits have to be found anew. */
  #isUnlinked = false

  /** Opens or creates the database at `path` and writes down `settings`. */
  constructor(
    readonly path: string,
    readonly settings: IndexSettings,
  ) {
    const database = openDatabase(path, 'create')
    this.#database = database
    try {
      this.#statements = mapErrors(path, () => {
        makeTables(database)
        return prepare(database)
      })
      this.#runs = mapErrors(path, () => new RunWriter(database))
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Starts the transaction; waits for another writer, then throws INDEX_BUSY. What was written since is read first. */
  begin(): void {
    mapErrors(this.path, () => this.#database.exec('begin immediate'))
    this.#loaded = undefined
    this.#chunkPostings = new PostingsWriter() // a transaction that was rolled back may have left some
    this.#filePostings = new PostingsWriter()
  }

  /** Content hash of every file in the index, by path. */
  storedFiles(): ReadonlyMap<string, FileRecord> {
    const rows = mapErrors(this.path, () => this.#statements.storedFiles.all()) as FileRecord[]
    return new Map(rows.map((row) => [row.path, row]))
  }

  /** Adds a file, replacing what the index holds under its path. */
  putFile(file: IndexedFile): void {
    mapErrors(this.path, () => {
      this.#remove(file.record.path)
      const id = this.#documents.nextFile as FileId
      this.#isUnlinked = true
      this.#putRow(id, file)
      this.#putPath(id, file)
      this.#putChunks(id, file)
      if (this.#chunkPostings.isFull) this.#flush()
    })
  }

  /** Refreshes what is known of an unchanged file's times, so that it need not be read again. */
  touchFile(record: FileRecord): void {
    mapErrors(this.path, () =>
      this.#statements.touch.run(record.mtimeMs, record.ctimeMs, record.inode, record.path),
    )
  }

  removeFile(path: string): void {
    mapErrors(this.path, () => {
      this.#remove(path)
    })
  }

  /** Files that were read and then skipped, by path. */
  storedSkips(): ReadonlyMap<string, StampedSkip> {
    const rows = mapErrors(this.path, () => this.#statements.stampedSkips.all()) as {
      path: string
      reason: SkipReason
      detail: string
      stamp: string
    }[]
    return new Map(rows.map((row) => [row.path, { ...row, stamp: parsedStamp(row.stamp) }]))
  }

  /** Makes the list of skipped files this one; returns whether it was another. */
  putSkipped(skipped: readonly StampedSkip[]): boolean {
    return mapErrors(this.path, () => {
      const rows = skipped.map(({ path, reason, detail, stamp }): SkipRow => ({
        path,
        reason,
        detail: detail ?? '',
        stamp: stamp === undefined ? null : JSON.stringify(stamp),
      }))
      const stored = this.#database
        .prepare('select path, reason, detail, stamp from skipped')
        .all() as SkipRow[]
      if (isSameSkips(stored, rows)) return false
      this.#database.exec('delete from skipped')
      const put = this.#database.prepare(
        'insert or replace into skipped values (@path, @reason, @detail, @stamp)',
      )
      for (const row of rows) put.run(row)
      return true
    })
  }

  get storedHistory(): HistoryRecord | undefined {
    return mapErrors(this.path, () => readHistoryRecord(this.#database))
  }

  /** Past commits, by object id. */
  storedCommits(): ReadonlyMap<string, PastCommit> {
    return mapErrors(this.path, () => storedCommits(this.#database))
  }

  /** Makes the history this one; returns whether it was another. */
  putHistory(history: History): boolean {
    return mapErrors(this.path, () => {
      const isChanged = putHistory(this.#database, history)
      if (isChanged) this.#isUnlinked = true
      return isChanged
    })
  }

  /** Ends the transaction. Until then no reader sees anything of it. */
  commit(): void {
    mapErrors(this.path, () => {
      this.#flush()
      this.#tidy()
      this.#documents.save(this.#database)
      this.#vectors.save(this.#database)
      this.#loaded = undefined // a rollback after it must not find them changed
      if (this.#isUnlinked) relink(this.#database)
      this.#isUnlinked = false
      this.#putMeta()
      this.#database.exec('commit')
    })
  }

  rollback(): void {
    if (this.#database.inTransaction) this.#database.exec('rollback')
  }

  /**
   * After a full build: gives back the room between rows that came with different segments, a tenth of a large index. It
   * takes as much free disk as the index; where there is none, everything stays as it is.
   */
  tighten(): void {
    const free = this.#database.pragma('freelist_count', { simple: true }) as number
    if (this.#numberFromMeta('segments') <= 1 && free === 0) return // written in order
    try {
      mapErrors(this.path, () => this.#database.exec('vacuum'))
    } catch (error) {
      if (!(error instanceof HoneError && error.code === 'INDEX_UNWRITABLE')) throw error
    }
  }

  /** Moves everything from the write-ahead log into the database file. */
  checkpoint(): void {
    mapErrors(this.path, () => this.#database.pragma('wal_checkpoint(TRUNCATE)'))
  }

  close(): void {
    this.rollback()
    this.#database.close()
  }

  #remove(path: string): void {
    const row = this.#statements.fileId.get(path) as { id: FileId } | undefined
    if (row === undefined) return
    this.#isUnlinked = true
    const { first, end } = this.#documents.removeFile(row.id)
    this.#statements.deleteChunks.run(first, end)
    this.#statements.deleteSymbols.run(row.id)
    this.#statements.deleteFile.run(row.id)
  }

  #putRow(id: FileId, { record, symbols }: IndexedFile): void {
    const { path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash } = record
    this.#statements.putFile.run(id, path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash)
    for (const s of symbols) {
      this.#statements.putSymbol.run(id, s.line, s.name, s.kind, s.scope, s.startLine, s.endLine)
    }
  }

  #putPath(id: FileId, { record, chunks }: IndexedFile): void {
    const slash = record.path.lastIndexOf('/')
    const name = record.path.slice(slash + 1)
    const folders = record.path.slice(0, Math.max(0, slash))
    const lengths = this.#filePostings.add(id, [name, folders, ''])
    this.#documents.putFile(id, this.#documents.nextChunk, chunks.length, lengths)
  }

  #putChunks(file: FileId, { chunks, vectors }: IndexedFile): void {
    const { dimensions } = this.settings
    chunks.forEach((chunk, i) => {
      const id = this.#documents.nextChunk
      const names = [...chunk.symbols, chunk.scope].join(' ')
      const lengths = this.#chunkPostings.add(id, [chunk.text, names, chunk.comment])
      this.#documents.putChunk(id, file, lengths)
      encodeVector(vectors.subarray(i * dimensions, (i + 1) * dimensions), this.#vectors.rowForWriting(id))
      const { startLine, endLine, kind, name, scope, symbols } = chunk
      this.#statements.putChunk.run(id, file, startLine, endLine, kind, name, scope, symbols.join('\n'))
    })
  }

  get #documents(): DocumentColumns {
    return this.#columns.documents
  }

  get #vectors(): Column {
    return this.#columns.vectors
  }

  /** Read when the first file is written: an update that finds nothing to do needs none of them. */
  get #columns(): { readonly documents: DocumentColumns; readonly vectors: Column } {
    this.#loaded ??= mapErrors(this.path, () => ({
      documents: new DocumentColumns(this.#database),
      vectors: Column.load(this.#database, 'vector', vectorRowBytes(this.settings.dimensions)),
    }))
    return this.#loaded
  }

  #flush(): void {
    if (this.#chunkPostings.isEmpty && this.#filePostings.isEmpty) return
    const segment = this.#nextSegment()
    for (const [list, postings] of [
      ['c', this.#chunkPostings],
      ['f', this.#filePostings],
    ] as const) {
      postings.flush((term, documents, run) => {
        this.#runs.put({ list, term, segment, documents, data: run })
      })
    }
  }

  /** Drops deleted documents once they are most of the index; joins segments once they are many. */
  #tidy(): void {
    const database = this.#database
    const isDue = isMostlyDead(this.#documents.snapshot().fileOf)
    if (!isDue && this.#numberFromMeta('segments') <= MAX_SEGMENTS) return
    if (isDue) {
      compact(database, { documents: this.#documents, vectors: this.#vectors })
      this.#isUnlinked = true
      this.#statements.putMeta.run('numbering', String(this.#numberFromMeta('numbering') + 1))
    } else {
      joinSegments(database, this.#documents)
    }
    this.#statements.putMeta.run('segments', '1')
  }

  #nextSegment(): number {
    const segment = this.#numberFromMeta('segments')
    this.#statements.putMeta.run('segments', String(segment + 1))
    return segment
  }

  #numberFromMeta(key: string): number {
    const row = this.#statements.getMeta.get(key) as { value: string } | undefined
    return row === undefined ? 0 : Number(row.value)
  }

  #putMeta(): void {
    const put = (key: string, value: string | number): unknown =>
      this.#statements.putMeta.run(key, String(value))
    put('format', FORMAT_VERSION)
    put('features', FEATURE_VERSION)
    put('settings', JSON.stringify(this.settings))
    put('generation', this.#numberFromMeta('generation') + 1)
  }
}

interface SkipRow {
  readonly path: string
  readonly reason: SkipReason
  readonly detail: string
  readonly stamp: string | null
}

/** Whatever their order: SQLite sorts by bytes, JavaScript by code units. */
function isSameSkips(stored: readonly SkipRow[], rows: readonly SkipRow[]): boolean {
  const known = new Map(stored.map((row) => [row.path, JSON.stringify(row)]))
  return rows.length === known.size && rows.every((row) => known.get(row.path) === JSON.stringify(row))
}

function makeTables(database: Database): void {
  if (database.prepare("select 1 from sqlite_master where name = 'meta'").get() !== undefined) return
  database.transaction(() => database.exec(SCHEMA)).immediate()
}

type Statements = ReturnType<typeof prepare>

function prepare(
  database: Database,
): Record<
  | 'putFile'
  | 'touch'
  | 'fileId'
  | 'deleteFile'
  | 'putChunk'
  | 'deleteChunks'
  | 'putSymbol'
  | 'deleteSymbols'
  | 'getMeta'
  | 'putMeta'
  | 'storedFiles'
  | 'stampedSkips',
  Statement
> {
  return {
    putFile: database.prepare('insert into files values (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    touch: database.prepare('update files set mtime_ms = ?, ctime_ms = ?, inode = ? where path = ?'),
    fileId: database.prepare('select id from files where path = ?'),
    deleteFile: database.prepare('delete from files where id = ?'),
    putChunk: database.prepare('insert into chunks values (?, ?, ?, ?, ?, ?, ?, ?)'),
    deleteChunks: database.prepare('delete from chunks where id >= ? and id < ?'),
    putSymbol: database.prepare('insert or ignore into symbols values (?, ?, ?, ?, ?, ?, ?)'),
    deleteSymbols: database.prepare('delete from symbols where file = ?'),
    getMeta: database.prepare('select value from meta where key = ?'),
    putMeta: database.prepare('insert or replace into meta values (?, ?)'),
    storedFiles: database.prepare(
      'select path, language, bytes, lines, mtime_ms mtimeMs, ctime_ms ctimeMs, inode, hash from files',
    ),
    stampedSkips: database.prepare('select path, reason, detail, stamp from skipped where stamp is not null'),
  }
}
