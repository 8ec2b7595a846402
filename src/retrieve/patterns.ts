/** The globs a task implies: of files, folders and extensions that it names and the index holds. */
import type { IndexReader } from '../store/index-reader.js'
import type { ParsedTask } from './task.js'

// More are no hint where to look.
const MAX_PATTERNS = 8

/** Sorted by kind (files, folders, extensions), then as the task names them. */
export function inferPatterns(task: ParsedTask, index: IndexReader): readonly string[] {
  const { paths, folders, extensions } = task
  if (paths.length + folders.length + extensions.length === 0) return []
  const files = index.files().map(({ path }) => path)
  const ofFiles = paths.flatMap((named) =>
    files.filter((path) => path === named || path.endsWith(`/${named}`)),
  )
  const allFolders = foldersOf(files)
  const ofFolders = folders.flatMap((named) =>
    allFolders.filter((folder) => folder === named || folder.endsWith(`/${named}`)),
  )
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

/** Every folder above a file, sorted. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) folders.add(parts.slice(0, depth).join('/'))
  }
  return [...folders].sort()
}

/** A path as a glob that means just it. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@]/g, (sign) => `\\${sign}`)
}
