/**
 * Rows of files, chunks, symbols and skipped files as the tables hold them, each with its checksum: written with it, and
 * never given back without a look at it.
 */
import type { SkipReason, SymbolKind } from '../types.js'
import { rowSum } from './checksum.js'
import { damage, type Database } from './database.js'
import type { FileRecord, StampedSkip, Stamp, StoredChunk, StoredFile, StoredSymbol } from './records.js'

/** A file with the number of its symbols. */
export interface FileRow extends StoredFile {
  readonly symbols: number
  readonly sum: number
}

export const SELECT_FILE =
  'select id, path, language, bytes, lines, mtime_ms mtimeMs, ctime_ms ctimeMs, inode, hash, symbols, sum from files'

/** Of a file under an id. */
export function fileSum(id: number, file: FileRecord & { readonly symbols: number }): number {
  const { path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash, symbols } = file
  return rowSum([path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash, symbols]) + id
}

export function checkedFile(database: Database, row: FileRow): FileRow {
  if (row.sum !== fileSum(row.id, row)) throw damage(database.name, 'the row of a file')
  return row
}

/** All files, sorted by path in the order of SQLite. Throws INDEX_CORRUPT where there are not so many, once each. */
export function allFiles(database: Database, count: number): readonly FileRow[] {
  const rows = database.prepare<unknown[], FileRow>(`${SELECT_FILE} order by path`).all()
  const ids = new Set(rows.map((row) => checkedFile(database, row).id))
  if (rows.length !== count || ids.size !== count) throw damage(database.name, 'a file is missing')
  return rows
}

export interface ChunkRow extends Omit<StoredChunk, 'symbols'> {
  /** Joined with newlines. */
  readonly symbols: string
  readonly sum: number
}

export const SELECT_CHUNK =
  'select id, file, start_line startLine, end_line endLine, kind, name, scope, symbols, sum from chunks'

export function chunkSum(row: Omit<ChunkRow, 'sum'>): number {
  const { id, file, startLine, endLine, kind, name, scope, symbols } = row
  return rowSum([startLine, endLine, kind, name, scope, symbols]) + id + file
}

export function checkedChunk(database: Database, row: ChunkRow): StoredChunk {
  const { sum, ...chunk } = row
  if (sum !== chunkSum(row)) throw damage(database.name, `the row of chunk ${row.id}`)
  return { ...chunk, symbols: chunk.symbols === '' ? [] : chunk.symbols.split('\n') }
}

export interface SymbolRow extends StoredSymbol {
  readonly kind: SymbolKind
  readonly sum: number
}

export const SELECT_SYMBOL =
  'select file, line, name, kind, scope, start_line startLine, end_line endLine, sum from symbols'

export function symbolSum({ file, ...symbol }: StoredSymbol): number {
  const { name, line, kind, scope, startLine, endLine } = symbol
  return rowSum([name, line, kind, scope, startLine, endLine]) + file
}

/** Symbols of one file or name, which must be so many, each once. */
export function checkedSymbols(
  database: Database,
  rows: readonly SymbolRow[],
  count: number,
): readonly StoredSymbol[] {
  const seen = new Set<string>()
  const symbols = rows.map(({ sum, ...symbol }) => {
    if (sum !== symbolSum(symbol)) throw damage(database.name, 'the row of a symbol')
    seen.add(`${symbol.line} ${symbol.kind} ${symbol.name}`)
    return symbol
  })
  if (rows.length !== count || seen.size !== count) throw damage(database.name, 'a symbol is missing')
  return symbols
}

export interface SkipRow {
  readonly path: string
  readonly reason: SkipReason
  readonly detail: string
  readonly stamp: string | null
}

export function skipRow({ path, reason, detail, stamp }: StampedSkip): SkipRow {
  return { path, reason, detail: detail ?? '', stamp: stamp === undefined ? null : JSON.stringify(stamp) }
}

export function skipSum({ path, reason, detail, stamp }: SkipRow): number {
  return rowSum([path, reason, detail, stamp])
}

/** All skipped files, sorted by path in the order of SQLite. Throws INDEX_CORRUPT where there are not so many. */
export function allSkips(database: Database, count: number): readonly SkipRow[] {
  const rows = database
    .prepare<unknown[], SkipRow & { readonly sum: number }>(
      'select path, reason, detail, stamp, sum from skipped order by path',
    )
    .all()
  const paths = new Set<string>()
  for (const { sum, ...row } of rows) {
    if (sum !== skipSum(row)) throw damage(database.name, 'the row of a skipped file')
    paths.add(row.path)
  }
  if (rows.length !== count || paths.size !== count) throw damage(database.name, 'a skipped file is missing')
  return rows.map(({ path, reason, detail, stamp }) => ({ path, reason, detail, stamp }))
}

/** Those that were read and then skipped, by path. */
export function stampedSkips(rows: readonly SkipRow[]): ReadonlyMap<string, StampedSkip> {
  const read = rows.flatMap(({ stamp, ...row }) =>
    stamp === null ? [] : [{ ...row, stamp: JSON.parse(stamp) as Stamp }],
  )
  return new Map(read.map((skip) => [skip.path, skip]))
}

/** A file without what only the store needs. */
export function storedFile(row: FileRow): StoredFile {
  const { id, path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash } = row
  return { id, path, language, bytes, lines, mtimeMs, ctimeMs, inode, hash }
}
