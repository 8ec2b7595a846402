/** Where the index of a root belongs, and which root an index belongs to. */
import { accessSync, constants, existsSync } from 'node:fs'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { homeFolder, indexFolderFromEnvironment, userCacheFolder } from '../config.js'
import { sha256 } from '../digest.js'
import { HoneError } from '../errors.js'
import { checkedRoot } from '../walk/root.js'

const FOLDER = '.hone'

/** Folder for the index of `root`: HONE_INDEX_DIR, else `.hone/` in it, else (read-only root) the user's cache. */
export function indexFolderOf(root: string): string {
  const set = indexFolderFromEnvironment()
  if (set !== undefined) return join(resolve(set), folderName(root))
  const own = join(root, FOLDER)
  if (isWritable(existsSync(own) ? own : root)) return own
  return join(userCacheFolder(), folderName(root))
}

/** The nearest folder upward that has an index, or undefined. Throws ROOT_* unless `from` is a folder. */
export function findIndexedRoot(from: string): string | undefined {
  checkRoot(resolve(from), { allowAny: true }) // or a mistyped path would silently mean the index above it
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(indexFolderOf(folder), 'current'))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** Git root above a folder, else the folder itself. */
export function defaultRoot(from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return resolve(from)
  }
}

/** Throws when `root` is not a folder that can be read, or is one that nobody means to index. */
export function checkRoot(root: string, options: { readonly allowAny: boolean }): void {
  const folder = checkedRoot(root)
  const isTooWide = folder === parse(folder).root || folder === homeFolder()
  if (isTooWide && !options.allowAny) {
    throw new HoneError(
      'ROOT_REFUSED',
      `${root} is a home folder or file system root; add --yes to index it all the same`,
    )
  }
}

function folderName(root: string): string {
  return `${basename(resolve(root))}-${sha256(resolve(root)).slice(0, 12)}`
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
