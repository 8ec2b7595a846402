/** Scores beside those of the other candidates: raw values differ from query to query, shares and ranks do not. */

/** A ratio; 0 where there is nothing to take a part of. */
export const over = (value: number, whole: number): number => (whole > 0 ? value / whole : 0)
export const flag = (is: boolean): number => (is ? 1 : 0)
export const log = (count: number): number => Math.log2(1 + count)

/** Largest first. */
export function descending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort().reverse()
}

/** Of the best's, 0..1. */
export function shareOfBest(sorted: Float64Array, value: number): number {
  return Math.min(1, over(value, sorted[0] ?? 0))
}

/** 1 for the best of the candidates, 1/2 for the next ...; ties share the better rank; 0 for a score of 0. */
export function reciprocalRank(sorted: Float64Array, value: number): number {
  if (value <= 0) return 0
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > value) low = middle + 1
    else high = middle
  }
  return 1 / (low + 1)
}
