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
  /** Terms of each subject, with repetitions. */
  readonly firstTerm: Uint32Array
  readonly termOf: Uint32Array
  readonly termNumber: (term: string) => number | undefined
  /** The same by term: commits whose subject holds term t, once each, from first[t] to first[t + 1], and how often. */
  readonly holders: {
    readonly first: Uint32Array
    readonly commitOf: Uint32Array
    readonly count: Uint16Array
    /** Commits with any term in their subject. */
    readonly subjects: number
  }
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

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

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
  const { holders, firstTerm } = past
  const byCommit = new Float64Array(past.commits)
  const meanLength = past.termOf.length / Math.max(1, holders.subjects)
  let totalIdf = 0
  for (const [term, asked] of new Map(terms.flatMap((one) => numbered(past, one)))) {
    const from = holders.first[term]!
    const to = holders.first[term + 1]!
    const weight = asked * idf(holders.subjects, to - from)
    totalIdf += weight
    for (let h = from; h < to; h++) {
      const commit = holders.commitOf[h]!
      const count = holders.count[h]!
      const length = firstTerm[commit + 1]! - firstTerm[commit]!
      const norm = K1 * (1 - B + (B * length) / meanLength)
      byCommit[commit]! += (weight * count * (K1 + 1)) / (count + norm)
    }
  }
  return { byCommit, totalIdf }
}

export function pastScores(
  past: PastCommits,
  terms: readonly PastTerm[],
  accepts: (file: FileId) => boolean,
): PastScores {
  const { byCommit, totalIdf } = subjectScores(past, terms)
  const files = new Map<FileId, Mutable<PastScore>>()
  for (let commit = 0; commit < past.commits; commit++) {
    const score = byCommit[commit]!
    if (score === 0) continue
    const share = score / Math.sqrt(past.touched[commit]!)
    for (let f = past.firstFile[commit]!; f < past.firstFile[commit + 1]!; f++) {
      const file = past.fileOf[f] as FileId
      if (accepts(file)) add(files, file, share, commit)
    }
  }
  return { files, totalIdf, isKnown: past.commits > 0 }
}

function numbered(past: PastCommits, { term, weight }: PastTerm): readonly (readonly [number, number])[] {
  const number = past.termNumber(term)
  return number === undefined ? [] : [[number, weight]]
}

function add(files: Map<FileId, Mutable<PastScore>>, file: FileId, share: number, commit: number): void {
  const known = files.get(file)
  if (known === undefined) {
    files.set(file, { sum: share, best: share, commit })
    return
  }
  known.sum += share
  if (share <= known.best) return
  known.best = share
  known.commit = commit
}
