/** The folder a user gave as root, checked. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HoneError, messageOf, systemCode } from '../errors.js'

/** The absolute path of a folder. Throws ROOT_NOT_FOUND, ROOT_NOT_DIRECTORY or ROOT_UNREADABLE. */
export function checkedRoot(given: string): string {
  const root = resolve(given)
  try {
    const entry = statSync(root, { throwIfNoEntry: false })
    if (entry === undefined) {
      throw new HoneError('ROOT_NOT_FOUND', `there is no folder ${root}; give the folder of your code`)
    }
    if (!entry.isDirectory()) {
      throw new HoneError(
        'ROOT_NOT_DIRECTORY',
        `${root} is a file; give the folder that holds it: ${dirname(root)}`,
      )
    }
    return root
  } catch (cause) {
    if (cause instanceof HoneError) throw cause
    const message = `cannot read ${root} (${messageOf(cause)}); check its permissions, or give another folder`
    throw new HoneError(systemCode(cause) === 'ENOTDIR' ? 'ROOT_NOT_FOUND' : 'ROOT_UNREADABLE', message, {
      cause,
    })
  }
}
