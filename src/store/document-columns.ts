/**
 * The numbers ranking needs of every chunk and every file, by id: which file a chunk belongs to, and field lengths.
 * A row whose link is zero is a deleted document; its postings and vector are ignored until compaction
 * (compaction.ts).
 */
import type { FileId } from '../types.js'
import { Column } from './columns.js'
import type { Database } from './database.js'

// chunk row: u32 file id (0 = deleted), u16 length of body, names, comment
const CHUNK_ROW_BYTES = 10
// file row: u32 first chunk, u32 chunk count + 1 (0 = deleted), u16 length of file name, folder names
const FILE_ROW_BYTES = 12

/** Kinds of pages. */
export const DOCUMENT_COLUMNS = ['chunk', 'file'] as const

export class DocumentColumns {
  readonly #chunks: Column
  readonly #files: Column

  constructor(database: Database) {
    this.#chunks = Column.load(database, DOCUMENT_COLUMNS[0], CHUNK_ROW_BYTES)
    this.#files = Column.load(database, DOCUMENT_COLUMNS[1], FILE_ROW_BYTES)
  }

  get nextChunk(): number {
    return Math.max(1, this.#chunks.rows) // ids start at 1
  }

  get nextFile(): number {
    return Math.max(1, this.#files.rows)
  }

  putChunk(id: number, file: FileId, lengths: readonly [number, number, number]): void {
    const row = writer(this.#chunks.rowForWriting(id))
    row.setUint32(0, file, true)
    lengths.forEach((length, f) => {
      row.setUint16(4 + 2 * f, length, true)
    })
  }

  putFile(id: FileId, firstChunk: number, chunks: number, lengths: readonly [number, number, number]): void {
    const row = writer(this.#files.rowForWriting(id))
    row.setUint32(0, firstChunk, true)
    row.setUint32(4, chunks + 1, true)
    row.setUint16(8, lengths[0], true)
    row.setUint16(10, lengths[1], true)
  }

  /** Marks a file and its chunks as deleted; returns the range of its chunk ids. */
  removeFile(id: FileId): { readonly first: number; readonly end: number } {
    const row = writer(this.#files.rowForWriting(id))
    const first = row.getUint32(0, true)
    const count = row.getUint32(4, true) - 1
    for (let chunk = first; chunk < first + count; chunk++) {
      writer(this.#chunks.rowForWriting(chunk)).setUint32(0, 0, true)
    }
    row.setUint32(4, 0, true)
    return { first, end: first + count }
  }

  /** Gives live documents their new ids and forgets deleted ones. */
  renumber({ chunks, files }: Renumbering): void {
    const { fileOf, firstChunk } = this.snapshot()
    chunks.kept.forEach((id) => {
      writer(this.#chunks.rowForWriting(id)).setUint32(0, files.newId[fileOf[id]!] ?? 0, true)
    })
    files.kept.forEach((id) => {
      writer(this.#files.rowForWriting(id)).setUint32(0, chunks.newId[firstChunk[id]!] ?? 0, true)
    })
    this.#chunks.keep(chunks.kept)
    this.#files.keep(files.kept)
  }

  save(database: Database): void {
    this.#chunks.save(database)
    this.#files.save(database)
  }

  /** The columns as plain arrays, for reading. */
  snapshot(): DocumentArrays {
    const chunks = this.#chunks.view()
    const files = this.#files.view()
    const c = this.#chunks.rows
    const f = this.#files.rows
    return {
      fileOf: readU32(chunks, c, { rowBytes: CHUNK_ROW_BYTES, at: 0 }),
      chunkLengths: [4, 6, 8].map((at) => readU16(chunks, c, { rowBytes: CHUNK_ROW_BYTES, at })) as [
        Uint16Array,
        Uint16Array,
        Uint16Array,
      ],
      firstChunk: readU32(files, f, { rowBytes: FILE_ROW_BYTES, at: 0 }),
      chunkCount: readU32(files, f, { rowBytes: FILE_ROW_BYTES, at: 4 }).map((n) => (n === 0 ? 0 : n - 1)),
      isLive: Uint8Array.from({ length: f }, (_, id) =>
        files.getUint32(id * FILE_ROW_BYTES + 4, true) > 0 ? 1 : 0,
      ),
      fileLengths: [8, 10].map((at) => readU16(files, f, { rowBytes: FILE_ROW_BYTES, at })) as [
        Uint16Array,
        Uint16Array,
      ],
    }
  }
}

/** New ids of one kind of documents. The order is kept, so posting lists stay sorted. */
export interface NewIds {
  /** By old id; 0 for a deleted document. */
  readonly newId: Int32Array
  /** Old ids by new id; kept[0] is the row 0 that no document has. */
  readonly kept: Int32Array
}

export interface Renumbering {
  readonly chunks: NewIds
  readonly files: NewIds
}

export interface DocumentArrays {
  /** By chunk id: the file's id, 0 for a deleted chunk. */
  readonly fileOf: Uint32Array
  /** By chunk id: terms in body, names, comment. */
  readonly chunkLengths: readonly [Uint16Array, Uint16Array, Uint16Array]
  /** By file id. Chunks of a file are firstChunk .. firstChunk + chunkCount - 1, in line order. */
  readonly firstChunk: Uint32Array
  readonly chunkCount: Uint32Array
  /** By file id: 1 for a file of the index, 0 for a deleted one. */
  readonly isLive: Uint8Array
  /** By file id: terms in the file name, in the folder names. */
  readonly fileLengths: readonly [Uint16Array, Uint16Array]
}

function writer(row: Uint8Array): DataView {
  return new DataView(row.buffer, row.byteOffset, row.length)
}

interface ColumnPlace {
  readonly rowBytes: number
  readonly at: number
}

function readU16(view: DataView, rows: number, { rowBytes, at }: ColumnPlace): Uint16Array {
  const column = new Uint16Array(rows)
  for (let id = 0; id < rows; id++) column[id] = view.getUint16(id * rowBytes + at, true)
  return column
}

function readU32(view: DataView, rows: number, { rowBytes, at }: ColumnPlace): Uint32Array {
  const column = new Uint32Array(rows)
  for (let id = 0; id < rows; id++) column[id] = view.getUint32(id * rowBytes + at, true)
  return column
}
