/**
 * Facts about an index as a whole, one row each with its checksum. All of them are there from the first commit on, so
 * that one that cannot be found is damage.
 */
import { rowSum } from './checksum.js'
import { damage, type Database, type Statement } from './database.js'
import type { TermParts } from './posting-lists.js'
import { FEATURE_VERSION, FORMAT_VERSION } from './schema.js'

/**
 * `format`, `features`: versions. `settings`, `history`: JSON (records.ts). `generation`: another after every commit.
 * `numbering`: another after every compaction. `counts`, `terms`: see below.
 */
export type Fact =
  'format' | 'features' | 'settings' | 'history' | 'generation' | 'numbering' | 'counts' | 'terms'

/** Rows that a table must have. */
export interface RowCounts {
  readonly files: number
  readonly skipped: number
}

interface FactRow {
  readonly value: string
  readonly sum: number
}

export class Facts {
  readonly #get: Statement<FactRow>
  readonly #put: Statement

  constructor(readonly database: Database) {
    this.#get = database.prepare('select value, sum from meta where key = ?')
    this.#put = database.prepare('insert or replace into meta values (?, ?, ?)')
  }

  /** Throws INDEX_CORRUPT. */
  get(fact: Fact): string {
    const row = this.#get.get(fact)
    if (row?.sum === rowSum([fact, row?.value])) return row.value
    throw damage(this.database.name, `its ${fact}`)
  }

  /** Throws INDEX_CORRUPT: what they say may be an accident. */
  checkVersions(): void {
    this.get('format')
    this.get('features')
  }

  put(fact: Fact, value: string | number): void {
    this.#put.run(fact, String(value), rowSum([fact, String(value)]))
  }

  get counts(): RowCounts {
    return JSON.parse(this.get('counts')) as RowCounts
  }

  get terms(): TermParts {
    return JSON.parse(this.get('terms')) as TermParts
  }

  /** Moves on what tells one commit or numbering from the next. */
  count(fact: 'generation' | 'numbering'): void {
    this.put(fact, Number(this.get(fact)) + 1)
  }
}

/** What a new database begins with. Its versions come with the first commit: until then there is nothing to read. */
export function putFirstFacts(facts: Facts): void {
  facts.put('generation', 0)
  facts.put('numbering', 0)
  facts.put('history', 'null')
  facts.put('counts', JSON.stringify({ files: 0, skipped: 0 } satisfies RowCounts))
  facts.put('terms', JSON.stringify([] satisfies TermParts))
}

/** Format and features as they are written, whatever the format; 0 where there are none. */
export function versionsOf(database: Database): readonly [number, number] {
  const hasFacts = database.prepare("select 1 from sqlite_master where name = 'meta'").get() !== undefined
  if (!hasFacts) return [0, 0]
  const read = database.prepare('select value from meta where key = ?').pluck()
  return [Number(read.get('format') ?? 0), Number(read.get('features') ?? 0)]
}

/** Whether it can be read by this hone. */
export function isOfThisVersion([format, features]: readonly [number, number]): boolean {
  return format === FORMAT_VERSION && features === FEATURE_VERSION
}
