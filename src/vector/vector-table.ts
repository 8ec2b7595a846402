/**
 * Many vectors side by side and their cosines with one. Rows are int8 with one float factor, so that row * factor has
 * length 1: a quarter of the memory of floats, and similarities differ only in the third digit.
 */
import { DOT_KERNEL } from './dot-kernel-bytes.js'
import { kernelOf, makeRoom } from './webassembly-kernel.js'

// Rows are padded to the kernel's step.
const STEP = 16
const ROW_PEAK = 127
// Query levels: 13 bits, fewer beyond 2,064 dimensions, where the kernel's 32-bit sums could overflow.
const MAX_QUERY_PEAK = 8191
const MAX_SUM = 2 ** 31 - 1

/** Bytes of one stored row: a float32 factor, then one int8 for each dimension, padded with zeros. */
export function vectorRowBytes(dimensions: number): number {
  return 4 + Math.ceil(dimensions / STEP) * STEP
}

/** Writes a vector of any length (zero included) into a row. */
export function encodeVector(vector: Float32Array, row: Uint8Array): void {
  const scale = scaleTo(ROW_PEAK, vector)
  let squares = 0
  for (let d = 0; d < vector.length; d++) {
    const level = Math.round(vector[d]! * scale)
    row[4 + d] = level & 0xff
    squares += level * level
  }
  const factor = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  new DataView(row.buffer, row.byteOffset, 4).setFloat32(0, factor, true)
}

/** What to multiply by so that the largest entry becomes +-peak; 0 for a zero vector. */
function scaleTo(peak: number, vector: Float32Array): number {
  let largest = 0
  for (const x of vector) largest = Math.max(largest, Math.abs(x))
  return largest === 0 ? 0 : peak / largest
}

/** Vectors in memory, addressed by row. The memory is the dot kernel's (scripts/kernels/dot.wat): query, rows, results. */
export class VectorTable {
  readonly rows: number
  readonly #rowBytes: number
  readonly #rowsAt: number
  readonly #resultsAt: number
  readonly #kernel: DotKernel
  readonly #queryPeak: number

  /** parts: joined, rows of `vectorRowBytes(dimensions)`; copied. */
  constructor(
    parts: readonly Uint8Array[],
    readonly dimensions: number,
  ) {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    this.#rowBytes = vectorRowBytes(dimensions)
    this.rows = Math.floor(bytes / this.#rowBytes)
    this.#queryPeak = Math.min(MAX_QUERY_PEAK, Math.floor(MAX_SUM / (ROW_PEAK * Math.max(1, dimensions))))
    this.#rowsAt = this.#rowBytes * 2
    this.#resultsAt = Math.ceil((this.#rowsAt + bytes) / STEP) * STEP
    this.#kernel = kernelOf(DOT_KERNEL) as DotKernel
    makeRoom(this.#kernel.memory, this.#resultsAt + this.rows * 8)
    let at = this.#rowsAt
    for (const part of parts) {
      new Uint8Array(this.#kernel.memory.buffer, at, part.length).set(part)
      at += part.length
    }
  }

  /** Cosine of a unit query with every row from `first` on, 0 for a zero row. */
  similarities(query: Float32Array, first = 0): Float64Array {
    const count = Math.max(0, this.rows - first)
    this.#scan(this.#levelsOf(query), first, count)
    return new Float64Array(this.#kernel.memory.buffer, this.#resultsAt, count).slice()
  }

  /** Cosine of a unit query and any one row, the same number as `similarities` gives; 0 for a row that is not there. */
  similarityTo(query: Float32Array): (row: number) => number {
    const levels = this.#levelsOf(query)
    const result = new Float64Array(this.#kernel.memory.buffer, this.#resultsAt, 1) // the memory never grows again
    return (row) => {
      if (row >= this.rows) return 0
      this.#scan(levels, row, 1)
      return result[0]!
    }
  }

  /** A row as floats of length 1 (or zeros). */
  vector(row: number): Float32Array {
    const at = this.#rowsAt + row * this.#rowBytes
    const factor = new DataView(this.#kernel.memory.buffer).getFloat32(at, true)
    const levels = new Int8Array(this.#kernel.memory.buffer, at + 4, this.dimensions)
    return Float32Array.from(levels, (level) => level * factor)
  }

  /** Adds the unit vector of a row to `sum`. */
  add(row: number, sum: Float32Array): void {
    const at = this.#rowsAt + row * this.#rowBytes
    const factor = new DataView(this.#kernel.memory.buffer).getFloat32(at, true)
    const levels = new Int8Array(this.#kernel.memory.buffer, at + 4, this.dimensions)
    for (let d = 0; d < levels.length; d++) sum[d]! += levels[d]! * factor
  }

  #levelsOf(query: Float32Array): QueryLevels {
    const scale = scaleTo(this.#queryPeak, query)
    const levels = new Int16Array(Math.ceil(this.dimensions / STEP) * STEP)
    for (let d = 0; d < query.length; d++) levels[d] = Math.round(query[d]! * scale)
    return { levels, inverse: scale === 0 ? 0 : 1 / scale }
  }

  #scan({ levels, inverse }: QueryLevels, first: number, count: number): void {
    new Int16Array(this.#kernel.memory.buffer, 0, levels.length).set(levels)
    const from = this.#rowsAt + first * this.#rowBytes
    this.#kernel.scan(from, count, this.#rowBytes, 0, levels.length, inverse, this.#resultsAt)
  }
}

/** A query as the kernel takes it: whole numbers, padded, and what one of them is worth. */
interface QueryLevels {
  readonly levels: Int16Array
  readonly inverse: number
}

interface DotKernel {
  readonly memory: WebAssembly.Memory
  readonly scan: (
    rows: number,
    count: number,
    stride: number,
    query: number,
    dims: number,
    scale: number,
    out: number,
  ) => void
}
