/** Plain arithmetic of vectors that stand alone; tables of them have their own kernel (vector-table.ts). */

/** Dot product; of unit vectors their cosine. Both of the same length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}

/** Scaled to length 1; a zero vector stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const x of vector) squares += x * x
  return squares === 0 ? vector : vector.map((x) => x / Math.sqrt(squares))
}

/** Mean of vectors of `dimensions`; zeros of none. */
export function mean(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const vector of vectors) for (let d = 0; d < dimensions; d++) sum[d]! += vector[d]! / vectors.length
  return sum
}
