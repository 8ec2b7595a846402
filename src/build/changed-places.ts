/** From uncommitted changes to the places in the index that they touch. */
import { uncommittedChanges, type ChangedFile } from '../history/changes.js'
import { HoneError } from '../errors.js'
import type { IndexReader } from '../store/index-reader.js'
import type { Place } from '../types.js'

export interface ChangedPlaces {
  /** Indexed files with the lines of their chunks that differ; sorted by path. */
  readonly places: readonly Place[]
  /** Changed files that the index does not hold; sorted. */
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
  const changes = await uncommittedChanges(root, signal)
  if (changes.kind === 'none') {
    const why = changes.why === 'no-git' ? 'git is not installed' : `${root} is in no git repository`
    throw new HoneError('USAGE', `no changes to look at: ${why}; name a file instead: hone related FILE`)
  }
  const places = changes.files.flatMap((file) => placeOf(index, file, linesOf(file.path)) ?? [])
  const held = new Set(places.map(({ path }) => path))
  const isHeld = ({ path }: ChangedFile): boolean => held.has(path) || index.fileAt(path) !== undefined
  return { places, notIndexed: changes.files.filter((file) => !isHeld(file)).map(({ path }) => path) }
}

/** The chunks of a file whose text its last committed version does not hold; undefined for a file that is the same. */
function placeOf(
  index: IndexReader,
  { path, before }: ChangedFile,
  lines: readonly string[] | undefined,
): Place | undefined {
  const file = index.fileAt(path)
  if (file === undefined || lines === undefined) return undefined
  if (before === undefined) return { path }
  const old = `\n${before.split(/\r\n|\r|\n/).join('\n')}\n`
  const changed = index
    .chunksOf(file.id)
    .filter(({ startLine, endLine }) => {
      const text = lines.slice(startLine - 1, endLine).join('\n')
      return text.trim() !== '' && !old.includes(`\n${text}\n`)
    })
    .map(({ startLine, endLine }) => ({ start: startLine, end: endLine }))
  return changed.length === 0 ? undefined : { path, lines: changed }
}
