/**
 * The word vectors of a static embedding, read-only. Format: scripts/models/make_static_table.py.
 * A query needs a dozen of 40,000 rows, indexing nearly all: rows are read singly at first, then all at once.
 */
import { openSync, readFileSync, readSync, fstatSync, closeSync } from 'node:fs'
import { sha256 } from '../digest.js'
import { HoneError, messageOf } from '../errors.js'
import { VectorTable, vectorRowBytes } from '../vector/vector-table.js'

const MAGIC = 'HONEWORD'
const VERSION = 2
const DIGEST_AT = 24
const HEADER_BYTES = 56
const NEWLINE = 10
// Measured in a fresh process: a single read 14 us, reading all 9 ms; a search by halves 6 us, a Map of all words 43 ms.
const SINGLE_READS = 512
const SINGLE_SEARCHES = 2000

export class StaticTable {
  readonly size: number
  readonly dimensions: number
  /** SHA-256 of all after the header as the file states it, hex. `isIntact` compares; opening does not (9 ms). */
  readonly sha256: string
  /** By row: one occurrence of the word adds factor * levels. */
  readonly factor: Float32Array
  readonly #words: WordList
  readonly #rowsAt: number
  /** Rows looked at so far; making a view anew for each word of a text doubles the time of embedding. */
  readonly #views: (Int8Array | undefined)[]
  #singleReads = 0
  #all: Int8Array | undefined
  #vectors: VectorTable | undefined

  /** Opens a table. Throws HoneError MODEL_CORRUPT, naming the file, when it is not one or is cut short. */
  constructor(readonly path: string) {
    const file = openFile(path)
    try {
      const header = readHeader(file, path)
      if (header.readUInt32LE(8) !== VERSION) {
        throw corrupt(path, `version ${header.readUInt32LE(8)}, expected ${VERSION}`)
      }
      this.size = header.readUInt32LE(12)
      this.dimensions = header.readUInt32LE(16)
      this.sha256 = header.toString('hex', DIGEST_AT, HEADER_BYTES)
      const wordBytes = header.readUInt32LE(20)
      this.#rowsAt = HEADER_BYTES + wordBytes + this.size * 4
      const expected = this.#rowsAt + this.size * vectorRowBytes(this.dimensions)
      if (fstatSync(file).size !== expected) throw corrupt(path, 'wrong length')
      const body = readAt(file, HEADER_BYTES, wordBytes + this.size * 4)
      this.#views = new Array<Int8Array | undefined>(this.size)
      this.#words = new WordList(body.subarray(0, wordBytes), this.size)
      this.factor = new Float32Array(
        body.buffer.slice(body.byteOffset + wordBytes, body.byteOffset + body.length),
      )
    } finally {
      closeSync(file)
    }
  }

  /** The row of a word, or undefined when the table does not hold it. */
  rowOf(word: string): number | undefined {
    return this.#words.rowOf(word)
  }

  word(row: number): string {
    return this.#words.word(row)
  }

  /** The int8 entries of a row, -127..127. */
  levels(row: number): Int8Array {
    const known = this.#views[row]
    if (known !== undefined) return known
    if (this.#all === undefined && ++this.#singleReads > SINGLE_READS) this.#all = this.#readAll()
    const levels = this.#all === undefined ? this.#readRow(row) : this.#levelsIn(this.#all, row)
    this.#views[row] = levels
    return levels
  }

  #levelsIn(all: Int8Array, row: number): Int8Array {
    const at = row * vectorRowBytes(this.dimensions) + 4
    return all.subarray(at, at + this.dimensions)
  }

  /** Cosine of one word with every word, by row. */
  similarities(row: number): Float64Array {
    this.#vectors ??= new VectorTable(
      [new Uint8Array((this.#all ?? this.#readAll()).buffer)],
      this.dimensions,
    )
    return this.#vectors.similarities(this.#vectors.vector(row))
  }

  #readRow(row: number): Int8Array {
    const file = openFile(this.path)
    try {
      const at = this.#rowsAt + row * vectorRowBytes(this.dimensions) + 4
      return new Int8Array(readAt(file, at, this.dimensions))
    } finally {
      closeSync(file)
    }
  }

  #readAll(): Int8Array {
    const file = openFile(this.path)
    try {
      const bytes = readAt(file, this.#rowsAt, this.size * vectorRowBytes(this.dimensions))
      return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    } finally {
      closeSync(file)
    }
  }
}

/** Sorted words in one string; searched by halves at first, through a Map once there are many look-ups. */
class WordList {
  readonly #text: string
  readonly #starts: Uint32Array
  #searches = 0
  #map: Map<string, number> | undefined

  constructor(bytes: Buffer, count: number) {
    // Offsets are of bytes, so the text is kept byte by byte; words beyond ASCII are decoded when compared.
    this.#text = bytes.toString('latin1')
    this.#starts = new Uint32Array(count + 1)
    let row = 1
    let end = 0
    for (; end < bytes.length && bytes[end] !== 0; end++) {
      if (bytes[end] === NEWLINE && row < count) this.#starts[row++] = end + 1
    }
    this.#starts[count] = end + 1
  }

  word(row: number): string {
    const raw = this.#text.slice(this.#starts[row], this.#starts[row + 1]! - 1)
    return Buffer.from(raw, 'latin1').toString('utf8')
  }

  rowOf(word: string): number | undefined {
    if (this.#map !== undefined) return this.#map.get(word)
    if (++this.#searches > SINGLE_SEARCHES) {
      this.#map = new Map(Array.from({ length: this.#starts.length - 1 }, (_, row) => [this.word(row), row]))
      return this.#map.get(word)
    }
    return this.#search(Buffer.from(word, 'utf8').toString('latin1'))
  }

  #search(key: string): number | undefined {
    let low = 0
    let high = this.#starts.length - 2
    while (low <= high) {
      const middle = (low + high) >> 1
      const candidate = this.#text.slice(this.#starts[middle], this.#starts[middle + 1]! - 1)
      if (candidate === key) return middle
      if (candidate < key) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}

/** Whether the content of a table file is what its header says. For `hone doctor` and tests. */
export function isIntact(path: string): boolean {
  const file = readFileSync(path)
  const digest = sha256(file.subarray(HEADER_BYTES))
  return digest === file.toString('hex', DIGEST_AT, HEADER_BYTES)
}

function corrupt(path: string, what: string): HoneError {
  return new HoneError('MODEL_CORRUPT', `${path} is not a word-vector file (${what}); reinstall hone-code`)
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new HoneError(
      'MODEL_CORRUPT',
      `cannot read the word vectors ${path}: ${messageOf(error)}; reinstall hone-code`,
    )
  }
}

function readHeader(file: number, path: string): Buffer {
  let header: Buffer
  try {
    header = readAt(file, 0, HEADER_BYTES)
  } catch (error) {
    throw corrupt(path, messageOf(error)) // a folder, for one
  }
  const isWhole = header.length === HEADER_BYTES && header.toString('latin1', 0, 8) === MAGIC
  if (!isWhole) throw corrupt(path, 'no header')
  return header
}

/** Exactly `length` bytes from `at`, or what there is of them. */
function readAt(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.from(new ArrayBuffer(length)) // of its own, so that typed views are aligned
  let done = 0
  while (done < length) {
    const read = readSync(file, buffer, done, length - done, at + done)
    if (read === 0) break
    done += read
  }
  return buffer.subarray(0, done)
}
