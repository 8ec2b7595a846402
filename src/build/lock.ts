/**
 * One writer at a time: an exclusive transaction on a tiny database of its own. The operating system ends it with the
 * process, however that ends, so a lock is never left behind.
 */
import { join } from 'node:path'
import { HoneError } from '../errors.js'
import { openDatabase } from '../store/database.js'

export interface WriteLock {
  release(): void
}

/** Takes the lock of an index folder, or the one for its graph, or throws INDEX_BUSY at once. */
export function takeWriteLock(folder: string, file: 'lock.db' | 'graph-lock.db' = 'lock.db'): WriteLock {
  const database = openDatabase(join(folder, file), 'create')
  try {
    database.pragma('busy_timeout = 0')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    throw new HoneError(
      'INDEX_BUSY',
      `another process is indexing into ${folder}; try again when it is done`,
      {
        cause: error,
      },
    )
  }
  return {
    release: () => {
      database.exec('rollback')
      database.close()
    },
  }
}
