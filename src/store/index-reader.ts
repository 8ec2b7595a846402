/**
 * Reading one index database. Answers are of one moment, held by a read transaction: `refresh` notices another
 * process's commit and goes on to it.
 */
import { dirname } from 'node:path'
import { HoneError } from '../errors.js'
import type { ChunkId, FileId, SkippedFile, SkipReason, SymbolKind } from '../types.js'
import { pagesOf } from './columns.js'
import { damage, mapErrors, openDatabase, type Database } from './database.js'
import { DocumentColumns, type DocumentArrays } from './document-columns.js'
import { parsedSettings } from './kept-settings.js'
import { mendCommand } from './mend.js'
import { Past } from './past.js'
import { readHistoryRecord } from './past-writer.js'
import { NO_POSTINGS, type Postings } from './postings.js'
import { parsedStamp } from './records.js'
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
import { RunReader } from './stored-runs.js'
import { VectorTable } from '../vector/vector-table.js'
import { buildGraph, graphIndex, hasGraph, HNSW_FROM_CHUNKS, type GraphBuildOptions } from './hnsw.js'
import type { GraphSource } from './graph-file.js'
import { ExactIndex, type VectorIndex } from './vectors.js'

// Decoded postings kept between queries, in documents (10 bytes each).
const MAX_CACHED_DOCUMENTS = 2_000_000

// All paths of a repository up to this size are read in one go; of a larger one singly, as needed.
const MAX_PATHS_AT_ONCE = 5000
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
  readonly skipped: number
  readonly history: HistoryRecord
  past?: Past
  /** Filled as they are asked for. */
  readonly paths: Map<FileId, string>
  allPaths?: readonly FilePath[]
  readonly symbols: Map<string, readonly StoredSymbol[]>
  vectors?: VectorTable
  vectorIndex?: VectorIndex
}

export class IndexReader {
  readonly #database: Database
  readonly #postings = new Map<string, Postings>()
  readonly #options: ReaderOptions
  #cachedDocuments = 0
  #runs: RunReader | undefined
  #state: State

  /** Throws INDEX_MISSING, INDEX_VERSION or INDEX_CORRUPT. */
  constructor(
    readonly path: string,
    options: ReaderOptions = {},
  ) {
    this.#options = options
    this.#database = openDatabase(path, 'read')
    try {
      this.#state = this.#load()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Reads anew if the index was written since. Returns whether it was. */
  refresh(): boolean {
    this.#toNow()
    if (this.#meta('generation') === this.#state.generation) return false
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
    return { files: this.liveFiles, chunks: this.liveChunks, skipped: this.#state.skipped }
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

  /** Reads the vectors now rather than on first use. */
  loadVectors(): void {
    if (this.#state.vectors === undefined) this.#state.vectors = this.vectors
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

  /** Builds the graph if it is wanted; false when nothing was built. */
  async buildGraphIfWanted(options: GraphBuildOptions = {}): Promise<boolean> {
    return (await this.graphWanted()?.(options)) ?? false
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
    const postings = mapErrors(this.path, () => {
      this.#runs ??= new RunReader(this.#database)
      return this.#runs.read(list === 'chunks' ? 'c' : 'f', term)
    })
    if (postings === undefined) return NO_POSTINGS
    this.#remember(key, postings)
    return postings
  }

  file(id: FileId): StoredFile {
    const row = this.#all<StoredFile>(`${SELECT_FILE} where id = ?`, id)[0]
    if (row === undefined) throw this.#missing(`file ${id}`)
    return row
  }

  pathOf(id: FileId): string {
    const { paths } = this.#state
    if (paths.size === 0 && this.liveFiles <= MAX_PATHS_AT_ONCE) this.allPaths()
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
      this.#state.allPaths = this.#all<FilePath>('select id, path from files order by path')
      for (const { id, path } of this.#state.allPaths) paths.set(id, path)
    }
    return this.#state.allPaths
  }

  fileAt(path: string): StoredFile | undefined {
    return this.#all<StoredFile>(`${SELECT_FILE} where path = ?`, path)[0]
  }

  /** All files, sorted by path. */
  files(): readonly StoredFile[] {
    return this.#all<StoredFile>(`${SELECT_FILE} order by path`)
  }

  skipped(): readonly SkippedFile[] {
    return this.#all<{ path: string; reason: SkipReason; detail: string }>(
      'select path, reason, detail from skipped order by path',
    ).map(({ path, reason, detail }) => (detail === '' ? { path, reason } : { path, reason, detail }))
  }

  chunk(id: ChunkId): StoredChunk {
    const row = this.#all<ChunkRow>(`${SELECT_CHUNK} where id = ?`, id)[0]
    if (row === undefined) throw this.#missing(`chunk ${id}`)
    return toChunk(row)
  }

  /** Chunks of a file in line order. */
  chunksOf(file: FileId): readonly StoredChunk[] {
    const first = this.documents.firstChunk[file] ?? 0
    const count = this.documents.chunkCount[file] ?? 0
    return this.#all<ChunkRow>(
      `${SELECT_CHUNK} where id >= ? and id < ? order by id`,
      first,
      first + count,
    ).map(toChunk)
  }

  symbolsOf(file: FileId): readonly StoredSymbol[] {
    return this.#all<SymbolRow>(`${SELECT_SYMBOL} where file = ? order by line, name`, file)
  }

  symbolsNamed(name: string): readonly StoredSymbol[] {
    const known = this.#state.symbols.get(name)
    if (known !== undefined) return known
    const symbols = this.#all<SymbolRow>(`${SELECT_SYMBOL} where name = ? order by file, line`, name)
    if (this.#state.symbols.size >= MAX_CACHED_NAMES) this.#state.symbols.clear()
    this.#state.symbols.set(name, symbols)
    return symbols
  }

  /** Files that were read and then skipped, by path. */
  storedSkips(): ReadonlyMap<string, StampedSkip> {
    const rows = this.#all<{ path: string; reason: SkipReason; detail: string; stamp: string }>(
      'select path, reason, detail, stamp from skipped where stamp is not null',
    )
    return new Map(rows.map((row) => [row.path, { ...row, stamp: parsedStamp(row.stamp) }]))
  }

  storedFiles(): ReadonlyMap<string, FileRecord> {
    return new Map(this.files().map((file) => [file.path, file]))
  }

  close(): void {
    this.#database.close()
  }

  /** Starts a read transaction on the newest commit and reads what every query needs. */
  #load(): State {
    this.#toNow()
    return mapErrors(this.path, () => {
      this.#checkVersion()
      const documents = new DocumentColumns(this.#database).snapshot()
      return {
        generation: this.#meta('generation'),
        numbering: this.#meta('numbering'),
        settings: this.#settings(),
        history: readHistoryRecord(this.#database) ?? UNREAD_HISTORY,
        documents,
        skipped: this.#database.prepare('select count(*) from skipped').pluck().get() as number,
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
    const settings = parsedSettings(this.#meta('settings'))
    if (settings === undefined) throw this.#missing('the list of settings')
    return settings
  }

  #missing(what: string): HoneError {
    return damage(this.path, `${what} is missing`)
  }

  #checkVersion(): void {
    const hasMeta =
      this.#database.prepare("select 1 from sqlite_master where name = 'meta'").get() !== undefined
    const format = hasMeta ? Number(this.#meta('format')) : 0
    const features = hasMeta ? Number(this.#meta('features')) : 0
    if (format === FORMAT_VERSION && features === FEATURE_VERSION) return
    throw new HoneError(
      'INDEX_VERSION',
      `the index ${this.path} has format ${format}.${features}, this hone reads ${FORMAT_VERSION}.${FEATURE_VERSION}; run: ${mendCommand(dirname(this.path))}`,
    )
  }

  #meta(key: string): string {
    return this.#all<{ value: string }>('select value from meta where key = ?', key)[0]?.value ?? ''
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
      return parsedSettings(
        String(database.prepare("select value from meta where key = 'settings'").pluck().get()),
      )
    } finally {
      database.close()
    }
  } catch {
    return undefined // damaged, or no database of hone's: nothing to keep
  }
}

const SELECT_FILE =
  'select id, path, language, bytes, lines, mtime_ms mtimeMs, ctime_ms ctimeMs, inode, hash from files'
const SELECT_CHUNK =
  'select id, file, start_line startLine, end_line endLine, kind, name, scope, symbols from chunks'
const SELECT_SYMBOL =
  'select file, line, name, kind, scope, start_line startLine, end_line endLine from symbols'

/** Symbols joined with newlines. */
type ChunkRow = Omit<StoredChunk, 'symbols'> & { readonly symbols: string }

interface SymbolRow extends StoredSymbol {
  readonly kind: SymbolKind
}

function countLive(live: Uint32Array | Uint8Array): number {
  let n = 0
  for (const value of live) if (value > 0) n++
  return n
}

function toChunk(row: ChunkRow): StoredChunk {
  return { ...row, symbols: row.symbols === '' ? [] : row.symbols.split('\n') }
}
