/** From scores of chunks to scores of files. */

export interface FileScore {
  /** Weighted sum of the best four chunks: 1, 1/2, 1/3, 1/4. Better than the best alone everywhere (docs/design.md). */
  readonly sum: number
  readonly best: number
  readonly second: number
}

export const NO_SCORE: FileScore = { sum: 0, best: 0, second: 0 }

/** Aggregates scores[first..first+count). Negative scores count as zero. */
export function aggregate(scores: ArrayLike<number>, first: number, count: number): FileScore {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let id = first; id < first + count; id++) {
    const score = scores[id] ?? 0
    if (score <= d) continue
    if (score > a) [a, b, c, d] = [score, a, b, c]
    else if (score > b) [b, c, d] = [score, b, c]
    else if (score > c) [c, d] = [score, c]
    else d = score
  }
  return { sum: a + b / 2 + c / 3 + d / 4, best: a, second: b }
}

/** `aggregate(...).sum` alone, without making an object: for each of a hundred thousand files. */
export function sumOfBest(scores: Float64Array, first: number, count: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let id = first; id < first + count; id++) {
    const score = scores[id]!
    if (score <= d) continue
    if (score > a) {
      d = c
      c = b
      b = a
      a = score
    } else if (score > b) {
      d = c
      c = b
      b = score
    } else if (score > c) {
      d = c
      c = score
    } else d = score
  }
  return a + b / 2 + c / 3 + d / 4
}
