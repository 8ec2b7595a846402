/**
 * What the past says about a task: BM25 over the subjects of past commits, each commit's score shared among its files.
 * Subjects are words of people tied to files.
 */
import type { FileId } from '../types.js'
import { B, idf, K1 } from './bm25.js'

/** Past commits in columns; row `commits` of a `first` column ends the last commit. */
export interface PastCommits {
  readonly commits: number
  readonly firstFile: Uint32Array
  readonly fileOf: Uint32Array
  /** By commit: files it touched, those gone included. */
  readonly touched: Uint16Array
  readonly firstTerm: Uint32Array
  readonly termOf: Uint32Array
  readonly terms: number
  readonly termNumber: (term: string) => number | undefined
}

export interface PastScore {
  /** Sum and largest of the shares of the commits that touched the file. */
  readonly sum: number
  readonly best: number
  /** The commit with the largest share, the newest of equals; -1 for none. */
  readonly commit: number
}

export const NO_PAST: PastScore = { sum: 0, best: 0, commit: -1 }

export interface PastScores {
  /** Files that a matching commit touched. */
  readonly files: ReadonlyMap<FileId, PastScore>
  /** Sum of idf over the terms that past subjects hold. */
  readonly totalIdf: number
  /** Whether there are past commits at all. */
  readonly isKnown: boolean
}

export interface PastTerm {
  readonly term: string
  readonly weight: number
}

/** What past subjects have of the terms: a score for each commit, and the idf they could have. */
export interface SubjectScores {
  readonly byCommit: Float64Array
  readonly totalIdf: number
}

export function subjectScores(past: PastCommits, terms: readonly PastTerm[]): SubjectScores {
  const byCommit = new Float64Array(past.commits)
  const numbers = new Map(terms.flatMap((term) => numbered(past, term)))
  if (numbers.size === 0) return { byCommit, totalIdf: 0 }
  const { weights, totalIdf, meanLength } = weightsOf(past, numbers)
  for (let commit = 0; commit < past.commits; commit++)
    byCommit[commit] = subjectScore(past, commit, { weights, meanLength })
  return { byCommit, totalIdf }
}

export function pastScores(
  past: PastCommits,
  terms: readonly PastTerm[],
  accepts: (file: FileId) => boolean,
): PastScores {
  const { byCommit, totalIdf } = subjectScores(past, terms)
  const files = new Map<FileId, PastScore>()
  for (let commit = 0; commit < past.commits; commit++) {
    const score = byCommit[commit]!
    if (score === 0) continue
    const share = score / Math.sqrt(past.touched[commit]!)
    for (let f = past.firstFile[commit]!; f < past.firstFile[commit + 1]!; f++) {
      const file = past.fileOf[f] as FileId
      if (accepts(file)) files.set(file, plus(files.get(file), share, commit))
    }
  }
  return { files, totalIdf, isKnown: past.commits > 0 }
}

function numbered(past: PastCommits, { term, weight }: PastTerm): readonly (readonly [number, number])[] {
  const number = past.termNumber(term)
  return number === undefined ? [] : [[number, weight]]
}

/** Weight times idf by term number, 0 for terms that were not asked for. */
function weightsOf(
  { commits, firstTerm, termOf, terms }: PastCommits,
  asked: ReadonlyMap<number, number>,
): { readonly weights: Float64Array; readonly totalIdf: number; readonly meanLength: number } {
  const weights = new Float64Array(terms)
  for (const [term, weight] of asked) weights[term] = weight
  const holding = new Uint32Array(terms)
  const lastHolder = new Int32Array(terms).fill(-1)
  let subjects = 0
  // A query passes here once for every word of every subject.
  for (let commit = 0; commit < commits; commit++) {
    const end = firstTerm[commit + 1]!
    if (firstTerm[commit]! < end) subjects++
    for (let t = firstTerm[commit]!; t < end; t++) {
      const term = termOf[t]!
      if (weights[term] === 0 || lastHolder[term] === commit) continue
      lastHolder[term] = commit
      holding[term]!++
    }
  }
  let totalIdf = 0
  for (const [term, weight] of asked) {
    weights[term] = weight * idf(subjects, holding[term]!)
    totalIdf += weights[term]
  }
  return { weights, totalIdf, meanLength: termOf.length / Math.max(1, subjects) }
}

function subjectScore(
  { firstTerm, termOf }: PastCommits,
  commit: number,
  { weights, meanLength }: { readonly weights: Float64Array; readonly meanLength: number },
): number {
  const from = firstTerm[commit]!
  const to = firstTerm[commit + 1]!
  const norm = K1 * (1 - B + (B * (to - from)) / meanLength)
  let score = 0
  for (let t = from; t < to; t++) {
    const term = termOf[t]!
    if (weights[term] === 0 || termOf.subarray(from, t).includes(term)) continue
    let count = 0
    for (let u = t; u < to; u++) if (termOf[u] === term) count++
    score += (weights[term]! * count * (K1 + 1)) / (count + norm)
  }
  return score
}

function plus(known: PastScore | undefined, share: number, commit: number): PastScore {
  if (known === undefined) return { sum: share, best: share, commit }
  const isBetter = share > known.best
  return {
    sum: known.sum + share,
    best: isBetter ? share : known.best,
    commit: isBetter ? commit : known.commit,
  }
}
