/** Whatever is wrong inside an index, it is told; it never is another answer. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../scripts/torture/random.js'
import { HoneError } from '../../src/errors.js'
import { mapErrors, openDatabase } from '../../src/store/database.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { IndexWriter } from '../../src/store/index-writer.js'
import { storedCommits } from '../../src/store/past-writer.js'
import { verifyIndex } from '../../src/store/verify.js'
import type { FileId } from '../../src/types.js'
import { indexedFile, SETTINGS } from './indexed-files.js'
import { temporaryFolder } from './temporary-folder.js'

const WORDS = Array.from({ length: 12 }, (_, i) => `word${i}`)
const ABSENT = ['nowhere', 'word99']
const PATHS = Array.from({ length: 12 }, (_, i) => `src/part${i % 4}/file${i}.ts`)

let sound = ''
let says = ''
/** All there are. */
let terms: readonly string[] = []

/** Three segments, with deleted files; and a history. */
function makeIndex(path: string): void {
  const writer = new IndexWriter(path, SETTINGS)
  for (const [n, paths] of [PATHS, PATHS.slice(0, 6), PATHS.slice(3, 5)].entries()) {
    writer.begin()
    paths.forEach((at, i) => {
      writer.putFile(indexedFile(at, [WORDS[(i * 7 + n) % 12]!, WORDS[i % 5]!]))
    })
    writer.removeFile(PATHS[8 + n]!)
    writer.putSkipped([
      { path: 'a.bin', reason: 'binary' },
      { path: 'b.key', reason: 'secret', detail: 'a private key' },
    ])
    writer.putHistory({
      state: { kind: 'read', commits: 2, isShallow: false },
      stamp: `head ${n}`,
      prefix: '',
      isCut: false,
      commits: [
        { oid: '0b', subject: 'mend word1', files: [PATHS[1]!, 'gone.ts'], renames: [] },
        { oid: '0a', subject: 'add all', files: PATHS.slice(0, 3), renames: [] },
      ],
    })
    writer.commit()
  }
  writer.checkpoint()
  writer.close()
}

/** All that a query may read. */
function saysOf(path: string): string {
  const reader = new IndexReader(path)
  try {
    const files = reader.files()
    const { past } = reader
    const all = {
      settings: reader.settings,
      stats: reader.stats,
      history: reader.history,
      skipped: [reader.skipped(), [...reader.storedSkips()]],
      files: files.map((file) => ({
        file,
        at: reader.fileAt(file.path),
        path: reader.pathOf(file.id),
        chunks: reader.chunksOf(file.id),
        chunk: reader.chunksOf(file.id).map(({ id }) => reader.chunk(id)),
        symbols: reader.symbolsOf(file.id),
      })),
      gone: PATHS.slice(8, 11).map((at) => reader.fileAt(at)),
      words: [...terms, ...ABSENT].map((word) => [
        [...reader.postings('chunks', word).ids],
        [...reader.postings('files', word).ids],
        reader.symbolsNamed(word),
      ]),
      titles: files.map(({ id }) => [...reader.titles.vector(id)]),
      vectors: [...reader.documents.fileOf.keys()].map((id) => [...reader.vectors.vector(id)]),
      commits: commitsOf(path),
      past: [past.commits, [...past.fileOf], past.subject(0), past.commitsOf(2 as FileId)],
    }
    return JSON.stringify(all)
  } finally {
    reader.close()
  }
}

/** What only the writer reads. */
function commitsOf(path: string): unknown {
  const database = openDatabase(path, 'read')
  try {
    return mapErrors(path, () => [...storedCommits(database)])
  } finally {
    database.close()
  }
}

/** 'same', or the code it was refused with; anything else fails the test. */
function outcome(path: string): string {
  try {
    return saysOf(path) === says ? 'same' : 'another answer'
  } catch (error) {
    if (error instanceof HoneError) return error.code
    throw error
  }
}

const kept = mkdtempSync(join(tmpdir(), 'hone-sound-'))
beforeAll(() => {
  sound = join(kept, 'index-1.db')
  makeIndex(sound)
  const database = openDatabase(sound, 'read')
  terms = database.prepare('select distinct term from postings').pluck().all() as string[]
  database.close()
  says = saysOf(sound)
})
afterAll(() => {
  rmSync(kept, { recursive: true })
})

/** What `hone doctor` says. */
function verdict(path: string): string {
  try {
    verifyIndex(path)
    return 'sound'
  } catch (error) {
    if (error instanceof HoneError) return error.code
    throw error
  }
}

/** A copy to damage. */
function copy(): string {
  const path = join(temporaryFolder(), 'index-1.db')
  copyFileSync(sound, path)
  return path
}

const TABLES = ['meta', 'files', 'skipped', 'chunks', 'symbols', 'postings', 'pages'] as const
const KEYS: Readonly<Record<(typeof TABLES)[number], string>> = {
  meta: 'key',
  files: 'id',
  skipped: 'path',
  chunks: 'id',
  symbols: 'file, name, line, kind',
  postings: 'list, term, segment',
  pages: 'kind, page',
}

describe('an index', () => {
  it('is the same twice', () => {
    expect(outcome(copy())).toBe('same')
    expect(verdict(copy())).toBe('sound')
  })

  it.each(TABLES)('whose table %s lacks any one row is told to be damaged', (table) => {
    const database = openDatabase(copy(), 'create')
    const rows = database.prepare(`select ${KEYS[table]} from ${table}`).raw().all() as unknown[][]
    expect(rows.length).toBeGreaterThan(1)
    const where = KEYS[table]
      .split(', ')
      .map((column) => `${column} = ?`)
      .join(' and ')
    for (const row of rows) {
      database.exec('begin')
      database.prepare(`delete from ${table} where ${where}`).run(...row)
      database.exec('commit')
      const said = outcome(database.name)
      expect(['INDEX_CORRUPT', 'INDEX_VERSION'], `${table} ${row.join(' ')}: ${said}`).toContain(said)
      copyRows(database, table)
    }
    database.close()
  })

  it.each(TABLES)('whose table %s has any one value changed is told to be damaged', (table) => {
    const database = openDatabase(copy(), 'create')
    const rows = database.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
    for (const [n, row] of rows.entries()) {
      for (const column of Object.keys(row)) {
        const other = changed(row[column])
        const place = KEYS[table].split(', ').map((key) => [key, row[key]] as const)
        database
          .prepare(
            `update or ignore ${table} set ${column} = ? where ${place.map(([key]) => `${key} = ?`).join(' and ')}`,
          )
          .run(other, ...place.map(([, value]) => value))
        const isIgnored =
          JSON.stringify(database.prepare(`select * from ${table}`).all()) === JSON.stringify(rows)
        const said = outcome(database.name)
        expect(
          isIgnored ? ['same'] : ['INDEX_CORRUPT', 'INDEX_VERSION'],
          `${table} ${n} ${column}`,
        ).toContain(said)
        copyRows(database, table)
      }
    }
    database.close()
  })

  it('with any bit of its file flipped is told to be damaged or says the same, and a page of nonsense too', () => {
    const random = seeded(11)
    const bytes = statSync(sound).size
    const content = readFileSync(sound)
    const counts = new Map<string, number>()
    for (let i = 0; i < 120; i++) {
      const path = copy()
      const damaged = Buffer.from(content)
      const at = Math.floor(random() * bytes)
      if (i % 10 === 0) damaged.fill(Math.floor(random() * 256), at, at + 200)
      else damaged[at] = damaged[at]! ^ (1 << Math.floor(random() * 8)) // below the size
      writeFileSync(path, damaged)
      const said = outcome(path)
      counts.set(said, (counts.get(said) ?? 0) + 1)
      expect(['same', 'INDEX_CORRUPT', 'INDEX_VERSION'], `byte ${at}`).toContain(said)
      if (said !== 'same') expect(verdict(path), `byte ${at}`).not.toBe('sound')
    }
    expect(counts.get('INDEX_CORRUPT')).toBeGreaterThan(20)
  })
})

/** Puts a table back as it was. */
function copyRows(database: ReturnType<typeof openDatabase>, table: string): void {
  database.exec(`attach '${sound}' as sound; delete from main.${table};
    insert into main.${table} select * from sound.${table}; detach sound`)
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value.slice(0, -1)}~`
  if (Buffer.isBuffer(value)) return value.length === 0 ? Buffer.from([1]) : flipped(value)
  return 'x'
}

function flipped(value: Buffer): Buffer {
  const other = Buffer.from(value)
  other[other.length >> 1]! ^= 1 // not empty
  return other
}
