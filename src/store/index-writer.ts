/**
 * Writing one index database: files with their chunks, symbols, keyword postings and vectors.
 * Everything between `begin` and `commit` is one transaction; `rollback` leaves the index as it was.
 */
import { HoneError } from '../errors.js'
import type { Chunk, ChunkId, CodeSymbol, FileId, PastCommit } from '../types.js'
import { Column, makeColumn } from './columns.js'
import { compact, isMostlyDead, joinSegments, type Columns } from './compaction.js'
import { damage, mapErrors, openDatabase, type Database, type Statement } from './database.js'
import { DOCUMENT_COLUMNS, DocumentColumns } from './document-columns.js'
import { Facts, putFirstFacts } from './facts.js'
import { putHistory, readHistoryRecord, relink, storedCommits, type History } from './past-writer.js'
import { PostingsWriter } from './postings-writer.js'
import type { FileRecord, HistoryRecord, IndexSettings, StampedSkip } from './records.js'
import {
  allFiles,
  allSkips,
  checkedFile,
  chunkSum,
  fileSum,
  SELECT_FILE,
  skipRow,
  skipSum,
  stampedSkips,
  symbolSum,
  type FileRow,
  type SkipRow,
} from './rows.js'
import { LISTS, type ListName } from './posting-lists.js'
import { RunWriter } from './stored-runs.js'
import { putTerms } from './term-directory.js'
import { FEATURE_VERSION, FORMAT_VERSION, SCHEMA } from './schema.js'
import { encodeVector, vectorRowBytes } from '../vector/vector-table.js'

// Segments one term's postings may be spread over before they are joined: each costs a row at query time.
const MAX_SEGMENTS = 24

const VECTORS = 'vector'
const TITLES = 'title'
const COLUMNS = [...DOCUMENT_COLUMNS, VECTORS, TITLES]

export interface IndexedFile {
  readonly record: FileRecord
  readonly chunks: readonly Chunk[]
  readonly symbols: readonly CodeSymbol[]
  /** chunks x dimensions, row-major. */
  readonly vectors: Float32Array
  /** Of its title. */
  readonly titleVector: Float32Array
}

export class IndexWriter {
  readonly #database: Database
  #postings = newPostings()
  readonly #statements: Statements
  readonly #runs: RunWriter
  readonly #facts: Facts
  /** Of this transaction. */
  #known: ReadonlyMap<string, FileRow> | undefined
  #loaded: Columns | undefined
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
      this.#facts = mapErrors(path, () => new Facts(database))
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Starts the transaction; waits for another writer, then throws INDEX_BUSY. What was written since is read first. */
  begin(): void {
    mapErrors(this.path, () => this.#database.exec('begin immediate'))
    this.#loaded = undefined
    this.#known = undefined
    this.#postings = newPostings() // a transaction that was rolled back may have left some
  }

  /** What is known of every file in the index, by path. */
  storedFiles(): ReadonlyMap<string, FileRecord> {
    const rows = mapErrors(this.path, () => allFiles(this.#database, this.#facts.counts.files))
    this.#known = new Map(rows.map((row) => [row.path, row]))
    return this.#known
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
      if (this.#postings.c.isFull) this.#flush()
    })
  }

  /** Refreshes what is known of an unchanged file's times, so that it need not be read again. */
  touchFile(record: FileRecord): void {
    mapErrors(this.path, () => {
      const row = this.#file(record.path)
      if (row === undefined) return
      const { mtimeMs, ctimeMs, inode } = record
      const sum = fileSum(row.id, { ...row, mtimeMs, ctimeMs, inode })
      this.#statements.touch.run(mtimeMs, ctimeMs, inode, sum, row.id)
    })
  }

  removeFile(path: string): void {
    mapErrors(this.path, () => {
      this.#remove(path)
    })
  }

  /** Files that were read and then skipped, by path. */
  storedSkips(): ReadonlyMap<string, StampedSkip> {
    return mapErrors(this.path, () => stampedSkips(this.#skips()))
  }

  /** Makes the list of skipped files this one; returns whether it was another. */
  putSkipped(skipped: readonly StampedSkip[]): boolean {
    return mapErrors(this.path, () => {
      const rows = new Map(skipped.map((skip) => [skip.path, skipRow(skip)]))
      if (isSameSkips(this.#skips(), rows)) return false
      this.#database.exec('delete from skipped')
      const put = this.#database.prepare('insert into skipped values (?, ?, ?, ?, ?)')
      for (const row of rows.values()) put.run(row.path, row.reason, row.detail, row.stamp, skipSum(row))
      this.#facts.put('counts', JSON.stringify({ ...this.#facts.counts, skipped: rows.size }))
      return true
    })
  }

  #skips(): readonly SkipRow[] {
    return allSkips(this.#database, this.#facts.counts.skipped)
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
      this.#columns.titles.save(this.#database)
      this.#putFacts()
      this.#loaded = undefined // a rollback after it must not find them changed
      if (this.#isUnlinked) relink(this.#database, allFiles(this.#database, this.#facts.counts.files))
      this.#isUnlinked = false
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
    if (this.#facts.terms.length <= 1 && free === 0) return // one segment is written in order
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
    const row = this.#file(path)
    if (row === undefined) return
    this.#isUnlinked = true
    const { first, end } = this.#documents.removeFile(row.id)
    this.#expect(end - first, this.#statements.deleteChunks.run(first, end).changes)
    this.#expect(row.symbols, this.#statements.deleteSymbols.run(row.id).changes)
    this.#expect(1, this.#statements.deleteFile.run(row.id).changes)
  }

  /** The row of a path. Throws INDEX_CORRUPT where there must be one and is none. */
  #file(path: string): FileRow | undefined {
    const row = this.#statements.file.get(path) as FileRow | undefined
    const isThere = row !== undefined && checkedFile(this.#database, row).path === path
    if (isThere || this.#known?.has(path) !== true) return isThere ? row : undefined
    throw damage(this.path, `where ${path} is found`)
  }

  #expect(rows: number, found: number): void {
    if (rows !== found) throw damage(this.path, 'rows of a file are missing')
  }

  #putRow(id: FileId, { record, symbols }: IndexedFile): void {
    const { path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash } = record
    const own = onceEach(symbols)
    const sum = fileSum(id, { ...record, symbols: own.length })
    const put = this.#statements.putFile
    put.run(id, path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash, own.length, sum)
    const counts = new Map<string, number>()
    for (const symbol of own) {
      const { name, line, kind, scope, startLine, endLine } = symbol
      const sum = symbolSum({ ...symbol, file: id })
      this.#statements.putSymbol.run(id, name, line, kind, scope, startLine, endLine, sum)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    this.#postings.s.addTerms(id, counts)
  }

  #putPath(id: FileId, { record, chunks, titleVector }: IndexedFile): void {
    const slash = record.path.lastIndexOf('/')
    const name = record.path.slice(slash + 1)
    const folders = record.path.slice(0, Math.max(0, slash))
    const lengths = this.#postings.f.add(id, [name, folders, ''])
    encodeVector(titleVector, this.#columns.titles.rowForWriting(id))
    this.#documents.putFile(id, this.#documents.nextChunk, chunks.length, lengths)
  }

  #putChunks(file: FileId, { chunks, vectors }: IndexedFile): void {
    const { dimensions } = this.settings
    chunks.forEach((chunk, i) => {
      const id = this.#documents.nextChunk
      const names = [...chunk.symbols, chunk.scope].join(' ')
      const lengths = this.#postings.c.add(id, [chunk.text, names, chunk.comment])
      this.#documents.putChunk(id, file, lengths)
      encodeVector(vectors.subarray(i * dimensions, (i + 1) * dimensions), this.#vectors.rowForWriting(id))
      const { startLine, endLine, kind, name, scope } = chunk
      const symbols = chunk.symbols.join('\n')
      const sum = chunkSum({ id: id as ChunkId, file, startLine, endLine, kind, name, scope, symbols })
      this.#statements.putChunk.run(id, file, startLine, endLine, kind, name, scope, symbols, sum)
    })
  }

  get #documents(): DocumentColumns {
    return this.#columns.documents
  }

  get #vectors(): Column {
    return this.#columns.vectors
  }

  /** Read when the first file is written: an update that finds nothing to do needs none of them. */
  get #columns(): Columns {
    const { dimensions, titles } = this.settings
    this.#loaded ??= mapErrors(this.path, () => ({
      documents: new DocumentColumns(this.#database),
      vectors: Column.load(this.#database, VECTORS, vectorRowBytes(dimensions)),
      titles: Column.load(this.#database, TITLES, vectorRowBytes(titles.dimensions)),
    }))
    return this.#loaded
  }

  #flush(): void {
    if (LISTS.every((list) => this.#postings[list].isEmpty)) return
    const before = this.#facts.terms
    const segment = before.length
    const parts = LISTS.map((list) => {
      const terms: string[] = []
      this.#postings[list].flush((term, documents, data) => {
        this.#runs.put({ list, term, segment, documents, data })
        terms.push(term)
      })
      return [list, putTerms(this.#database, { list, segment, terms })]
    })
    this.#facts.put('terms', JSON.stringify([...before, Object.fromEntries(parts)]))
  }

  /** Drops deleted documents once they are most of the index; joins segments once they are many. */
  #tidy(): void {
    const database = this.#database
    if (isMostlyDead(this.#documents.snapshot().fileOf)) {
      compact(database, this.#facts, this.#columns)
      this.#isUnlinked = true
      this.#facts.count('numbering')
    } else if (this.#facts.terms.length > MAX_SEGMENTS) {
      joinSegments(database, this.#facts, this.#documents)
    }
  }

  #putFacts(): void {
    const files = this.#documents.snapshot().isLive.reduce((sum, isLive) => sum + isLive, 0)
    this.#facts.put('format', FORMAT_VERSION)
    this.#facts.put('features', FEATURE_VERSION)
    this.#facts.put('settings', JSON.stringify(this.settings))
    this.#facts.put('counts', JSON.stringify({ ...this.#facts.counts, files }))
    this.#facts.count('generation')
  }
}

/** Of symbols that are one to the index, the first. */
function onceEach(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const first = new Map<string, CodeSymbol>()
  for (const symbol of symbols) {
    const key = `${symbol.line} ${symbol.kind} ${symbol.name}`
    if (!first.has(key)) first.set(key, symbol)
  }
  return [...first.values()]
}

function newPostings(): Record<ListName, PostingsWriter> {
  return { c: new PostingsWriter(), f: new PostingsWriter(), s: new PostingsWriter() }
}

/** Whatever their order: SQLite sorts by bytes, JavaScript by code units. */
function isSameSkips(stored: readonly SkipRow[], rows: ReadonlyMap<string, SkipRow>): boolean {
  return (
    rows.size === stored.length &&
    stored.every((row) => JSON.stringify(row) === JSON.stringify(rows.get(row.path)))
  )
}

function makeTables(database: Database): void {
  if (database.prepare("select 1 from sqlite_master where name = 'meta'").get() !== undefined) return
  database
    .transaction(() => {
      database.exec(SCHEMA)
      putFirstFacts(new Facts(database))
      for (const kind of COLUMNS) makeColumn(database, kind)
    })
    .immediate()
}

type Statements = ReturnType<typeof prepare>

function prepare(
  database: Database,
): Record<
  'file' | 'putFile' | 'touch' | 'deleteFile' | 'putChunk' | 'deleteChunks' | 'putSymbol' | 'deleteSymbols',
  Statement
> {
  return {
    file: database.prepare(`${SELECT_FILE} where path = ?`),
    putFile: database.prepare('insert into files values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    touch: database.prepare('update files set mtime_ms = ?, ctime_ms = ?, inode = ?, sum = ? where id = ?'),
    deleteFile: database.prepare('delete from files where id = ?'),
    putChunk: database.prepare('insert into chunks values (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    deleteChunks: database.prepare('delete from chunks where id >= ? and id < ?'),
    putSymbol: database.prepare('insert into symbols values (?, ?, ?, ?, ?, ?, ?, ?)'),
    deleteSymbols: database.prepare('delete from symbols where file = ?'),
  }
}
