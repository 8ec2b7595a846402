/** What changed together with any of a few files: what a change of those probably needs too. */
import type { FileId } from '../types.js'
import type { PastCommits } from './past-scores.js'

/** What the past says of a file beside the given ones. */
export interface Together {
  /** Cosines of shared commits (each weighing 1 / the files it touched) with the given files: their sum, the largest. */
  readonly sum: number
  readonly best: number
  /** Shared commits with the given file it shares most with, and which that is, by its place among those given. */
  readonly commits: number
  readonly partner: number
  /** Part of the weight of that file's commits that touched this one too, 0..1; and the other way round. */
  readonly share: number
  readonly shareBack: number
  /** Shared commits, with any of the given files, that touched at most NARROW files. */
  readonly narrow: number
  /** How new the newest shared commit is, 0..1; 0 for none. */
  readonly newest: number
  /** Scores of the subjects of shared commits for the task, each over the files it touched. */
  readonly onTask: number
}

export const NOT_TOGETHER: Together = {
  sum: 0,
  best: 0,
  commits: 0,
  partner: -1,
  share: 0,
  shareBack: 0,
  narrow: 0,
  newest: 0,
  onTask: 0,
}

// Whoever changes three files at once changes one thing.
const NARROW = 3

interface Shared {
  weight: number
  commits: number
}

/** By file, the given ones left out; files that never changed with them have no entry. */
export function changedTogether(
  past: PastCommits,
  given: readonly FileId[],
  /** By commit, what its subject has of the task; none known: zeros. */
  subjects: Float64Array,
): ReadonlyMap<FileId, Together> {
  if (given.length === 0) return new Map()
  const own = ownWeights(past)
  const numberOf = new Map(given.map((file, g) => [file, g]))
  const shared = given.map(() => new Map<FileId, Shared>())
  const told = new Map<FileId, { narrow: number; newest: number; onTask: number }>()
  for (let commit = 0; commit < past.commits; commit++) {
    const files = past.fileOf.subarray(past.firstFile[commit], past.firstFile[commit + 1])
    const partners = [...files].flatMap((file) => numberOf.get(file as FileId) ?? [])
    if (partners.length === 0) continue
    for (const id of files) {
      const file = id as FileId
      if (numberOf.has(file)) continue
      for (const partner of partners) add(shared[partner]!, file, weightOf(past, commit))
      const known = told.get(file) ?? { narrow: 0, newest: 1 - commit / past.commits, onTask: 0 } // newest first
      if (past.touched[commit]! <= NARROW) known.narrow++
      known.onTask += subjects[commit]! * weightOf(past, commit)
      told.set(file, known)
    }
  }
  return new Map(
    [...told].map(([file, facts]) => [file, { ...summed(file, { given, shared, own }), ...facts }]),
  )
}

function summed(
  file: FileId,
  of: {
    readonly given: readonly FileId[]
    readonly shared: readonly ReadonlyMap<FileId, Shared>[]
    readonly own: Float64Array
  },
): Omit<Together, 'narrow' | 'newest' | 'onTask'> {
  let { sum, best, commits, partner, share, shareBack } = NOT_TOGETHER
  of.given.forEach((given, g) => {
    const with_ = of.shared[g]!.get(file)
    if (with_ === undefined) return
    const cosine = with_.weight / Math.sqrt(of.own[given]! * of.own[file]!)
    sum += cosine
    if (cosine > best) {
      best = cosine
      partner = g
      commits = with_.commits
    }
    share = Math.max(share, with_.weight / of.own[given]!)
    shareBack = Math.max(shareBack, with_.weight / of.own[file]!)
  })
  return { sum, best, commits, partner, share, shareBack }
}

function add(shared: Map<FileId, Shared>, file: FileId, weight: number): void {
  const known = shared.get(file)
  if (known === undefined) {
    shared.set(file, { weight, commits: 1 })
  } else {
    known.weight += weight
    known.commits++
  }
}

function weightOf(past: PastCommits, commit: number): number {
  return 1 / Math.max(1, past.touched[commit]!)
}

/** By file, the weights of all its commits. */
function ownWeights(past: PastCommits): Float64Array {
  const own = new Float64Array(past.fileOf.reduce((highest, id) => Math.max(highest, id), 0) + 1)
  for (let commit = 0; commit < past.commits; commit++) {
    for (let f = past.firstFile[commit]!; f < past.firstFile[commit + 1]!; f++)
      own[past.fileOf[f]!]! += weightOf(past, commit)
  }
  return own
}
