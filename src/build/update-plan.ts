/** What an index run has to do: which files to read, which to drop, which to leave. A pure comparison. */
import type { FileRecord, Stamp, StampedSkip } from '../store/records.js'
import type { WalkedFile } from '../types.js'

export type { StampedSkip }

export interface UpdatePlan {
  /** Files that are new, have changed or may have, in path order. */
  readonly toRead: readonly WalkedFile[]
  /** How many of them were indexed so soon after a change that only their content can tell (see stampOf). */
  readonly uncertain: number
  /** What the index holds of files, by path. */
  readonly known: ReadonlyMap<string, FileRecord>
  /** Paths that the index holds and the walk no longer offers. */
  readonly gone: readonly string[]
  /** Files skipped for their content that have not changed since. */
  readonly stillSkipped: readonly StampedSkip[]
}

export function planUpdate(
  files: readonly WalkedFile[],
  known: ReadonlyMap<string, FileRecord>,
  skips: ReadonlyMap<string, StampedSkip>,
): UpdatePlan {
  const toRead: WalkedFile[] = []
  const stillSkipped: StampedSkip[] = []
  const offered = new Set<string>()
  let uncertain = 0
  for (const file of files) {
    offered.add(file.path)
    const skip = skips.get(file.path)
    const state = compare(file, known.get(file.path) ?? skip?.stamp)
    if (state === 'unchanged') {
      if (skip !== undefined) stillSkipped.push(skip)
      continue
    }
    if (state === 'uncertain') uncertain++
    toRead.push(file)
  }
  return {
    toRead,
    uncertain,
    known,
    gone: [...known.keys()].filter((path) => !offered.has(path)),
    stillSkipped,
  }
}

function compare(file: WalkedFile, stamp: Stamp | undefined): 'unchanged' | 'changed' | 'uncertain' {
  if (stamp === undefined) return 'changed'
  const isSame = file.bytes === stamp.bytes && file.mtimeMs === stamp.mtimeMs && file.inode === stamp.inode
  if (!isSame) return 'changed'
  if (stamp.ctimeMs === TOO_FRESH) return 'uncertain'
  return file.ctimeMs === stamp.ctimeMs ? 'unchanged' : 'changed'
}

/** Stands for the change time of a file that was read within the clock's grain of its last change. */
export const TOO_FRESH = 0

// Coarsest clock of common file systems. A file changed so shortly before it was read may change again unnoticed.
const CLOCK_GRAIN_MS = 2000

/** The stamp of a file read at `readAtMs`; one that could hide a later change is made never to match. */
export function stampOf(file: WalkedFile, readAtMs: number): Stamp {
  const isTooFresh = readAtMs - Math.max(file.mtimeMs, file.ctimeMs) < CLOCK_GRAIN_MS
  const { bytes, mtimeMs, inode } = file
  return { bytes, mtimeMs, ctimeMs: isTooFresh ? TOO_FRESH : file.ctimeMs, inode }
}
