/**
 * Fixed-width rows by id, kept in memory as one byte array and in SQLite as pages.
 * Used for numbers that ranking needs of every document: reading 300 pages is faster than 300,000 rows.
 */
import { checksum } from './checksum.js'
import { damage, type Database } from './database.js'

// 1,024 rows a page: a changed row rewrites 10 KB (numbers) or 256 KB (vectors).
export const ROWS_PER_PAGE = 1024

/** The pages of a kind in order: one column's rows, cut. Throws INDEX_CORRUPT for one that is not as it was written. */
export function pagesOf(database: Database, kind: string): readonly Buffer[] {
  const rows = database.prepare('select page, data, sum from pages where kind = ? order by page').all(kind)
  return (rows as PageRow[]).map(({ page, data, sum }, n) => {
    if (page !== n || sum !== pageSum(kind, page, data)) throw damage(database.name, `page ${n} of ${kind}`)
    return data
  })
}

export function putPage(
  database: Database,
  { kind, page, data }: Omit<PageRow, 'sum'> & { kind: string },
): void {
  database
    .prepare('insert or replace into pages (kind, page, data, sum) values (?, ?, ?, ?)')
    .run(kind, page, data, pageSum(kind, page, data))
}

interface PageRow {
  readonly page: number
  readonly data: Buffer
  readonly sum: number
}

function pageSum(kind: string, page: number, data: Uint8Array): number {
  return checksum(`${kind} ${page}`, data)
}

export class Column {
  #bytes: Uint8Array
  #rows: number
  readonly #dirty = new Set<number>()

  private constructor(
    readonly kind: string,
    readonly rowBytes: number,
    bytes: Uint8Array,
  ) {
    this.#bytes = bytes
    this.#rows = Math.floor(bytes.length / rowBytes)
  }

  /** Reads all pages of a kind. */
  static load(database: Database, kind: string, rowBytes: number): Column {
    return new Column(kind, rowBytes, Buffer.concat(pagesOf(database, kind)))
  }

  /** Rows held; the id of the last row plus one. */
  get rows(): number {
    return this.#rows
  }

  /** The bytes of all rows. The array is replaced when the column grows: do not keep it across writes. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#rows * this.rowBytes)
  }

  view(): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#rows * this.rowBytes)
  }

  /** Bytes of one row for writing; the column grows to hold it, rows between are zero. */
  rowForWriting(id: number): Uint8Array {
    if (id >= this.#rows) this.#growTo(id + 1)
    this.#dirty.add(Math.floor(id / ROWS_PER_PAGE))
    return this.#bytes.subarray(id * this.rowBytes, (id + 1) * this.rowBytes)
  }

  /** Moves row ids[n] to row n for every n, and drops what is beyond. `ids` ascend. */
  keep(ids: ArrayLike<number>): void {
    const width = this.rowBytes
    for (let n = 0; n < ids.length; n++) {
      const from = ids[n]! * width // n < length
      this.#bytes.copyWithin(n * width, from, from + width)
    }
    this.#bytes.fill(0, ids.length * width) // rows added later start from zero
    this.#rows = ids.length
    for (let page = 0; page * ROWS_PER_PAGE < this.#rows; page++) this.#dirty.add(page)
  }

  /** Writes the pages that changed, and removes those that are no longer needed. */
  save(database: Database): void {
    const pageBytes = ROWS_PER_PAGE * this.rowBytes
    for (const page of [...this.#dirty].sort((a, b) => a - b)) {
      const data = Buffer.from(this.bytes.subarray(page * pageBytes, (page + 1) * pageBytes))
      putPage(database, { kind: this.kind, page, data })
    }
    this.#dirty.clear()
    database
      .prepare('delete from pages where kind = ? and page >= ?')
      .run(this.kind, Math.ceil(this.#rows / ROWS_PER_PAGE))
  }

  #growTo(rows: number): void {
    // Pages before the last must be whole, so new rows dirty every page they touch.
    for (let page = Math.floor(this.#rows / ROWS_PER_PAGE); page * ROWS_PER_PAGE < rows; page++)
      this.#dirty.add(page)
    if (rows * this.rowBytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(rows * this.rowBytes, this.#bytes.length * 2))
      larger.set(this.bytes)
      this.#bytes = larger
    }
    this.#rows = rows
  }
}
