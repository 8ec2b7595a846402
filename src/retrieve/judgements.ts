/** What a caller has said about files, checked against the index. */
import { HoneError } from '../errors.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId, Judgement } from '../types.js'
import { knownFile } from './known-path.js'

/** By file: whether it was judged relevant. */
export type Judged = ReadonlyMap<FileId, boolean>

export const NOTHING_JUDGED: Judged = new Map()

/**
 * `known` with more judgements; of two about a file the later call counts. Throws PATH_UNKNOWN or PATH_OUTSIDE for a
 * path that is not indexed, USAGE for one that is judged both ways at once.
 */
export function withJudgements(index: IndexReader, known: Judged, judgements: readonly Judgement[]): Judged {
  const fresh = new Map<FileId, boolean>()
  for (const { path, relevant } of judgements) {
    const { id } = knownFile(index, path)
    if (fresh.get(id) === !relevant)
      throw new HoneError('USAGE', `${path} is judged both relevant and irrelevant; give one judgement`)
    fresh.set(id, relevant)
  }
  return new Map([...known, ...fresh])
}

/** The files judged one way, by path: the order of judging says nothing. */
export function judgedAs(index: IndexReader, judged: Judged, relevant: boolean): readonly FileId[] {
  return [...judged]
    .filter(([, verdict]) => verdict === relevant)
    .map(([id]) => ({ id, path: index.pathOf(id) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1)) // paths are unique
    .map(({ id }) => id)
}
