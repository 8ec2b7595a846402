/** Posting lists in the database: one run a segment, each with its checksum. */
import { checksum } from './checksum.js'
import { damage, type Database, type Statement } from './database.js'
import { decodeRuns, type Postings } from './postings.js'

/** 'c': documents are chunks; 'f': files. */
export type ListName = 'c' | 'f'

interface RunRow {
  readonly segment: number
  readonly documents: number
  readonly data: Buffer
  readonly sum: number
}

/** Reads the posting list of one term, segments joined. */
export class RunReader {
  readonly #statement: Statement<RunRow>

  constructor(readonly database: Database) {
    this.#statement = database.prepare(
      'select segment, documents, data, sum from postings where list = ? and term = ? order by segment',
    )
  }

  /** Undefined where no document holds the term. Throws INDEX_CORRUPT for a run that is not as it was written. */
  read(list: ListName, term: string): Postings | undefined {
    const rows = this.#statement.all(list, term)
    if (rows.length === 0) return undefined
    for (const { sum, ...run } of rows)
      if (sum !== runSum({ list, term, ...run })) throw damage(this.database.name, `where "${term}" is found`)
    return decodeRuns(
      rows.map((row) => row.data),
      rows.reduce((total, row) => total + row.documents, 0),
    )
  }
}

/** Writes one run. */
export class RunWriter {
  readonly #statement: Statement

  constructor(database: Database) {
    this.#statement = database.prepare('insert into postings values (?, ?, ?, ?, ?, ?)')
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
