/** A file of the answer in the making, and the rule by which a cycle's ratings are merged into it. */
import { BAND_FROM } from '../rank/bands.js'
import type { FeedbackView } from '../rank/feedback-signals.js'
import type { Evidence, MissingContext } from '../types.js'
import type { RatedFile } from './evaluate.js'
import type { MatchedChunk } from './ranges.js'

export interface FoundFile {
  readonly rated: RatedFile
  /** The cycle that added the file: in which it first reached 0.5, or was first seen while it has not. */
  readonly cycle: number
  readonly matched: readonly MatchedChunk[]
  readonly missing: readonly MissingContext[]
  /** What judgements say of it. */
  readonly verdict?: Verdict
}

/** `confirmed`: judged relevant itself; `rated`: not judged, and rated by what it has in common with those that were. */
export type Verdict =
  | { readonly kind: 'confirmed' }
  | {
      readonly kind: 'rated'
      readonly view: FeedbackView
      readonly evidence: () => readonly Evidence[]
    }

export type FoundFiles = ReadonlyMap<string, FoundFile>

/** Relevance from which a file counts as part of the answer. */
export const ADDED_FROM = BAND_FROM.medium

/**
 * MERGE: later cycles add. A file already at 0.5 or more keeps its rating; one below may be re-rated upwards. A later
 * cycle rates only files it has new evidence for, so no file rises for having been seen twice.
 */
export function merge(
  found: FoundFiles,
  rated: readonly RatedFile[],
  cycle: number,
): { readonly files: FoundFiles; readonly added: readonly string[] } {
  const files = new Map(found)
  const added: string[] = []
  for (const file of rated) {
    const known = files.get(file.path)
    if (known !== undefined && known.rated.relevance >= ADDED_FROM) continue
    if (known !== undefined && file.relevance <= known.rated.relevance) continue
    const isAdded = file.relevance >= ADDED_FROM
    if (isAdded) added.push(file.path)
    const since = known === undefined || isAdded ? cycle : known.cycle
    files.set(file.path, {
      rated: file,
      cycle: since,
      matched: known?.matched ?? [],
      missing: known?.missing ?? [],
    })
  }
  return { files, added }
}

/**
 * Takes in ratings of a cycle that looked harder: unsure files may rise and fall, High ones keep their rating. Only files
 * found before count.
 */
export function mergeLookedAt(
  found: FoundFiles,
  rated: readonly RatedFile[],
  cycle: number,
): { readonly files: FoundFiles; readonly added: readonly string[] } {
  const files = new Map(found)
  const added: string[] = []
  for (const file of rated) {
    const known = files.get(file.path)
    if (known === undefined || keepsRelevance(known.rated)) continue
    const isAdded = known.rated.relevance < ADDED_FROM && file.relevance >= ADDED_FROM
    if (isAdded) added.push(file.path)
    files.set(file.path, { ...known, rated: file, cycle: isAdded ? cycle : known.cycle })
  }
  return { files, added }
}

/** Whether a look at it changes nothing: High files stay what they are. */
export function keepsRelevance({ relevance }: { readonly relevance: number }): boolean {
  return relevance >= BAND_FROM.high
}

/** Best first; ties by path. */
export function ranked(files: FoundFiles): readonly FoundFile[] {
  return [...files.values()].sort(
    (a, b) => b.rated.relevance - a.rated.relevance || (a.rated.path < b.rated.path ? -1 : 1),
  )
}
