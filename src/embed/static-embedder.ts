/**
 * The default encoder: a weighted mean of word vectors. No network, no runtime, microseconds a text.
 * Method: smooth inverse frequency weighting (Arora, Liang, Ma 2017), with term counts damped by log.
 */
import { identifiersIn, joinedForm, partsOf } from '../text/words.js'
import type { Embedder } from './embedder.js'
import { segment } from './segment.js'
import type { StaticTable } from './static-table.js'

// Bumped whenever the same table gives other vectors (how words are found, how counts are damped).
const METHOD_VERSION = 2
// Identifiers remembered between texts; a repository's vocabulary is far smaller, hostile input is not.
const MAX_REMEMBERED = 200_000

export class StaticEmbedder implements Embedder {
  readonly dimensions: number
  readonly fingerprint: string
  readonly #rowsOfIdentifier = new Map<string, readonly number[]>()
  readonly #count: Uint16Array

  constructor(
    readonly name: string,
    readonly table: StaticTable,
  ) {
    this.dimensions = table.dimensions
    this.fingerprint = table.sha256.slice(0, 30) + METHOD_VERSION.toString(16).padStart(2, '0')
    this.#count = new Uint16Array(table.size)
  }

  /** Vectors of length 1, or all zeros where no word of a text is known. */
  embed(texts: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<Float32Array> {
    options.signal?.throwIfAborted()
    return Promise.resolve(this.embedNow(texts))
  }

  /** The same, at once: word vectors need no waiting. */
  embedNow(texts: readonly string[]): Float32Array {
    const out = new Float32Array(texts.length * this.dimensions)
    texts.forEach((text, i) => {
      this.#embedInto(text, out.subarray(i * this.dimensions, (i + 1) * this.dimensions))
    })
    return out
  }

  /** Table rows that stand for one identifier: its joined form, else its parts, else pieces of its parts. */
  rowsOf(identifier: string): readonly number[] {
    const known = this.#rowsOfIdentifier.get(identifier)
    if (known !== undefined) return known
    if (this.#rowsOfIdentifier.size >= MAX_REMEMBERED) this.#rowsOfIdentifier.clear()
    const rows = this.#findRows(identifier)
    this.#rowsOfIdentifier.set(identifier, rows)
    return rows
  }

  #findRows(identifier: string): readonly number[] {
    const { table } = this
    const joined = table.rowOf(joinedForm(identifier))
    if (joined !== undefined) return [joined]
    return partsOf(identifier).flatMap((part) => {
      const row = table.rowOf(part)
      if (row !== undefined) return [row]
      return segment(part, (piece) => table.rowOf(piece) !== undefined).flatMap(
        (piece) => table.rowOf(piece) ?? [],
      )
    })
  }

  #embedInto(text: string, out: Float32Array): void {
    const { factor, dimensions } = this.table
    const touched: number[] = []
    for (const identifier of identifiersIn(text)) {
      for (const row of this.rowsOf(identifier)) {
        const count = this.#count[row]! // row < table size
        if (count === 0) touched.push(row)
        if (count < 65535) this.#count[row] = count + 1
      }
    }
    for (const row of touched) {
      const weight = factor[row]! * (1 + Math.log(this.#count[row]!))
      this.#count[row] = 0
      const levels = this.table.levels(row)
      for (let d = 0; d < dimensions; d++) out[d]! += weight * levels[d]! // both have `dimensions` entries
    }
    normalise(out)
  }
}

/** Scales to length 1 in place; a zero vector stays zero. */
function normalise(vector: Float32Array): void {
  let sum = 0
  for (const x of vector) sum += x * x
  if (sum === 0) return
  const scale = 1 / Math.sqrt(sum)
  for (let d = 0; d < vector.length; d++) vector[d]! *= scale
}
