/** The globs a task implies: of files, folders and extensions that it names and the index holds. */
import type { IndexReader } from '../store/index-reader.js'
import type { ParsedTask } from './task.js'

// More are no hint where to look.
const MAX_PATTERNS = 8

/** Sorted by kind (files, folders, extensions), then as the task names them. */
export function inferPatterns(task: ParsedTask, index: IndexReader): readonly string[] {
  const { paths, folders, extensions } = task
  if (paths.length + folders.length + extensions.length === 0) return []
  const files = index.allPaths().map(({ path }) => path)
  const ofFiles = paths.flatMap((named) =>
    files.filter((path) => path === named || path.endsWith(`/${named}`)),
  )
  const ofFolders = folders.flatMap((named) => foldersNamed(named, files))
  const ofExtensions = extensions.filter((extension) =>
    files.some((path) => path.toLowerCase().endsWith(`.${extension}`)),
  )
  const globs = [
    ...ofFiles.map(escaped),
    ...ofFolders.map((folder) => `${escaped(folder)}/**`),
    ...ofExtensions.map((extension) => `**/*.${extension}`),
  ]
  return [...new Set(globs)].slice(0, MAX_PATTERNS)
}

/** Folders of the files whose path is, or ends with, the name; sorted. */
function foldersNamed(named: string, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  const inside = `/${named}/`
  for (const path of paths) {
    if (path.startsWith(`${named}/`)) folders.add(named)
    for (let at = path.indexOf(inside); at >= 0; at = path.indexOf(inside, at + 1))
      folders.add(path.slice(0, at + inside.length - 1))
  }
  return [...folders].sort()
}

/** A path as a glob that means just it. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@]/g, (sign) => `\\${sign}`)
}
