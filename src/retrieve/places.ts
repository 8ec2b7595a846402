/** Which indexed file a path of a task or of a stack trace means. The trace may be of another machine or folder. */
import { basename } from 'node:path'
import type { FileId } from '../types.js'
import type { Place } from './stack-trace.js'

export interface LocatedPlace extends Place {
  readonly file: FileId
}

/** What looking up a path needs of an index. */
export interface PathList {
  /** Folder that was indexed. */
  readonly root: string
  readonly files: readonly { readonly id: FileId; readonly path: string }[]
  /** Whether a file defines a name. */
  readonly defines: (file: FileId, name: string) => boolean
}

// Folders of code that was installed: what lies below is of this repository only when it is that package.
const INSTALLED =
  /^.*\/(?:node_modules|site-packages|dist-packages|\.cargo\/registry\/src\/[^/]+|pkg\/mod|gems)\//
// A path with folders is not recognised by its last name alone: /usr/lib/python3/queue.py is not our queue.py ...
const LEAST_COMMON = 2

/** The places that are in the repository, in the order given. */
export function locate(places: readonly Place[], list: PathList): readonly LocatedPlace[] {
  const byName = new Map<string, { readonly id: FileId; readonly path: string }[]>()
  const names = new Set(places.map(({ path }) => basename(path)))
  for (const file of list.files) {
    const name = basename(file.path)
    if (!names.has(name)) continue
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [file])
    else known.push(file)
  }
  return places.flatMap((place) => {
    const file = bestMatch(place, byName.get(basename(place.path)) ?? [], list)
    return file === undefined ? [] : [{ ...place, file }]
  })
}

/** The one file whose path has most of its end in common with the place's; of several the one with its function. */
function bestMatch(
  place: Place,
  files: readonly { readonly id: FileId; readonly path: string }[],
  { root, defines }: PathList,
): FileId | undefined {
  const path = pathInside(place.path, root)
  if (path === undefined) return undefined
  const matches = files
    .map((file) => ({ id: file.id, common: commonEnd(path, file.path), isExact: file.path === path }))
    .filter(({ common, isExact }, i) => isExact || common >= enough(path, files[i]!.path)) // same length
  const most = Math.max(0, ...matches.map(({ common }) => common))
  const best = matches.filter(({ common }) => common === most)
  const one = best.find(({ isExact }) => isExact) ?? (best.length === 1 ? best[0] : undefined)
  if (one !== undefined) return one.id
  const defining = best.filter(({ id }) => place.symbol !== '' && defines(id, place.symbol))
  return defining.length === 1 ? defining[0]!.id : undefined
}

/** Segments that must agree: ... unless that is all there is of one of the two (a server that runs in /app). */
function enough(path: string, indexed: string): number {
  return Math.min(LEAST_COMMON, segments(path).length, segments(indexed).length)
}

/** The path without what comes before the repository; undefined for one of another installed package. */
function pathInside(path: string, root: string): string | undefined {
  const installed = INSTALLED.exec(path)
  if (installed === null) return path
  const inside = path.slice(installed[0].length)
  const [name = '', ...rest] = inside.split('/')
  const own = basename(root)
  const isOwn = name === own || name.startsWith(`${own}-`) || name.startsWith(`${own}@`)
  return isOwn ? (path.includes('/node_modules/') ? rest.join('/') : inside) : undefined
}

function segments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function commonEnd(a: string, b: string): number {
  const [one, two] = [segments(a), segments(b)]
  let common = 0
  while (common < one.length && common < two.length && one.at(-1 - common) === two.at(-1 - common)) common++
  return common
}
