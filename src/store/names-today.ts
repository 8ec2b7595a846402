/** From the names files had in past commits to the files of today. */
import type { CommitNumbers } from './past-pages.js'

export interface NamesToday {
  /** By entry of `fileOf`: number of the path the file has after all later renames. */
  readonly ofEntry: Uint32Array
  /** By path number: the name its oldest bearer has today. */
  readonly ofOldest: Uint32Array
}

/** Walks from the newest commit to the oldest: what a commit renamed has its new name in all older ones. */
export function namesToday({ commits, paths, ...numbers }: CommitNumbers): NamesToday {
  const { firstFile, fileOf, firstRename, renamedFrom, renamedTo } = numbers
  const today = Uint32Array.from({ length: paths }, (_, path) => path)
  const ofEntry = new Uint32Array(fileOf.length)
  for (let c = 0; c < commits; c++) {
    for (let f = firstFile[c]!; f < firstFile[c + 1]!; f++) ofEntry[f] = today[fileOf[f]!]!
    const from = firstRename[c]!
    const to = firstRename[c + 1]!
    const names = renamedTo.subarray(from, to).map((path) => today[path]!) // first all, or a swap would be undone
    for (let r = from; r < to; r++) today[renamedFrom[r]!] = names[r - from]!
  }
  return { ofEntry, ofOldest: today }
}

// Longer chains are loops: names that were given back and forth.
const MAX_STEPS = 8

/**
 * By path number: id of the file it is today, 0 for none. A name that is gone although no newer commit renamed it was
 * renamed on another branch: it is followed all the same.
 */
export function linkPaths(
  paths: readonly string[],
  { ofOldest }: NamesToday,
  idOf: (path: string) => number | undefined,
): Uint32Array {
  return Uint32Array.from(paths, (path, number) => {
    let id = idOf(path)
    for (let step = 0; id === undefined && step < MAX_STEPS; step++) {
      const next = ofOldest[number]!
      if (next === number) break
      number = next
      id = idOf(paths[number]!)
    }
    return id ?? 0
  })
}
