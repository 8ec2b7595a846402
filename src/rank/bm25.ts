/**
 * Okapi BM25 over one field of a posting list (Robertson and Zaragoza 2009).
 */

/** One term's live documents: ids[i] holds the term counts[f][i] times in field f. */
export interface TermDocuments {
  readonly length: number
  readonly ids: Int32Array
  readonly counts: readonly [Uint16Array, Uint16Array, Uint16Array]
}

/** Lengths of one field of all documents, by id. */
export interface FieldLengths {
  readonly lengths: Uint16Array | Float64Array
  /** Mean over live documents; 0 when the field is empty everywhere. */
  readonly mean: number
}

export const K1 = 1.2 // the usual values, not tuned
export const B = 0.75

/** Inverse document frequency, always positive. */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** What `count` occurrences in document `id` are worth, 0..K1 + 1: more say less, and less so in a long document. */
export function saturated(count: number, { lengths, mean }: FieldLengths, id: number): number {
  if (count === 0 || mean === 0) return 0
  const norm = K1 * (1 - B + (B * lengths[id]!) / mean)
  return (count * (K1 + 1)) / (count + norm)
}

/** Adds weight * BM25 of one term in one field to `scores` (by document id). */
export function addBm25(
  scores: Float64Array,
  term: TermDocuments,
  options: { readonly field: 0 | 1 | 2; readonly weight: number; readonly lengths: FieldLengths },
): void {
  const { field, weight, lengths } = options
  if (lengths.mean === 0 || weight === 0) return
  const counts = term.counts[field]
  for (let i = 0; i < term.length; i++) {
    const count = counts[i]! // ids and counts have `length` entries
    if (count === 0) continue
    const id = term.ids[i]!
    scores[id]! += weight * saturated(count, lengths, id)
  }
}

/** Mean field length over live documents. */
export function meanLength(lengths: FieldLengths['lengths'], isLive: (id: number) => boolean): number {
  let sum = 0
  let n = 0
  for (let id = 0; id < lengths.length; id++) {
    if (!isLive(id)) continue
    sum += lengths[id]!
    n++
  }
  return n === 0 ? 0 : sum / n
}
