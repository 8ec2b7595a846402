/**
 * Fixed-width rows by id, kept in memory as one byte array and in SQLite as pages.
 * Used for numbers that ranking needs of every document: reading 300 pages is faster than 300,000 rows.
 */
import { checksum } from './checksum.js'
import { damage, type Database } from './database.js'

// 1,024 rows a page: a changed row rewrites 10 KB (numbers) or 256 KB (vectors).
export const ROWS_PER_PAGE = 1024

/** The pages of a kind in order: one column's rows, cut. Throws INDEX_CORRUPT for one missing or not as it was written. */
export function pagesOf(database: Database, kind: string): readonly Buffer[] {
  const rows = database
    .prepare<unknown[], PageRow>('select page, data, sum from pages where kind = ? order by page')
    .all(kind)
  if (rows.length === 0) throw damage(database.name, `all pages of ${kind}`)
  return rows.map(({ sum, ...row }, n) => {
    const isLast = n === rows.length - 1
    if (row.page !== n || sum !== pageSum({ kind, ...row, isLast }))
      throw damage(database.name, `page ${n} of ${kind}`)
    return row.data
  })
}

/** Begins a column: there is always one page, so that none is damage. */
export function makeColumn(database: Database, kind: string): void {
  putPage(database, { kind, page: 0, data: Buffer.alloc(0), isLast: true })
}

/** Reads single pages of kinds that are not a column. Throws INDEX_CORRUPT as `pagesOf` does. */
export function pageAt(database: Database): (kind: string, page: number) => Buffer {
  const statement = database.prepare<unknown[], PageRow>(
    'select page, data, sum from pages where kind = ? and page = ?',
  )
  return (kind, page) => {
    const { data, sum } = statement.get(kind, page) ?? NO_PAGE
    if (sum !== pageSum({ kind, page, data })) throw damage(database.name, `page ${page} of ${kind}`)
    return data
  }
}

export function putPage(database: Database, page: Page): void {
  database
    .prepare('insert or replace into pages (kind, page, data, sum) values (?, ?, ?, ?)')
    .run(page.kind, page.page, page.data, pageSum(page))
}

interface Page {
  readonly kind: string
  readonly page: number
  readonly data: Buffer
  /** The last of a column, which says so: without it, nobody would miss those at the end. */
  readonly isLast?: boolean
}

// Of the wrong sum, whatever it is for.
const NO_PAGE = { data: Buffer.alloc(0), sum: NaN } as const

interface PageRow {
  readonly page: number
  readonly data: Buffer
  readonly sum: number
}

function pageSum({ kind, page, data, isLast = false }: Page): number {
  return checksum(`${kind} ${page}${isLast ? ' last' : ''}`, data)
}

export class Column {
  #bytes: Uint8Array
  #rows: number
  /** Pages in the database; the last of them is marked so. */
  #savedPages: number
  readonly #dirty = new Set<number>()

  private constructor(
    readonly kind: string,
    readonly rowBytes: number,
    pages: readonly Buffer[],
  ) {
    this.#bytes = Buffer.concat(pages)
    this.#rows = Math.floor(this.#bytes.length / rowBytes)
    this.#savedPages = pages.length
  }

  /** Reads all pages of a kind. */
  static load(database: Database, kind: string, rowBytes: number): Column {
    return new Column(kind, rowBytes, pagesOf(database, kind))
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
    const pages = Math.max(1, Math.ceil(this.#rows / ROWS_PER_PAGE))
    if (pages !== this.#savedPages) this.#dirty.add(pages - 1).add(Math.min(pages, this.#savedPages) - 1) // the marks
    const pageBytes = ROWS_PER_PAGE * this.rowBytes
    for (const page of [...this.#dirty].filter((page) => page < pages).sort((a, b) => a - b)) {
      const data = Buffer.from(this.bytes.subarray(page * pageBytes, (page + 1) * pageBytes))
      putPage(database, { kind: this.kind, page, data, isLast: page === pages - 1 })
    }
    this.#dirty.clear()
    this.#savedPages = pages
    database.prepare('delete from pages where kind = ? and page >= ?').run(this.kind, pages)
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
