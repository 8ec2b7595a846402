/** Tells whether all folders of a path are folders, none a link that leads elsewhere. Remembers each answer. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './hone-ignore.js'

export class RealFolders {
  readonly #known = new Map<string, boolean>([['', true]])

  constructor(readonly root: string) {}

  /** `folder`: "" or "a/b/". False only for what is known to be no folder; errors are left to the reader. */
  areReal(folder: string): boolean {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const isReal = this.areReal(folderOf(folder)) && isFolder(join(this.root, folder.slice(0, -1)))
    this.#known.set(folder, isReal)
    return isReal
  }
}

function isFolder(absolutePath: string): boolean {
  try {
    return lstatSync(absolutePath, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return true
  }
}
