/** Which files change together: what a change of one probably needs too. */
import type { FileId } from '../types.js'
import type { PastCommits } from './past-scores.js'

export interface CoChange {
  readonly file: FileId
  /** 0..1: shared commits over the commits of both (a cosine), each commit weighing 1 / the files it touched. */
  readonly weight: number
}

/** Files that commits touched together with `file`, heaviest first, ties by id. */
export function coChanged(past: PastCommits, file: FileId): readonly CoChange[] {
  const own = new Float64Array(highestId(past.fileOf, file) + 1)
  const shared = new Map<FileId, number>()
  for (let commit = 0; commit < past.commits; commit++) {
    const files = past.fileOf.subarray(past.firstFile[commit], past.firstFile[commit + 1])
    const weight = 1 / Math.max(1, past.touched[commit]!)
    const isShared = files.includes(file)
    for (const other of files) {
      own[other]! += weight
      if (!isShared || other === file) continue
      shared.set(other as FileId, (shared.get(other as FileId) ?? 0) + weight)
    }
  }
  return [...shared]
    .map(([other, weight]) => ({ file: other, weight: weight / Math.sqrt(own[file]! * own[other]!) }))
    .sort((a, b) => b.weight - a.weight || a.file - b.file)
}

function highestId(ids: Uint32Array, least: number): number {
  return ids.reduce((highest, id) => Math.max(highest, id), least)
}
