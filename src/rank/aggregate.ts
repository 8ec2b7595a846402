/** From scores of chunks to scores of files. */

export interface FileScore {
  /** Weighted sum of the best four chunks: 1, 1/2, 1/3, 1/4. Better than the best alone everywhere (docs/design.md). */
  readonly sum: number
  readonly best: number
  readonly second: number
}

export const NO_SCORE: FileScore = { sum: 0, best: 0, second: 0 }

/** `aggregate(...).sum` alone, for many files. */
export function sumOfBest(scores: ArrayLike<number>, first: number, count: number): number {
  if (count === 1) return Math.max(0, scores[first] ?? 0)
  return aggregate(scores, first, count).sum
}

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
