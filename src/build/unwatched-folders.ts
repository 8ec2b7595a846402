/**
 * Folders under a root that need no watching: those that hold files, none of which the index took or had to skip
 * (what git ignores, `.git`, the index itself). Folders without any file are watched, for their first one.
 */
import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** Absolute paths, sorted. `seen`: paths of the files indexed and skipped, relative to the root; a folder ends with "/". */
export function unwatchedFolders(root: string, seen: Iterable<string>): readonly string[] {
  const watched = new Set([''])
  const skipped = new Set<string>()
  for (const path of seen) {
    if (path.endsWith('/')) skipped.add(path.slice(0, -1))
    for (
      let slash = path.lastIndexOf('/', path.length - 2);
      slash > 0;
      slash = path.lastIndexOf('/', slash - 1)
    )
      watched.add(path.slice(0, slash))
  }
  const unwatched: string[] = []
  for (const folder of watched)
    for (const { name } of foldersIn(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (skipped.has(path) || (!watched.has(path) && holdsFile(join(root, path))))
        unwatched.push(join(root, path))
    }
  return unwatched.sort()
}

function holdsFile(folder: string): boolean {
  const entries = entriesOf(folder)
  return (
    entries.some((entry) => !entry.isDirectory()) ||
    entries.some((entry) => entry.isDirectory() && holdsFile(join(folder, entry.name)))
  )
}

function foldersIn(folder: string): readonly Dirent[] {
  return entriesOf(folder).filter((entry) => entry.isDirectory())
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // gone by now, or closed to us: nothing to leave out
  }
}
