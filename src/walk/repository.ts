/** Where the git work tree around a folder begins and where its shared files are, found without running git. */
import { lstatSync, realpathSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

export interface Repository {
  /** Absolute path of the work tree's top folder. */
  readonly top: string
  /** Path of the folder asked about, relative to `top`, with "/" at its end; "" for the top itself. */
  readonly prefix: string
  /** Folder that holds `HEAD`. */
  readonly gitFolder: string
  /** Folder that holds `info/exclude`: of a linked worktree, the one of the main repository. */
  readonly commonFolder: string
}

/** The nearest repository that has `folder` in its work tree, or undefined. */
export function repositoryAround(folder: string): Repository | undefined {
  const start = realpathSync(folder)
  for (let top = start; ; top = dirname(top)) {
    const gitFolder = gitFolderOf(top)
    if (gitFolder !== undefined) {
      const inner = relative(top, start).split(sep).join('/')
      return {
        top,
        prefix: inner === '' ? '' : `${inner}/`,
        gitFolder,
        commonFolder: commonFolderOf(gitFolder),
      }
    }
    if (dirname(top) === top) return undefined
  }
}

/** Whether a folder is the top of a work tree: a repository, a worktree or a submodule. */
export function isRepository(folder: string): boolean {
  return gitFolderOf(folder) !== undefined
}

function gitFolderOf(folder: string): string | undefined {
  const path = join(folder, '.git')
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (entry === undefined) return undefined
    if (entry.isFile())
      return /^gitdir: (.+?)[\r\n]*$/.test(smallText(path)) ? linkedFolder(folder, path) : undefined
    // A stray folder named .git is no repository; git looks for the same three entries.
    return ['HEAD', 'objects', 'refs'].every((name) => exists(join(path, name))) ? path : undefined
  } catch {
    return undefined // not readable: then git does not take it for a repository either
  }
}

function linkedFolder(folder: string, path: string): string {
  return resolve(folder, smallText(path).slice('gitdir: '.length).trimEnd())
}

function commonFolderOf(gitFolder: string): string {
  const pointer = join(gitFolder, 'commondir')
  return exists(pointer) ? resolve(gitFolder, smallText(pointer).trimEnd()) : gitFolder
}

// A pointer file holds one path; more than this is no pointer.
const MAX_POINTER_BYTES = 10_000

function smallText(path: string): string {
  const entry = lstatSync(path)
  return entry.isFile() && entry.size <= MAX_POINTER_BYTES ? readFileSync(path, 'utf8') : ''
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
