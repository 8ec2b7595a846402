/**
 * How good one ranking of files is, given the paths that are right. Pure; the rules are those of the benchmark's labels:
 * gain 1 for a labelled path, discount 1/log2(rank+1), the ideal ranking has min(k, labels) ones at the top.
 */

/** A file as a method returned it. */
export interface RankedFile {
  readonly path: string
  /** Predicted probability that the file is needed; absent where a method has none. */
  readonly relevance?: number
  /** Tokens of each piece of text that comes with the file, in the order it is read. */
  readonly pieces: readonly number[]
}

/** A result matches a label when they are equal or one ends with "/" + the other. */
export function matchesLabel(path: string, label: string): boolean {
  return path === label || path.endsWith(`/${label}`) || label.endsWith(`/${path}`)
}

/**
 * 1 where a result matches a label that none above it matched, else 0. A label counts once, so that a ranking
 * cannot be better than the ideal one when several paths end alike.
 */
export function gains(paths: readonly string[], labels: readonly string[]): readonly (0 | 1)[] {
  const open = new Set(labels)
  return paths.map((path) => {
    const label = open.has(path) ? path : [...open].find((candidate) => matchesLabel(path, candidate))
    if (label === undefined) return 0
    open.delete(label)
    return 1
  })
}

/** Normalised discounted cumulative gain of the first `k`, 0..1; 0 without labels. */
export function ndcg(gained: readonly number[], labels: number, k = 10): number {
  const discount = (rank: number): number => 1 / Math.log2(rank + 1)
  let ideal = 0
  for (let rank = 1; rank <= Math.min(k, labels); rank++) ideal += discount(rank)
  const sum = gained.slice(0, k).reduce((total, gain, i) => total + gain * discount(i + 1), 0)
  return ideal === 0 ? 0 : sum / ideal
}

/** Share of the labels among the first `k`, 0..1; 0 without labels. */
export function recallAt(gained: readonly number[], labels: number, k: number): number {
  return labels === 0 ? 0 : sumOf(gained.slice(0, k)) / labels
}

/** 1 when the first result is right, else 0. */
export function hitAt1(gained: readonly number[]): number {
  return gained[0] ?? 0
}

/** Reciprocal rank of the first right result; 0 when there is none. */
export function reciprocalRank(gained: readonly number[]): number {
  const at = gained.indexOf(1)
  return at < 0 ? 0 : 1 / (at + 1)
}

/**
 * Share of the labels that a reader has met after `budget` tokens of returned text. Text is read in order, pieces of
 * one file together; a file is met when the first of its pieces has been read to the end.
 */
export function recallWithin(
  files: readonly RankedFile[],
  gained: readonly number[],
  options: { readonly labels: number; readonly budget: number },
): number {
  let read = 0
  let met = 0
  for (const [i, { pieces }] of files.entries()) {
    if (read + (pieces[0] ?? 0) > options.budget) break
    met += gained[i] ?? 0
    read += sumOf(pieces)
  }
  return options.labels === 0 ? 0 : met / options.labels
}

/** A token is ceil(UTF-8 bytes / 4) of what is emitted (docs/interface.md). */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
