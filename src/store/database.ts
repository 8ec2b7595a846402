/**
 * The only file that knows better-sqlite3: opening, pragmas, and errors of SQLite in the words of this project.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import DatabaseConstructor from 'better-sqlite3'
import { HoneError, systemCode } from '../errors.js'
import { nativeFault } from '../native-fault.js'
import { mendCommand } from './mend.js'

export type Database = DatabaseConstructor.Database
export type Statement<Row = unknown> = DatabaseConstructor.Statement<unknown[], Row>

// Long enough for another process's commit of a large update, short enough to be told.
const BUSY_TIMEOUT_MS = 10_000

export type OpenMode = 'read' | 'write' | 'create'

/** Opens a database file. Throws HoneError INDEX_MISSING, INDEX_CORRUPT, INDEX_UNWRITABLE or NATIVE_MODULE. */
export function openDatabase(path: string, mode: OpenMode): Database {
  if (mode !== 'create' && !existsSync(path)) {
    throw new HoneError('INDEX_MISSING', `no index at ${path}; run: ${mendCommand(dirname(path))}`)
  }
  const nativeBinding = nativePart()
  return mapErrors(path, () => {
    // Readers open for writing too where they may: SQLite needs the shared-memory file of WAL mode.
    const database = new DatabaseConstructor(path, {
      timeout: BUSY_TIMEOUT_MS,
      fileMustExist: mode !== 'create',
      nativeBinding,
    })
    try {
      configure(database, mode)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

function configure(database: Database, mode: OpenMode): void {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('cache_size = -16000') // 16 MB
  database.pragma('mmap_size = 268435456')
  if (mode === 'read') database.pragma('query_only = ON')
}

// Node says why a module does not load the first time only; from then on it "did not self-register".
let firstFault: HoneError | undefined

/**
 * Path of the compiled part, proved to load: a failing native module must become a message, not a crash. Named by its
 * path, so that the JavaScript part can be bundled and need not search for it.
 */
function nativePart(): string {
  const require = createRequire(import.meta.url)
  try {
    const path = join(
      dirname(require.resolve('better-sqlite3/package.json')),
      'build/Release/better_sqlite3.node',
    )
    require(path)
    return path
  } catch (error) {
    firstFault ??= nativeFault('better-sqlite3', error)
    throw firstFault
  }
}

/** What to throw when something stored is not what it must be. */
export function damage(path: string, what: string): HoneError {
  const command = mendCommand(dirname(path), { rebuild: true })
  return new HoneError('INDEX_CORRUPT', `the index ${path} is damaged (${what}); run: ${command}`)
}

/** Runs `action`; what SQLite throws becomes a HoneError that names the file and the next step. */
export function mapErrors<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toHoneError(path, error)
  }
}

function toHoneError(path: string, error: unknown): unknown {
  const code = systemCode(error)
  // SQLITE_ERROR: a table or column of ours is missing, so another program made it or something has eaten it.
  if (['SQLITE_NOTADB', 'SQLITE_ERROR'].includes(code) || code.startsWith('SQLITE_CORRUPT')) {
    const command = mendCommand(dirname(path), { rebuild: true })
    return new HoneError('INDEX_CORRUPT', `the index ${path} is damaged; run: ${command}`, { cause: error })
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new HoneError(
      'INDEX_BUSY',
      `another process is writing the index ${path}; try again when it is done`,
      {
        cause: error,
      },
    )
  }
  // SHMSIZE: not even the 32 KB of memory that readers share could be had.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
    const message = `the disk of ${path} is full; the index is as it was before; free some space`
    return new HoneError('INDEX_UNWRITABLE', message, {
      cause: error,
    })
  }
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code.startsWith('SQLITE_IOERR')
  ) {
    return new HoneError(
      'INDEX_UNWRITABLE',
      `cannot write the index ${path} (${code}); check the folder's permissions or set HONE_INDEX_DIR`,
      {
        cause: error,
      },
    )
  }
  return error
}
