/** Finds ignore files on which git would wait for ever: FIFOs, which it opens like files. */
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { repositoryAround } from './repository.js'

// Between so many folders other work gets its turn, and git may have come to its end.
const FOLDERS_PER_TURN = 100

/** Looks below `root` and above it, up to the top of the repository. False once `signal` says that nobody waits. */
export async function hasIgnoreTrap(root: string, signal: AbortSignal): Promise<boolean> {
  if (outerIgnoreFiles(root).some(isFifo)) return true
  const waiting = ['']
  for (let visited = 1; ; visited++) {
    const folder = waiting.pop()
    if (folder === undefined || signal.aborted) return false
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.name === '.gitignore' && entry.isFIFO()) return true
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(`${folder}${entry.name}/`)
    }
    if (visited % FOLDERS_PER_TURN === 0) await setImmediate()
  }
}

function outerIgnoreFiles(root: string): readonly string[] {
  const repository = repositoryAround(root)
  if (repository === undefined) return []
  const { top, prefix, commonFolder } = repository
  const above = prefix.split('/').map((_, depth, names) => join(top, ...names.slice(0, depth), '.gitignore'))
  return [join(commonFolder, 'info', 'exclude'), ...above]
}

function isFifo(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false
  } catch {
    return false
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // whoever lists the folder reports it
  }
}
