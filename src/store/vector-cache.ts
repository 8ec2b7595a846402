/**
 * Vectors kept by the digest of what they were made from, in a small database beside the index. Only a cache: what
 * cannot be read or written is as if it were not there, and nothing here ever fails a query. It is not part of the
 * index: a rebuild keeps it, `removeIndexFolder` removes it.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HoneError } from '../errors.js'
import { mapErrors, openDatabase, type Database } from './database.js'

export const VECTOR_CACHE_FILE = 'deep-vectors.db'

// Bumped when the layout changes; another one's content is thrown away.
const LAYOUT = 1
// About 16 MB of 384 numbers each: a hundred queries that share nothing (docs/decisions/0009-deep-step.md).
export const MAX_VECTORS = 10_000

/** A vector to keep. */
export interface KeyedVector {
  /** Digest of all that decides the vector. */
  readonly key: string
  readonly vector: Float32Array
}

export interface VectorCache {
  /** Those of the vectors that are kept, by key. */
  get(keys: readonly string[]): ReadonlyMap<string, Float32Array>
  /** Keeps vectors; the oldest go when there are too many. */
  put(vectors: readonly KeyedVector[]): void
  /** A small text kept under a name, or undefined. */
  note(name: string): string | undefined
  setNote(name: string, value: string): void
  close(): void
}

/** The cache in `folder`; where it cannot be used, one that keeps nothing. */
export function openVectorCache(folder: string, maxVectors = MAX_VECTORS): VectorCache {
  const path = join(folder, VECTOR_CACHE_FILE)
  const database = existsSync(folder) ? opened(path) : undefined
  return database === undefined ? NOTHING_KEPT : new SqliteVectorCache(path, database, maxVectors)
}

/** Removes the cache of `folder`. */
export function removeVectorCache(folder: string): void {
  removeFiles(join(folder, VECTOR_CACHE_FILE))
}

const NOTHING_KEPT: VectorCache = {
  get: () => new Map(),
  put: () => undefined,
  note: () => undefined,
  setNote: () => undefined,
  close: () => undefined,
}

/** The database at `path`, made anew when it is damaged; undefined where none can be had. */
function opened(path: string): Database | undefined {
  try {
    return withTables(path)
  } catch (error) {
    letPass(error)
    if (!isOf(error, 'INDEX_CORRUPT')) return undefined
  }
  try {
    removeFiles(path)
    return withTables(path)
  } catch (error) {
    letPass(error)
    return undefined
  }
}

/** Throws what is a fault, and not only means that there is no cache here. */
function letPass(error: unknown): void {
  if (!isOf(error, 'INDEX_UNWRITABLE', 'INDEX_BUSY', 'INDEX_CORRUPT')) throw error
}

function isOf(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof HoneError && codes.includes(error.code)
}

function withTables(path: string): Database {
  const database = openDatabase(path, 'create')
  try {
    mapErrors(path, () => {
      if (database.pragma('user_version', { simple: true }) === LAYOUT) return
      database.exec(`
        begin immediate;
        drop table if exists vectors;
        drop table if exists notes;
        create table vectors (id integer primary key, key text not null unique, vector blob not null);
        create table notes (name text primary key, value text not null) without rowid;
        pragma user_version = ${LAYOUT};
        commit`)
    })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function removeFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

class SqliteVectorCache implements VectorCache {
  constructor(
    readonly path: string,
    readonly database: Database,
    readonly maxVectors: number,
  ) {}

  get(keys: readonly string[]): ReadonlyMap<string, Float32Array> {
    const found = new Map<string, Float32Array>()
    this.#try(() => {
      const select = this.database.prepare('select vector from vectors where key = ?').pluck()
      for (const key of keys) {
        const bytes = select.get(key)
        if (Buffer.isBuffer(bytes)) found.set(key, new Float32Array(new Uint8Array(bytes).buffer)) // a copy, aligned
      }
    })
    return found
  }

  put(vectors: readonly KeyedVector[]): void {
    if (vectors.length === 0) return
    this.#try(() => {
      const insert = this.database.prepare('insert or ignore into vectors (key, vector) values (?, ?)')
      this.database
        .transaction(() => {
          for (const { key, vector } of vectors)
            insert.run(key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))
          this.#forgetOldest()
        })
        .immediate()
    })
  }

  note(name: string): string | undefined {
    let value: unknown
    this.#try(() => {
      value = this.database.prepare('select value from notes where name = ?').pluck().get(name)
    })
    return typeof value === 'string' ? value : undefined
  }

  setNote(name: string, value: string): void {
    this.#try(() => {
      this.database.prepare('insert or replace into notes (name, value) values (?, ?)').run(name, value)
    })
  }

  close(): void {
    this.database.close()
  }

  /** Ids grow, so the oldest have the smallest; a quarter goes at once, for counting is the dear part. */
  #forgetOldest(): void {
    const count = this.database.prepare('select count(*) from vectors').pluck().get() as number
    if (count <= this.maxVectors) return
    const excess = count - this.maxVectors + Math.floor(this.maxVectors / 4)
    this.database
      .prepare('delete from vectors where id in (select id from vectors order by id limit ?)')
      .run(excess)
  }

  #try(action: () => void): void {
    try {
      mapErrors(this.path, action)
    } catch (error) {
      letPass(error)
    }
  }
}
