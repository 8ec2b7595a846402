/** How like the judged files another one is, by the vectors of their chunks. */
import type { IndexReader } from '../store/index-reader.js'
import type { ChunkId, FileId } from '../types.js'
import { dot, unit } from '../vector/arithmetic.js'

/** Mean of unit vectors, of length 1 itself; zeros when there is nothing to take the mean of. */
export function meanVector(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const vector of vectors) for (let d = 0; d < dimensions; d++) sum[d]! += vector[d]!
  return unit(sum)
}

/** Mean vector of all chunks of a file. */
export function fileVector(index: IndexReader, file: FileId): Float32Array {
  const first = index.documents.firstChunk[file]! // an id of this index
  const count = index.documents.chunkCount[file]!
  const sum = new Float32Array(index.settings.dimensions)
  for (let chunk = first; chunk < first + count; chunk++) index.vectors.add(chunk, sum)
  return unit(sum)
}

export function chunksVector(index: IndexReader, chunks: readonly ChunkId[]): Float32Array {
  const sum = new Float32Array(index.settings.dimensions)
  for (const chunk of chunks) index.vectors.add(chunk, sum)
  return unit(sum)
}

/** Of several vectors the one nearest to another, by place, and its cosine; -1 and 0 for none. */
export function nearestOf(
  vectors: readonly Float32Array[],
  to: Float32Array,
): { readonly at: number; readonly cosine: number } {
  let at = -1
  let cosine = 0
  vectors.forEach((vector, v) => {
    const near = dot(vector, to)
    if (at >= 0 && near <= cosine) return
    at = v
    cosine = near
  })
  return { at, cosine }
}
