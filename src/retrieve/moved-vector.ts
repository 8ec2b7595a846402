/** The query vector of a later cycle: moved towards what was found, away from what was rejected (Rocchio 1971). */
import type { VectorTable } from '../vector/vector-table.js'
import type { FoundFile } from './found-file.js'

// Rocchio's weights, the usual ones (Manning et al. 2008, 9.1.1): what is confirmed counts more than what is rejected.
const CONFIRMED_WEIGHT = 0.75
const REJECTED_WEIGHT = 0.15

/** Unit vector (or zeros). By the best chunk of each file. */
export function movedVector(
  task: Float32Array,
  vectors: VectorTable,
  by: { readonly confirmed: readonly FoundFile[]; readonly rejected: readonly FoundFile[] },
): Float32Array {
  const moved = task.slice()
  for (const [files, weight] of [
    [by.confirmed, CONFIRMED_WEIGHT],
    [by.rejected, -REJECTED_WEIGHT],
  ] as const) {
    const chunks = files.flatMap(({ matched }) => matched.slice(0, 1))
    for (const { chunk } of chunks) {
      const vector = vectors.vector(chunk.id)
      for (let d = 0; d < moved.length; d++) moved[d]! += (weight * vector[d]!) / chunks.length
    }
  }
  return scaledToUnit(moved)
}

function scaledToUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((x) => x / length)
}
