/** Removing an index as a caller asks for it. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { indexFolderOf } from '../build/index-folder.js'
import { takeWriteLock } from '../build/lock.js'
import { removeIndexFiles, removeIndexFolder } from '../store/index-location.js'

/**
 * Removes the index of `root`, and its folder unless something else lies in it. Returns the folder, or undefined when
 * there was no index. Throws INDEX_BUSY, INDEX_UNWRITABLE.
 */
export function removeIndex(options: { readonly root: string }): string | undefined {
  const folder = indexFolderOf(resolve(options.root))
  if (!existsSync(folder)) return undefined
  const lock = takeWriteLock(folder)
  let hadIndex: boolean
  try {
    hadIndex = removeIndexFiles(folder)
  } finally {
    lock.release()
  }
  removeIndexFolder(folder)
  return hadIndex ? folder : undefined
}
