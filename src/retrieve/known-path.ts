/** From a path that a caller names to a file of the index. What is not there is told, with what is near. */
import { posix } from 'node:path'
import { beginningOf } from '../beginning.js'
import { HoneError } from '../errors.js'
import type { IndexReader } from '../store/index-reader.js'
import type { StoredFile } from '../store/records.js'

// No system has longer paths.
const MAX_PATH = 4096
// More are a list to skim, not a hint.
const MAX_NEAR = 3
// Share of letter pairs in common from which a path may be what was meant; unrelated paths of one repository share less.
const NEAR = 0.5

/**
 * The indexed file of a path relative to the root, or absolute and below it. Throws PATH_OUTSIDE or PATH_UNKNOWN, the
 * latter with near paths.
 */
export function knownFile(index: IndexReader, path: string): StoredFile {
  const relative = relativePath(index.settings.root, path)
  if (relative === undefined) {
    throw new HoneError(
      'PATH_OUTSIDE',
      `${beginningOf(path)} is outside of ${index.settings.root}; give a path relative to it`,
    )
  }
  const file = index.fileAt(relative)
  if (file !== undefined) return file
  const isPath = relative.length <= MAX_PATH
  const near = isPath
    ? nearPaths(
        index.allPaths().map((known) => known.path),
        relative,
      )
    : []
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'hone status --files lists all paths'
  throw new HoneError('PATH_UNKNOWN', `${beginningOf(path)} is not in the index; ${hint}`)
}

/** undefined when it leads out of the root. */
function relativePath(root: string, path: string): string | undefined {
  const slashed = path.replaceAll('\\', '/')
  const base = root.replaceAll('\\', '/')
  const relative = posix.isAbsolute(slashed) ? posix.relative(base, slashed) : posix.normalize(slashed)
  return relative === '' || relative === '..' || relative.startsWith('../') ? undefined : relative
}

/** Of the given paths those most like one that is not among them, nearest first, ties by path. */
export function nearPaths(paths: readonly string[], wanted: string): readonly string[] {
  const pairs = pairsOf(wanted)
  const name = posix.basename(wanted).toLowerCase()
  return paths
    .map((path) => {
      const isNamesake = posix.basename(path).toLowerCase() === name
      return { path, nearness: shared(pairs, pairsOf(path)) + (isNamesake ? 1 : 0) }
    })
    .filter(({ nearness }) => nearness >= NEAR)
    .sort((a, b) => b.nearness - a.nearness || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_NEAR)
    .map(({ path }) => path)
}

function pairsOf(path: string): ReadonlySet<string> {
  const letters = path.toLowerCase()
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)))
}

/** Dice coefficient, 0..1. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  let both = 0
  for (const pair of a) if (b.has(pair)) both++
  return (2 * both) / (a.size + b.size)
}
