/**
 * Posting lists: for one term the documents (chunks or files) that hold it, with how often in each of three fields.
 *
 * A list is stored as runs, one per segment; a run is varint(first id), then per document
 * varint(gap << 4 | fields << 1 | allOnes), and unless allOnes one varint count for each field that is set.
 * An entry with a gap below 8, one field and a count of 1 is one byte; the mean over an index is about two. Ids inside
 * a run ascend.
 */
import { ByteWriter } from './varint.js'

/** Counts are capped: beyond it BM25 does not tell them apart. */
export const MAX_COUNT = 1023

/** One term's documents, ascending by id inside each segment. counts[f][i] = occurrences in field f of ids[i]. */
export interface Postings {
  readonly length: number
  readonly ids: Int32Array
  readonly counts: readonly [Uint16Array, Uint16Array, Uint16Array]
}

export const NO_POSTINGS: Postings = {
  length: 0,
  ids: new Int32Array(0),
  counts: [new Uint16Array(0), new Uint16Array(0), new Uint16Array(0)],
}

/** The documents of several lists as one, ascending by id, counts added up; undefined of no list. */
export function summed(lists: readonly Postings[]): Postings | undefined {
  if (lists.length < 2) return lists[0]
  const sums = new Map<number, [number, number, number]>()
  for (const { length, ids, counts } of lists) {
    for (let i = 0; i < length; i++) {
      const sum = sums.get(ids[i]!) ?? [0, 0, 0] // ids and counts have `length` entries
      for (const field of FIELDS) sum[field] = Math.min(MAX_COUNT, sum[field] + counts[field][i]!)
      sums.set(ids[i]!, sum)
    }
  }
  const ids = Int32Array.from(sums.keys()).sort()
  const [a, b, c] = FIELDS.map((field) => Uint16Array.from(ids, (id) => sums.get(id)![field])) // every key has one
  return { length: ids.length, ids, counts: [a!, b!, c!] }
}

const FIELDS = [0, 1, 2] as const

/** Three counts of at most MAX_COUNT in one integer. */
export function packCounts(first: number, second: number, third: number): number {
  return Math.min(first, MAX_COUNT) | (Math.min(second, MAX_COUNT) << 10) | (Math.min(third, MAX_COUNT) << 20)
}

/** Encodes ids[from..to) with packed counts as one run. */
export function encodeRun(
  out: ByteWriter,
  ids: Int32Array,
  packed: Int32Array,
  from: number,
  to: number,
): Buffer {
  out.clear()
  let previous = ids[from]! // callers pass from < to
  out.writeVarint(previous)
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    const counts = packed[i]!
    writeEntry(
      out,
      id - previous,
      counts & MAX_COUNT,
      (counts >>> 10) & MAX_COUNT,
      (counts >>> 20) & MAX_COUNT,
    )
    previous = id
  }
  return out.take()
}

function writeEntry(out: ByteWriter, gap: number, a: number, b: number, c: number): void {
  const fields = (a > 0 ? 1 : 0) | (b > 0 ? 2 : 0) | (c > 0 ? 4 : 0)
  const allOnes = a <= 1 && b <= 1 && c <= 1
  out.writeVarint(((gap << 4) | (fields << 1) | (allOnes ? 1 : 0)) >>> 0)
  if (allOnes) return
  if (a > 0) out.writeVarint(a)
  if (b > 0) out.writeVarint(b)
  if (c > 0) out.writeVarint(c)
}

/** Decodes runs into one list. `length` is the number of documents over all runs (stored beside them). */
export function decodeRuns(runs: readonly Buffer[], length: number): Postings {
  const ids = new Int32Array(length)
  const counts = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)] as const
  let n = 0
  for (const bytes of runs) {
    let at = 0
    const readVarint = (): number => {
      let byte = bytes[at++]!
      if (byte < 0x80) return byte
      let value = byte & 0x7f
      let shift = 7
      do {
        byte = bytes[at++] ?? 0 // a run cut short ends here; `length` bounds what is kept
        value |= (byte & 0x7f) << shift
        shift += 7
      } while (byte >= 0x80)
      return value >>> 0
    }
    let id = readVarint()
    while (at < bytes.length && n < length) {
      const head = readVarint()
      id += head >>> 4
      ids[n] = id
      const ones = (head & 1) === 1
      if ((head & 2) !== 0) counts[0][n] = ones ? 1 : readVarint()
      if ((head & 4) !== 0) counts[1][n] = ones ? 1 : readVarint()
      if ((head & 8) !== 0) counts[2][n] = ones ? 1 : readVarint()
      n++
    }
  }
  if (n < length)
    return {
      length: n,
      ids: ids.subarray(0, n),
      counts: [counts[0].subarray(0, n), counts[1].subarray(0, n), counts[2].subarray(0, n)],
    }
  return { length, ids, counts: [counts[0], counts[1], counts[2]] }
}
