/**
 * Reading one index database. Answers are of one moment, held by a read transaction: `refresh` notices another
 * process's commit and goes on to it.
 */
import { dirname } from 'node:path'
import { HoneError } from '../errors.js'
import { isUnspacedCharacter } from '../text/words.js'
import type { ChunkId, FileId, SkippedFile } from '../types.js'
import { pagesOf } from './columns.js'
import { damage, mapErrors, openDatabase, type Database } from './database.js'
import { DocumentColumns, type DocumentArrays } from './document-columns.js'
import { Facts, isOfThisVersion, versionsOf, type RowCounts } from './facts.js'
import { parsedSettings } from './kept-settings.js'
import { mendCommand } from './mend.js'
import { Past } from './past.js'
import { readHistoryRecord } from './past-writer.js'
import type { ListName } from './posting-lists.js'
import { MAX_COUNT, NO_POSTINGS, summed, type Postings } from './postings.js'
import type {
  FileRecord,
  HistoryRecord,
  IndexSettings,
  IndexStats,
  StampedSkip,
  StoredChunk,
  StoredFile,
  StoredSymbol,
} from './records.js'
import { FEATURE_VERSION, FORMAT_VERSION } from './schema.js'
import {
  allFiles,
  allSkips,
  checkedChunk,
  checkedFile,
  checkedSymbols,
  SELECT_CHUNK,
  SELECT_FILE,
  SELECT_SYMBOL,
  stampedSkips,
  storedFile,
  type ChunkRow,
  type FileRow,
  type SkipRow,
  type SymbolRow,
} from './rows.js'
import { RunReader } from './stored-runs.js'
import { TermDirectory } from './term-directory.js'
import { VectorTable } from '../vector/vector-table.js'
import { buildGraph, graphIndex, hasGraph, HNSW_FROM_CHUNKS, type GraphBuildOptions } from './hnsw.js'
import type { GraphSource } from './graph-file.js'
import { ExactIndex, type VectorIndex } from './vectors.js'

// Decoded postings kept between queries, in documents (10 bytes each).
const MAX_CACHED_DOCUMENTS = 2_000_000

// All files of a repository up to this size are read in one go and kept; of a larger one singly, as needed.
const MAX_FILES_KEPT = 5000
// Names whose definitions are kept, absent ones included.
const MAX_CACHED_NAMES = 50_000

export type PostingList = 'chunks' | 'files'

export interface ReaderOptions {
  /** Chunks from which on a graph is used. Default HNSW_FROM_CHUNKS. */
  readonly graphFrom?: number
  /** Searches before the graph is loaded, see hnsw.ts. */
  readonly loadGraphAfter?: number
}

/** A file as those need it who look at all of them. */
export interface FilePath {
  readonly id: FileId
  readonly path: string
}

interface State {
  readonly generation: string
  /** Which numbering the ids of chunks are of, see compaction.ts. */
  readonly numbering: string
  readonly settings: IndexSettings
  readonly documents: DocumentArrays
  readonly liveChunks: number
  readonly liveFiles: number
  readonly counts: RowCounts
  readonly runs: RunReader
  readonly history: HistoryRecord
  past?: Past
  /** Filled as they are asked for. */
  files?: readonly FileRow[]
  readonly paths: Map<FileId, string>
  allPaths?: readonly FilePath[]
  readonly symbols: Map<string, readonly StoredSymbol[]>
  vectors?: VectorTable
  titles?: VectorTable
  vectorIndex?: VectorIndex
}

export class IndexReader {
  readonly #database: Database
  readonly #postings = new Map<string, Postings>()
  readonly #options: ReaderOptions
  readonly #facts: Facts
  #cachedDocuments = 0
  #state: State

  /** Throws INDEX_MISSING, INDEX_VERSION or INDEX_CORRUPT. */
  constructor(
    readonly path: string,
    options: ReaderOptions = {},
  ) {
    this.#options = options
    this.#database = openDatabase(path, 'read')
    try {
      mapErrors(path, () => {
        this.#checkVersion()
      })
      this.#facts = mapErrors(path, () => new Facts(this.#database))
      this.#state = this.#load()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Reads anew if the index was written since. Returns whether it was. */
  refresh(): boolean {
    this.#toNow()
    if (mapErrors(this.path, () => this.#facts.get('generation')) === this.#state.generation) return false
    this.#postings.clear()
    this.#cachedDocuments = 0
    this.#state = this.#load()
    return true
  }

  /** Layout and feature version, e.g. "1.1". */
  readonly format = `${FORMAT_VERSION}.${FEATURE_VERSION}`

  get settings(): IndexSettings {
    return this.#state.settings
  }

  get documents(): DocumentArrays {
    return this.#state.documents
  }

  /** Chunks and files of the index, deleted ones left out. */
  get liveChunks(): number {
    return this.#state.liveChunks
  }

  get liveFiles(): number {
    return this.#state.liveFiles
  }

  get stats(): IndexStats {
    return { files: this.liveFiles, chunks: this.liveChunks, skipped: this.#state.counts.skipped }
  }

  /** What is known of the history, besides the commits. */
  get history(): HistoryRecord {
    return this.#state.history
  }

  /** Past commits. */
  get past(): Past {
    this.#state.past ??= mapErrors(this.path, () => Past.load(this.#database))
    return this.#state.past
  }

  get vectors(): VectorTable {
    const { dimensions } = this.settings
    this.#state.vectors ??= mapErrors(
      this.path,
      () => new VectorTable(pagesOf(this.#database, 'vector'), dimensions),
    )
    return this.#state.vectors
  }

  /** Vectors of the titles of files, by file id. */
  get titles(): VectorTable {
    this.#state.titles ??= mapErrors(
      this.path,
      () => new VectorTable(pagesOf(this.#database, 'title'), this.settings.titles.dimensions),
    )
    return this.#state.titles
  }

  /** Reads the vectors now rather than on first use. */
  loadVectors(): void {
    if (this.#state.vectors === undefined) this.#state.vectors = this.vectors
    if (this.#state.titles === undefined) this.#state.titles = this.titles
  }

  /** Exact search, or from HNSW_FROM_CHUNKS on the graph when `hone index` has left one. */
  get vectorIndex(): VectorIndex {
    this.#state.vectorIndex ??= this.#graph() ?? new ExactIndex(this.vectors, { tieOrder: this.#byPlace })
    return this.#state.vectorIndex
  }

  /**
   * What builds the graph, if this index is large enough to want one and has none that holds nearly all chunks; it can be
   * called when the reader is closed, and resolves to false when nothing was built.
   */
  graphWanted(): ((options: GraphBuildOptions) => Promise<boolean>) | undefined {
    if (!this.#isLarge() || hasGraph(this.path, this.#graphSource())) return undefined
    const { fileOf } = this.documents
    const chunks = Array.from(fileOf.keys()).filter((id) => fileOf[id]! > 0) as ChunkId[]
    const source = { ...this.#graphSource(), chunks }
    return (options) => buildGraph(this.path, source, options)
  }

  #graph(): VectorIndex | undefined {
    if (!this.#isLarge()) return undefined
    const { loadGraphAfter } = this.#options
    return graphIndex(
      this.path,
      this.#graphSource(),
      loadGraphAfter === undefined ? {} : { loadAfter: loadGraphAfter },
    )
  }

  #isLarge(): boolean {
    return this.liveChunks >= (this.#options.graphFrom ?? HNSW_FROM_CHUNKS)
  }

  #graphSource(): GraphSource {
    return { table: this.vectors, numbering: this.#state.numbering, tieOrder: this.#byPlace }
  }

  /** By path, then line: ids tell in what order files were indexed, and an updated index must answer as a new one. */
  readonly #byPlace = (a: number, b: number): number => {
    const { fileOf } = this.documents
    const [fileA, fileB] = [fileOf[a] as FileId, fileOf[b] as FileId]
    if (fileA === fileB) return a - b // chunks of a file have ids in line order
    return this.pathOf(fileA) < this.pathOf(fileB) ? -1 : 1
  }

  /** Documents that hold `term`, deleted ones included (see `documents`). */
  postings(list: PostingList, term: string): Postings {
    const key = `${list}:${term}`
    const cached = this.#postings.get(key)
    if (cached !== undefined) return cached
    const postings = mapErrors(this.path, () => this.#read(list === 'chunks' ? 'c' : 'f', term))
    if (postings === undefined) return NO_POSTINGS
    this.#remember(key, postings)
    return postings
  }

  /** A character of a script without blanks is indexed in pairs only: it is wherever one of its pairs is. */
  #read(list: ListName, term: string): Postings | undefined {
    const { runs } = this.#state
    return isUnspacedCharacter(term)
      ? summed(runs.termsWith(list, term).flatMap((pair) => runs.read(list, pair) ?? []))
      : runs.read(list, term)
  }

  file(id: FileId): StoredFile {
    return storedFile(this.#fileRow(id))
  }

  pathOf(id: FileId): string {
    const { paths } = this.#state
    if (paths.size === 0 && this.liveFiles <= MAX_FILES_KEPT) this.allPaths()
    const known = paths.get(id)
    if (known !== undefined) return known
    const { path } = this.file(id)
    paths.set(id, path)
    return path
  }

  /** Every path with its file, sorted by path. Kept, as much memory as the paths themselves. */
  allPaths(): readonly FilePath[] {
    const { paths } = this.#state
    if (this.#state.allPaths === undefined) {
      this.#state.allPaths = this.#fileRows().map(({ id, path }) => ({ id, path }))
      for (const { id, path } of this.#state.allPaths) paths.set(id, path)
    }
    return this.#state.allPaths
  }

  fileAt(path: string): StoredFile | undefined {
    const row = this.#all<FileRow>(`${SELECT_FILE} where path = ?`, path)[0]
    if (row !== undefined && checkedFile(this.#database, row).path === path) return storedFile(row)
    if (this.#fileRows().some((file) => file.path === path)) throw this.#missing(`where ${path} is found`)
    return undefined
  }

  /** All files, sorted by path. */
  files(): readonly StoredFile[] {
    return this.#fileRows().map(storedFile)
  }

  skipped(): readonly SkippedFile[] {
    return this.#skips().map(({ path, reason, detail }) =>
      detail === '' ? { path, reason } : { path, reason, detail },
    )
  }

  chunk(id: ChunkId): StoredChunk {
    const row = this.#all<ChunkRow>(`${SELECT_CHUNK} where id = ?`, id)[0]
    if (row === undefined) throw this.#missing(`chunk ${id}`)
    return checkedChunk(this.#database, row)
  }

  /** Chunks of a file in line order. */
  chunksOf(file: FileId): readonly StoredChunk[] {
    const first = this.documents.firstChunk[file] ?? 0
    const count = this.documents.chunkCount[file] ?? 0
    const rows = this.#all<ChunkRow>(
      `${SELECT_CHUNK} where id >= ? and id < ? order by id`,
      first,
      first + count,
    )
    if (rows.length !== count || rows.some(({ id }, n) => id !== first + n))
      throw this.#missing(`a chunk of file ${file}`)
    return rows.map((row) => checkedChunk(this.#database, row))
  }

  symbolsOf(file: FileId): readonly StoredSymbol[] {
    const rows = this.#all<SymbolRow>(`${SELECT_SYMBOL} where file = ? order by line, name`, file)
    return checkedSymbols(this.#database, rows, this.#fileRow(file).symbols)
  }

  /** Sorted by file, then line. */
  symbolsNamed(name: string): readonly StoredSymbol[] {
    const known = this.#state.symbols.get(name)
    if (known !== undefined) return known
    const symbols = this.#readSymbols(name)
    if (this.#state.symbols.size >= MAX_CACHED_NAMES) this.#state.symbols.clear()
    this.#state.symbols.set(name, symbols)
    return symbols
  }

  #readSymbols(name: string): readonly StoredSymbol[] {
    const postings = mapErrors(this.path, () => this.#state.runs.read('s', name)) ?? NO_POSTINGS
    const { ids, counts, length } = postings
    return Array.from(ids.subarray(0, length)).flatMap((file, i) => {
      if (this.documents.isLive[file] !== 1) return []
      const rows = this.#all<SymbolRow>(
        `${SELECT_SYMBOL} where file = ? and name = ? order by line`,
        file,
        name,
      )
      const count = counts[0][i]! // as long as the ids
      return checkedSymbols(this.#database, rows, count === MAX_COUNT ? Math.max(count, rows.length) : count)
    })
  }

  /** Files that were read and then skipped, by path. */
  storedSkips(): ReadonlyMap<string, StampedSkip> {
    return stampedSkips(this.#skips())
  }

  storedFiles(): ReadonlyMap<string, FileRecord> {
    return new Map(this.#fileRows().map((file) => [file.path, file]))
  }

  #fileRow(id: FileId): FileRow {
    const row = this.#all<FileRow>(`${SELECT_FILE} where id = ?`, id)[0]
    if (row === undefined) throw this.#missing(`file ${id}`)
    return checkedFile(this.#database, row)
  }

  #fileRows(): readonly FileRow[] {
    if (this.#state.files !== undefined) return this.#state.files
    const rows = mapErrors(this.path, () => allFiles(this.#database, this.#state.counts.files))
    if (rows.length <= MAX_FILES_KEPT) this.#state.files = rows
    return rows
  }

  #skips(): readonly SkipRow[] {
    return mapErrors(this.path, () => allSkips(this.#database, this.#state.counts.skipped))
  }

  close(): void {
    this.#database.close()
  }

  /** Starts a read transaction on the newest commit and reads what every query needs. */
  #load(): State {
    this.#toNow()
    return mapErrors(this.path, () => {
      this.#checkVersion()
      this.#facts.checkVersions()
      const documents = new DocumentColumns(this.#database).snapshot()
      return {
        generation: this.#facts.get('generation'),
        numbering: this.#facts.get('numbering'),
        settings: this.#settings(),
        history: readHistoryRecord(this.#database) ?? UNREAD_HISTORY,
        documents,
        counts: this.#facts.counts,
        runs: new RunReader(this.#database, new TermDirectory(this.#database, this.#facts.terms)),
        paths: new Map(),
        symbols: new Map(),
        liveChunks: countLive(documents.fileOf),
        liveFiles: countLive(documents.isLive),
      }
    })
  }

  /** Lets go of the moment that was read, if any; the next statement is of the newest commit. */
  #toNow(): void {
    mapErrors(this.path, () => {
      if (this.#database.inTransaction) this.#database.exec('commit')
      this.#database.exec('begin')
    })
  }

  #settings(): IndexSettings {
    const settings = parsedSettings(this.#facts.get('settings'))
    if (settings === undefined) throw this.#missing('the list of settings')
    return settings
  }

  #missing(what: string): HoneError {
    return damage(this.path, `${what} is missing`)
  }

  #checkVersion(): void {
    const versions = versionsOf(this.#database)
    if (isOfThisVersion(versions)) return
    throw new HoneError(
      'INDEX_VERSION',
      `the index ${this.path} has format ${versions.join('.')}, this hone reads ${FORMAT_VERSION}.${FEATURE_VERSION}; run: ${mendCommand(dirname(this.path))}`,
    )
  }

  #remember(key: string, postings: Postings): void {
    this.#cachedDocuments += postings.length
    if (this.#cachedDocuments > MAX_CACHED_DOCUMENTS) {
      this.#postings.clear()
      this.#cachedDocuments = postings.length
    }
    this.#postings.set(key, postings)
  }

  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>()

  #all<Row>(sql: string, ...values: readonly (string | number)[]): Row[] {
    return mapErrors(this.path, () => {
      let statement = this.#prepared.get(sql)
      if (statement === undefined) {
        statement = this.#database.prepare(sql)
        this.#prepared.set(sql, statement)
      }
      return statement.all(values) as Row[]
    })
  }
}

// Of a build that was killed before it got there.
const UNREAD_HISTORY: HistoryRecord = {
  state: { kind: 'none', why: 'off' },
  stamp: '',
  prefix: '',
  isCut: false,
}

/** Settings of an index of any version, or undefined where none can be read. */
export function settingsAt(path: string): IndexSettings | undefined {
  try {
    const database = openDatabase(path, 'read')
    try {
      const isOurs = isOfThisVersion(versionsOf(database))
      const settings: unknown = isOurs
        ? new Facts(database).get('settings')
        : database.prepare("select value from meta where key = 'settings'").pluck().get()
      return parsedSettings(String(settings))
    } finally {
      database.close()
    }
  } catch {
    return undefined // damaged, or no database of hone's: nothing to keep
  }
}

function countLive(live: Uint32Array | Uint8Array): number {
  let n = 0
  for (const value of live) if (value > 0) n++
  return n
}
