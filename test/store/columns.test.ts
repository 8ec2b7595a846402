import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column, makeColumn, ROWS_PER_PAGE } from '../../src/store/columns.js'
import { openDatabase, type Database } from '../../src/store/database.js'
import { DOCUMENT_COLUMNS, DocumentColumns } from '../../src/store/document-columns.js'
import { SCHEMA } from '../../src/store/schema.js'
import type { FileId } from '../../src/types.js'
import { temporaryFolder } from './temporary-folder.js'

function emptyDatabase(name = 'columns.db'): Database {
  const database = openDatabase(join(temporaryFolder(), name), 'create')
  makeTables(database)
  return database
}

function makeTables(database: Database): void {
  database.exec(SCHEMA)
  for (const kind of ['test', 'a', 'b', ...DOCUMENT_COLUMNS]) makeColumn(database, kind)
}

const ROW_BYTES = 3

function load(database: Database, kind: string): Column {
  return Column.load(database, kind, ROW_BYTES)
}

function write(column: Column, id: number, value: number): void {
  column.rowForWriting(id).fill(value)
}

function valuesOf(column: Column): readonly number[] {
  return Array.from({ length: column.rows }, (_, id) => column.bytes[id * ROW_BYTES]!)
}

describe('a column', () => {
  it('comes back from its pages as it was written, in any order, over any number of saves', () => {
    // Ids near page borders, where a page is cut, whole or new.
    const id = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -2, max: 2 }))
      .map(([page, offset]) => Math.max(0, page * ROWS_PER_PAGE + offset))
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), id, value: fc.integer({ min: 1, max: 255 }) }),
      fc.constant({ kind: 'save' as const }),
      fc.constant({ kind: 'reopen' as const }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const database = openDatabase(':memory:', 'create')
        makeTables(database)
        let column = load(database, 'test')
        const naive: number[] = []
        for (const step of steps) {
          if (step.kind === 'write') {
            write(column, step.id, step.value)
            while (naive.length < step.id) naive.push(0)
            naive[step.id] = step.value
          } else {
            column.save(database)
            if (step.kind === 'reopen') column = load(database, 'test')
          }
          expect(column.rows).toBe(naive.length)
        }
        column.save(database)
        expect(valuesOf(load(database, 'test'))).toEqual(naive)
        database.close()
      }),
      { numRuns: 60 },
    )
  })

  it('writes only the pages that changed', () => {
    const database = emptyDatabase()
    const column = load(database, 'test')
    write(column, 3 * ROWS_PER_PAGE, 7)
    column.save(database)
    database.exec('update pages set data = zeroblob(length(data))') // what is not written again stays zero
    write(column, ROWS_PER_PAGE, 5)
    column.save(database)
    const pages = database
      .prepare("select data from pages where kind = 'test' order by page")
      .pluck()
      .all() as Buffer[]
    expect(pages.map((data) => data.some((byte) => byte !== 0))).toEqual([false, true, false, false])
    database.close()
  })

  it('of a page that is missing, or not as it was written, is INDEX_CORRUPT', () => {
    for (const damage of [
      'delete from pages where page = 1',
      'delete from pages where page = 2', // the last
      'delete from pages',
      "update pages set data = x'00' where page = 1",
    ]) {
      const database = emptyDatabase()
      const column = load(database, 'test')
      write(column, 2 * ROWS_PER_PAGE, 7)
      column.save(database)
      database.exec(damage)
      expect(() => load(database, 'test')).toThrow(/damaged/)
      database.close()
    }
  })

  it('keeps the rows it is told to, in order, and gives up the pages beyond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 2, max: 9 }), (rows, every) => {
        const database = openDatabase(':memory:', 'create')
        makeTables(database)
        const column = load(database, 'test')
        for (let id = 0; id < rows; id++) write(column, id, (id * 7) % 256)
        column.save(database)
        const kept = Array.from({ length: rows }, (_, id) => id).filter((id) => id % every === 1)
        column.keep(kept)
        write(column, kept.length + 1, 9) // the row between is zero, not what was there
        column.save(database)
        const expected = [...kept.map((id) => (id * 7) % 256), 0, 9]
        expect(valuesOf(load(database, 'test'))).toEqual(expected)
        const pages = database.prepare("select count(*) from pages where kind = 'test'").pluck().get()
        expect(pages).toBe(Math.ceil(expected.length / ROWS_PER_PAGE))
        database.close()
      }),
      { numRuns: 20 },
    )
  })

  it('does not mix with another kind', () => {
    const database = emptyDatabase()
    const [a, b] = ['a', 'b'].map((kind) => load(database, kind)) as [Column, Column]
    write(a, 1, 1)
    write(b, 2000, 2)
    a.save(database)
    b.save(database)
    expect(load(database, 'a').rows).toBe(2)
    expect(load(database, 'b').rows).toBe(2001)
    database.close()
  })
})

describe('document columns', () => {
  function withTwoFiles(database: Database): DocumentColumns {
    const documents = new DocumentColumns(database)
    for (const [file, chunks] of [
      [1, 2],
      [2, 3],
    ] as const) {
      documents.putFile(file as FileId, documents.nextChunk, chunks, [4, 5, 0])
      for (let i = 0; i < chunks; i++)
        documents.putChunk(documents.nextChunk, file as FileId, [10 * file, i, 65_535])
    }
    return documents
  }

  it('number files and chunks from 1 and say which chunks a file has', () => {
    const database = emptyDatabase()
    const documents = withTwoFiles(database)
    documents.save(database)
    const read = new DocumentColumns(database)
    expect([read.nextFile, read.nextChunk]).toEqual([3, 6])
    const { fileOf, chunkLengths, firstChunk, chunkCount, isLive, fileLengths } = read.snapshot()
    expect([...fileOf]).toEqual([0, 1, 1, 2, 2, 2])
    expect([...chunkLengths[0]]).toEqual([0, 10, 10, 20, 20, 20])
    expect([...chunkLengths[1]]).toEqual([0, 0, 1, 0, 1, 2])
    expect([...chunkLengths[2]].slice(1)).toEqual(Array(5).fill(65_535))
    expect([...firstChunk]).toEqual([0, 1, 3])
    expect([...chunkCount]).toEqual([0, 2, 3])
    expect([...isLive]).toEqual([0, 1, 1])
    expect(fileLengths.map((lengths) => lengths[2])).toEqual([4, 5])
    database.close()
  })

  it('forget a removed file and its chunks, and use no id twice', () => {
    const database = emptyDatabase()
    const documents = withTwoFiles(database)
    expect(documents.removeFile(1 as FileId)).toEqual({ first: 1, end: 3 })
    documents.save(database)
    const read = new DocumentColumns(database)
    expect([read.nextFile, read.nextChunk]).toEqual([3, 6])
    const { fileOf, isLive, chunkCount } = read.snapshot()
    expect([...fileOf]).toEqual([0, 0, 0, 2, 2, 2])
    expect([...isLive]).toEqual([0, 0, 1])
    expect([...chunkCount]).toEqual([0, 0, 3])
    database.close()
  })

  it('know an empty file from a removed one', () => {
    const database = emptyDatabase()
    const documents = new DocumentColumns(database)
    documents.putFile(1 as FileId, 1, 0, [1, 0, 0])
    expect([...documents.snapshot().isLive]).toEqual([0, 1])
    expect(documents.removeFile(1 as FileId)).toEqual({ first: 1, end: 1 })
    expect([...documents.snapshot().isLive]).toEqual([0, 0])
    database.close()
  })
})
