/** From uncommitted changes to the places in the index that they touch. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blobText, committed, isBlob } from '../history/changes.js'
import { HoneError } from '../errors.js'
import type { IndexReader } from '../store/index-reader.js'
import type { Place } from '../types.js'

// More changed files are a rewrite, and "what belongs to it" is everything.
const MAX_CHANGED_FILES = 200

export interface ChangedPlaces {
  /** Indexed files with the lines of their chunks that differ; sorted by path. */
  readonly places: readonly Place[]
  /** New files that the index does not hold; sorted. */
  readonly notIndexed: readonly string[]
}

/** Throws USAGE where git knows no repository, or nothing is changed. */
export async function changedPlaces(
  index: IndexReader,
  options: {
    readonly root: string
    readonly linesOf: (path: string) => readonly string[] | undefined
    readonly signal: AbortSignal | undefined
  },
): Promise<ChangedPlaces> {
  const { root, linesOf, signal } = options
  const run = { cwd: root, signal }
  const last = await committed(run)
  if (last.kind === 'none') {
    const why = last.why === 'no-git' ? 'git is not installed' : `${root} is in no git repository`
    throw new HoneError('USAGE', `no changes to look at: ${why}; name a file instead: hone related FILE`)
  }
  const changed = index
    .files()
    .filter(({ path }) => isChanged(join(root, path), last.blobs.get(path)))
    .slice(0, MAX_CHANGED_FILES)
  const places: Place[] = []
  for (const { path } of changed) {
    const id = last.blobs.get(path)
    const before = id === undefined ? undefined : await blobText(id, run)
    const place = placeOf(index, { path, before, lines: linesOf(path) })
    if (place !== undefined) places.push(place)
  }
  return { places, notIndexed: last.untracked.filter((path) => index.fileAt(path) === undefined) }
}

/** Whether a file is not what the last commit holds under its name, byte by byte. */
function isChanged(absolutePath: string, id: string | undefined): boolean {
  try {
    return id === undefined || !isBlob(readFileSync(absolutePath), id)
  } catch {
    return false // gone since it was indexed, or not to be read: there is nothing to look at
  }
}

/** The chunks of a file whose text its last committed version does not hold; undefined for a file that is the same. */
function placeOf(
  index: IndexReader,
  file: {
    readonly path: string
    readonly before: string | undefined
    readonly lines: readonly string[] | undefined
  },
): Place | undefined {
  const { path, before, lines } = file
  const stored = index.fileAt(path)
  if (stored === undefined || lines === undefined) return undefined
  if (before === undefined) return { path }
  const old = `\n${before.split(/\r\n|\r|\n/).join('\n')}\n`
  const changed = index
    .chunksOf(stored.id)
    .filter(({ startLine, endLine }) => {
      const text = lines.slice(startLine - 1, endLine).join('\n')
      return text.trim() !== '' && !old.includes(`\n${text}\n`)
    })
    .map(({ startLine, endLine }) => ({ start: startLine, end: endLine }))
  return changed.length === 0 ? undefined : { path, lines: changed }
}
