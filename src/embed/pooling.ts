/** From one vector per token to one vector per text. */

/**
 * Mean of `rows` vectors (row-major, `out.length` numbers each), scaled to length 1, written to `out`.
 * Sums in double precision, in row order. A mean of zero stays zero; returns false where it is not finite.
 */
export function meanOfUnitLength(rows: ArrayLike<number>, out: Float32Array): boolean {
  const dimensions = out.length
  const sum = new Float64Array(dimensions)
  for (let at = 0; at < rows.length; at += dimensions) {
    for (let d = 0; d < dimensions; d++) sum[d]! += rows[at + d]! // rows.length is a multiple of dimensions
  }
  const length = Math.sqrt(sum.reduce((total, x) => total + x * x, 0))
  if (!Number.isFinite(length)) return false
  if (length > 0) for (let d = 0; d < dimensions; d++) out[d] = sum[d]! / length // same length
  return true
}
