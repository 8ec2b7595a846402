/** Posting lists in the database: one run a segment, each with its checksum. */
import { checksum } from './checksum.js'
import { damage, type Database, type Statement } from './database.js'
import type { ListName } from './posting-lists.js'
import { decodeRuns, type Postings } from './postings.js'
import type { TermDirectory } from './term-directory.js'

// Thai, the first of the scripts without blanks: no pair of characters sorts before it.
const FIRST_UNSPACED = '\u0e00'

interface RunRow {
  readonly segment: number
  readonly documents: number
  readonly data: Buffer
  readonly sum: number
}

/** Reads the posting list of one term, segments joined. */
export class RunReader {
  readonly #statement: Statement<RunRow>

  constructor(
    readonly database: Database,
    readonly directory: TermDirectory,
  ) {
    this.#statement = database.prepare(
      'select segment, documents, data, sum from postings where list = ? and term = ? order by segment',
    )
  }

  /**
   * Undefined where no document holds the term. Throws INDEX_CORRUPT for a run that is not there or not as it was
   * written.
   */
  read(list: ListName, term: string): Postings | undefined {
    const segments = this.directory.segmentsOf(list, term)
    if (segments.length === 0) return undefined
    const rows = this.#statement.all(list, term)
    for (const { sum, ...run } of rows) if (sum !== runSum({ list, term, ...run })) throw this.#damage(term)
    this.#checkSegments(list, term, { segments, rows })
    if (rows.length === 0) return undefined
    return decodeRuns(
      rows.map((row) => row.data),
      rows.reduce((total, row) => total + row.documents, 0),
    )
  }

  /** The terms of pairs that hold a character, and itself where it stands alone; ascending. Throws INDEX_CORRUPT. */
  termsWith(list: ListName, character: string): readonly string[] {
    const terms = this.database
      .prepare(
        'select distinct term from postings where list = ? and term >= ? and instr(term, ?) > 0 order by term',
      )
      .pluck()
      .all(list, FIRST_UNSPACED, character)
    return terms.map((term) => {
      if (typeof term === 'string') return term
      throw this.#damage(character) // one tipped bit makes it bytes
    })
  }

  /** Each segment that holds the term has one run, no other has any. */
  #checkSegments(
    list: ListName,
    term: string,
    { segments, rows }: { readonly segments: readonly number[]; readonly rows: readonly RunRow[] },
  ): void {
    const found = new Set(rows.map(({ segment }) => segment))
    const isAmiss =
      found.size < rows.length ||
      rows.some(({ segment }) => !segments.includes(segment)) ||
      segments.some((segment) => !found.has(segment) && !this.directory.isOnlyAlike(list, segment, term))
    if (isAmiss) throw this.#damage(term)
  }

  #damage(term: string): Error {
    return damage(this.database.name, `where "${term}" is found`)
  }
}

/** Writes one run, into the table of postings or one like it. */
export class RunWriter {
  readonly #statement: Statement

  constructor(database: Database, table: 'postings' | 'joined' = 'postings') {
    this.#statement = database.prepare(`insert into ${table} values (?, ?, ?, ?, ?, ?)`)
  }

  put(run: Run): void {
    this.#statement.run(run.list, run.term, run.segment, run.documents, run.data, runSum(run))
  }
}

interface Run extends Omit<RunRow, 'sum'> {
  readonly list: ListName
  readonly term: string
}

function runSum({ list, term, segment, documents, data }: Run): number {
  return checksum(`${list} ${segment} ${documents} ${term}`, data)
}
