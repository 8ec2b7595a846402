/**
 * Collects the terms of documents in memory and writes them as one segment, sorted by term.
 * Memory is bounded by flushing: one posting takes 12 bytes here.
 */
import { identifiersIn, termsOf } from '../text/words.js'
import { encodeRun, packCounts } from './postings.js'
import { ByteWriter } from './varint.js'

// 4 million postings: 48 MB, about 30,000 chunks.
const MAX_PENDING = 4_000_000
// Identifiers whose terms are remembered; bounded for hostile input.
const MAX_REMEMBERED = 300_000

/** Receives one term's run; terms arrive in code unit order. */
export type SegmentSink = (term: string, documents: number, run: Buffer) => void

export class PostingsWriter {
  readonly #idOfTerm = new Map<string, number>()
  readonly #terms: string[] = []
  readonly #termsOfIdentifier = new Map<string, readonly number[]>()
  readonly #fieldCounts = [new CountColumn(), new CountColumn(), new CountColumn()] as const
  #log = new PostingLog()

  /** Whether `flush` is due before more documents are added. */
  get isFull(): boolean {
    return this.#log.length >= MAX_PENDING
  }

  get isEmpty(): boolean {
    return this.#log.length === 0
  }

  /**
   * Adds one document; ids must ascend. Returns the number of terms in each field (saturating at 65535).
   */
  add(id: number, fields: readonly [string, string, string]): readonly [number, number, number] {
    const touched: number[] = []
    const lengths = fields.map((text, f) => this.#count(text, f as 0 | 1 | 2, touched)) as [
      number,
      number,
      number,
    ]
    const [a, b, c] = this.#fieldCounts
    for (const term of touched) {
      this.#log.push(term, id, packCounts(a.take(term), b.take(term), c.take(term)))
    }
    return lengths
  }

  /** Adds one document by its terms as they are, each with how often it has it; ids must ascend. */
  addTerms(id: number, counts: ReadonlyMap<string, number>): void {
    for (const [term, count] of counts) this.#log.push(this.#termId(term), id, packCounts(count, 0, 0))
  }

  /** Writes everything collected as one segment and forgets it. */
  flush(sink: SegmentSink): void {
    const { termOf, ids, packed, length } = this.#log
    const starts = new Int32Array(this.#terms.length + 1)
    for (let i = 0; i < length; i++) starts[termOf[i]! + 1]! += 1
    for (let t = 0; t < this.#terms.length; t++) starts[t + 1]! += starts[t]!
    const cursor = starts.slice()
    const sortedIds = new Int32Array(length)
    const sortedPacked = new Int32Array(length)
    for (let i = 0; i < length; i++) {
      const slot = cursor[termOf[i]!]!++
      sortedIds[slot] = ids[i]!
      sortedPacked[slot] = packed[i]!
    }
    this.#emit(sink, starts, sortedIds, sortedPacked)
    this.#log = new PostingLog()
    this.#terms.length = 0
    this.#idOfTerm.clear()
    this.#termsOfIdentifier.clear()
  }

  #emit(sink: SegmentSink, starts: Int32Array, ids: Int32Array, packed: Int32Array): void {
    const used = this.#terms
      .map((term, t) => ({ term, from: starts[t]!, to: starts[t + 1]! }))
      .filter(({ from, to }) => to > from)
      .sort((x, y) => (x.term < y.term ? -1 : 1))
    const bytes = new ByteWriter()
    for (const { term, from, to } of used) sink(term, to - from, encodeRun(bytes, ids, packed, from, to))
  }

  /** Counts the terms of one field into its column; `touched` collects terms new to the document. */
  #count(text: string, field: 0 | 1 | 2, touched: number[]): number {
    const [a, b, c] = this.#fieldCounts
    const column = this.#fieldCounts[field]
    let n = 0
    for (const identifier of identifiersIn(text)) {
      for (const term of this.#termIds(identifier)) {
        if (a.get(term) === 0 && b.get(term) === 0 && c.get(term) === 0) touched.push(term)
        column.increment(term)
        n++
      }
    }
    return Math.min(n, 65535)
  }

  #termIds(identifier: string): readonly number[] {
    const known = this.#termsOfIdentifier.get(identifier)
    if (known !== undefined) return known
    const ids = termsOf(identifier).map((term) => this.#termId(term))
    if (this.#termsOfIdentifier.size >= MAX_REMEMBERED) this.#termsOfIdentifier.clear()
    this.#termsOfIdentifier.set(identifier, ids)
    return ids
  }

  #termId(term: string): number {
    const known = this.#idOfTerm.get(term)
    if (known !== undefined) return known
    const id = this.#terms.length
    this.#terms.push(term)
    this.#idOfTerm.set(term, id)
    for (const column of this.#fieldCounts) column.reserve(id + 1)
    return id
  }
}

/** Counts per term for the document at hand. */
class CountColumn {
  #counts = new Uint16Array(4096)

  reserve(terms: number): void {
    if (terms <= this.#counts.length) return
    const larger = new Uint16Array(terms * 2)
    larger.set(this.#counts)
    this.#counts = larger
  }

  get(term: number): number {
    return this.#counts[term]! // reserved for every known term
  }

  increment(term: number): void {
    if (this.#counts[term]! < 65535) this.#counts[term]! += 1
  }

  /** Reads and resets. */
  take(term: number): number {
    const count = this.#counts[term]!
    this.#counts[term] = 0
    return count
  }
}

/** Growing columns (term, document, packed counts) in the order they arrive. */
class PostingLog {
  termOf = new Int32Array(65536)
  ids = new Int32Array(65536)
  packed = new Int32Array(65536)
  length = 0

  push(term: number, id: number, packed: number): void {
    if (this.length === this.termOf.length) {
      this.termOf = doubled(this.termOf)
      this.ids = doubled(this.ids)
      this.packed = doubled(this.packed)
    }
    this.termOf[this.length] = term
    this.ids[this.length] = id
    this.packed[this.length] = packed
    this.length++
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
