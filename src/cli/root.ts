/** Which repository a command means. */
import { resolve } from 'node:path'
import { HoneError } from '../errors.js'
import { defaultRoot, findIndexedRoot } from '../index.js'

/** The root of the nearest index upward; without one `path`, or the root of the git repository around this folder. */
export function rootFor(path: string | undefined): string {
  const from = path === undefined ? currentFolder() : resolve(path)
  return findIndexedRoot(from) ?? (path === undefined ? defaultRoot(from) : from)
}

/** Throws ROOT_NOT_FOUND when the folder this process stands in has been removed. */
export function currentFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new HoneError('ROOT_NOT_FOUND', 'the current folder is gone; change to another', { cause })
  }
}
