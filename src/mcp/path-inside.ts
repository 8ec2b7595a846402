/** Paths that a client names: always of the repository, never of what lies around it. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { HoneError } from '../errors.js'

/** `path` relative to the root, with "/". Throws PATH_OUTSIDE for one that leads out of it. */
export function pathInside(root: string, path: string): string {
  const inside = relative(root, resolve(root, path))
  const leadsOut = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
  if (leadsOut || path.includes('\0')) {
    const shown = JSON.stringify(path.slice(0, 100))
    throw new HoneError(
      'PATH_OUTSIDE',
      `${shown} is no file of the repository ${root}; give a path relative to it`,
    )
  }
  return inside.split(sep).join('/')
}
