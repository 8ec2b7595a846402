import { readFileSync } from 'node:fs'

/** Lines of a file, as an engine wants them; undefined when it cannot be read. */
export function readLines(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, 'utf8').split(/\r\n|\r|\n/)
  } catch {
    return undefined
  }
}
