import { existsSync, readdirSync, readlinkSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HoneError } from '../../src/errors.js'
import { mapErrors, openDatabase } from '../../src/store/database.js'
import { Facts, type Fact } from '../../src/store/facts.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { IndexWriter, type IndexedFile } from '../../src/store/index-writer.js'
import type { StampedSkip } from '../../src/store/records.js'
import type { ChunkId, FileId } from '../../src/types.js'
import { indexedFile, SETTINGS } from './indexed-files.js'
import { temporaryFolder } from './temporary-folder.js'

const WORDS = ['alpha', 'beta', 'gamma', 'delta']

function newPath(): string {
  return join(temporaryFolder(), 'index-1.db')
}

/** One transaction on the index at `path`. */
function update(path: string, change: (writer: IndexWriter) => void): void {
  const writer = new IndexWriter(path, SETTINGS)
  try {
    writer.begin()
    change(writer)
    writer.commit()
  } finally {
    writer.close()
  }
}

function put(path: string, ...files: readonly IndexedFile[]): void {
  update(path, (writer) => {
    for (const file of files) writer.putFile(file)
  })
}

function reading<T>(path: string, look: (reader: IndexReader) => T): T {
  const reader = new IndexReader(path)
  try {
    return look(reader)
  } finally {
    reader.close()
  }
}

/** Everything a query can see, in terms of paths and lines rather than ids. */
function visible(reader: IndexReader): unknown {
  const { fileOf, chunkLengths, fileLengths, isLive } = reader.documents
  const placeOf = (chunk: number): string => {
    const { file, startLine } = reader.chunk(chunk as ChunkId)
    return `${reader.pathOf(file)}:${startLine}`
  }
  const postingsOf = (list: 'chunks' | 'files', term: string): readonly string[] => {
    const { ids, counts } = reader.postings(list, term)
    const live = [...ids.keys()].filter((i) => (list === 'chunks' ? fileOf : isLive)[ids[i]!]! > 0)
    return live
      .map((i) => {
        const id = ids[i]!
        const place = list === 'chunks' ? placeOf(id) : reader.pathOf(id as FileId)
        return `${place} ${counts.map((count) => count[i]).join()}`
      })
      .sort()
  }
  return {
    stats: reader.stats,
    files: reader.files().map((file) => ({
      ...file,
      id: undefined,
      lengths: fileLengths.map((lengths) => lengths[file.id]),
      title: [...reader.titles.vector(file.id)],
      chunks: reader.chunksOf(file.id).map((chunk) => ({
        ...chunk,
        id: undefined,
        file: undefined,
        lengths: chunkLengths.map((lengths) => lengths[chunk.id]),
        vector: [...reader.vectors.vector(chunk.id)],
      })),
      symbols: reader.symbolsOf(file.id).map((symbol) => ({ ...symbol, file: undefined })),
    })),
    postings: [...WORDS, 'common'].map((word) => [word, postingsOf('chunks', word)]),
    paths: ['a', 'b', 'c', 'ts', 'src'].map((word) => [word, postingsOf('files', word)]),
    symbols: WORDS.map((word) =>
      reader
        .symbolsNamed(word)
        .map(({ file, line }) => `${reader.pathOf(file)}:${line}`)
        .sort(),
    ),
  }
}

/** What a new index of these files shows. */
function freshly(state: ReadonlyMap<string, readonly string[]>): unknown {
  const path = newPath()
  put(path, ...[...state].sort().map(([at, words]) => indexedFile(at, words)))
  return reading(path, visible)
}

describe('an index', () => {
  it('holds after any sequence of updates what a new index of the last state holds', () => {
    const edit = fc.record({
      path: fc.constantFrom('a.ts', 'src/b.ts', 'src/c.ts'),
      words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
      isRemoved: fc.boolean(),
    })
    // Several edits a commit, up to 40 commits: more than 24 join segments.
    const commits = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(commits, (all) => {
        const state = new Map<string, readonly string[]>()
        const path = newPath()
        const writer = new IndexWriter(path, SETTINGS)
        for (const edits of all) {
          writer.begin()
          for (const { path: at, words, isRemoved } of edits) {
            if (isRemoved) writer.removeFile(at)
            else writer.putFile(indexedFile(at, words))
            if (isRemoved) state.delete(at)
            else state.set(at, words)
          }
          writer.commit()
        }
        writer.close()
        expect(reading(path, visible)).toEqual(freshly(state))
      }),
      { numRuns: 20 },
    )
  })

  it('of no files answers that there are none', () => {
    const path = newPath()
    put(path)
    reading(path, (reader) => {
      expect(reader.stats).toEqual({ files: 0, chunks: 0, skipped: 0 })
      expect(reader.files()).toEqual([])
      expect(reader.postings('chunks', 'alpha').length).toBe(0)
      expect(reader.symbolsNamed('alpha')).toEqual([])
      expect(reader.fileAt('a.ts')).toBeUndefined()
      expect(reader.vectorIndex.search(new Float32Array(4), 10, () => true).nearest).toEqual([])
    })
  })

  it('gives back records, chunks, symbols and settings as they were put', () => {
    const path = newPath()
    const file = indexedFile('src/größe "x".ts', ['alpha', 'beta'])
    put(path, file)
    reading(path, (reader) => {
      expect(reader.settings).toEqual(SETTINGS)
      const stored = reader.fileAt('src/größe "x".ts')!
      expect(stored).toEqual({ ...file.record, id: stored.id })
      expect(reader.storedFiles().get(file.record.path)).toMatchObject(file.record)
      expect(reader.chunksOf(stored.id)).toMatchObject(
        file.chunks.map(({ startLine, name, symbols }) => ({ startLine, name, symbols })),
      )
      expect(reader.symbolsOf(stored.id)).toMatchObject(file.symbols)
    })
  })

  it('takes new times of an unchanged file without indexing it anew', () => {
    const path = newPath()
    const file = indexedFile('a.ts', ['alpha'])
    put(path, file)
    const id = reading(path, (reader) => reader.fileAt('a.ts')?.id)
    update(path, (writer) => {
      writer.touchFile({ ...file.record, mtimeMs: 77.125, inode: 9 })
    })
    reading(path, (reader) => {
      expect(reader.fileAt('a.ts')).toMatchObject({ id, mtimeMs: 77.125, inode: 9, hash: 'alpha' })
    })
  })

  it('stays one segment a term when commits hold no words', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    for (let i = 0; i < 30; i++)
      update(path, (writer) => {
        writer.touchFile(indexedFile('a.ts', ['alpha']).record)
      })
    const database = openDatabase(path, 'read')
    expect(new Facts(database).terms).toHaveLength(1)
    database.close()
  })
})

describe('an index that is updated for years', () => {
  const bulk = Array.from({ length: 400 }, (_, i) => WORDS[i % WORDS.length]!)

  it('does not grow beyond twice what it holds, and shows what a new one shows', () => {
    const path = newPath()
    const state = new Map<string, readonly string[]>()
    const set = (writer: IndexWriter, at: string, words: readonly string[]): void => {
      writer.putFile(indexedFile(at, words))
      state.set(at, words)
    }
    const rowsAfter: number[] = []
    for (let round = 0; round < 45; round++) {
      update(path, (writer) => {
        if (round === 0) set(writer, 'src/b.ts', ['beta', 'gamma'])
        if (round === 3) set(writer, 'src/c.ts', [])
        set(writer, 'a.ts', bulk.slice(round % 7))
      })
      rowsAfter.push(reading(path, (reader) => reader.documents.fileOf.length))
    }
    expect(Math.max(...rowsAfter)).toBeLessThan(6000) // 45 rounds wrote 18,000 chunks
    expect(rowsAfter.some((rows, i) => rows < (rowsAfter[i - 1] ?? 0))).toBe(true)
    expect(reading(path, visible)).toEqual(freshly(state))
  })

  it('joins segments although two words of different ones have one fingerprint', () => {
    const path = newPath()
    const alike = ['burutork', 'cahodock'] // one pair in 2^32; a repository of 100,000 files has some
    put(path, indexedFile('0.ts', ['alpha']))
    put(path, indexedFile('a.ts', [alike[0]!]))
    for (let round = 0; round < 30; round++) put(path, indexedFile(`b${round}.ts`, [alike[1]!]))
    const found = alike.map((word) => reading(path, (reader) => reader.postings('chunks', word).length))
    expect(found).toEqual([1, 30])
  })

  it('stays as it was when dropping the deleted fails half-way', () => {
    const path = newPath()
    for (let round = 0; round < 10; round++)
      put(path, indexedFile('a.ts', bulk), indexedFile('src/b.ts', ['beta']))
    const before = reading(path, visible)
    const database = openDatabase(path, 'create')
    database.exec("create trigger stop before update on symbols begin select raise(abort, 'stop'); end")
    database.close()
    const grow = (): void => {
      update(path, (writer) => {
        for (let round = 0; round < 5; round++) writer.putFile(indexedFile('a.ts', ['delta', ...bulk]))
      })
    }
    expect(grow).toThrow('stop')
    expect(reading(path, visible)).toEqual(before)
  })
})

describe('an update', () => {
  it('that is rolled back leaves the index as it was', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    const before = reading(path, visible)
    const writer = new IndexWriter(path, SETTINGS)
    writer.begin()
    writer.putFile(indexedFile('src/b.ts', ['beta']))
    writer.removeFile('a.ts')
    writer.close() // without a commit
    expect(reading(path, visible)).toEqual(before)
  })

  it('that throws in the middle leaves the index as it was, and the next one sound', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    const before = reading(path, visible)
    const broken = { ...indexedFile('src/b.ts', ['beta']), record: { ...indexedFile('src/b.ts', []).record } }
    Reflect.deleteProperty(broken.record, 'hash')
    expect(() => {
      put(path, indexedFile('src/c.ts', ['gamma']), broken)
    }).toThrow()
    expect(reading(path, visible)).toEqual(before)
    put(path, indexedFile('src/b.ts', ['beta']))
    expect(reading(path, visible)).toEqual(
      freshly(
        new Map([
          ['a.ts', ['alpha']],
          ['src/b.ts', ['beta']],
        ]),
      ),
    )
  })

  it('after a rollback on the same writer holds nothing of the one before', () => {
    const path = newPath()
    const writer = new IndexWriter(path, SETTINGS)
    writer.begin()
    writer.putFile(indexedFile('a.ts', ['alpha', 'alpha']))
    writer.rollback()
    writer.begin()
    writer.putFile(indexedFile('src/b.ts', ['beta']))
    writer.commit()
    writer.close()
    expect(reading(path, visible)).toEqual(freshly(new Map([['src/b.ts', ['beta']]])))
  })

  it('waits for nobody to see it: a reader sees nothing before the commit and all after', () => {
    const path = newPath()
    const writer = new IndexWriter(path, SETTINGS)
    writer.begin()
    writer.putFile(indexedFile('a.ts', ['alpha']))
    writer.commit()
    const reader = new IndexReader(path)
    writer.begin()
    writer.putFile(indexedFile('src/b.ts', ['beta']))
    expect(reader.refresh()).toBe(false)
    writer.commit()
    expect(reader.refresh()).toBe(true)
    expect(reader.refresh()).toBe(false)
    expect(reader.stats).toMatchObject({ files: 2, chunks: 2 })
    expect(reader.chunksOf(reader.fileAt('src/b.ts')!.id)).toMatchObject([{ name: 'beta' }])
    reader.close()
    writer.close()
  })

  it('changes nothing for a reader that has not refreshed: its answers are of one moment', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']), indexedFile('src/b.ts', ['beta']))
    const reader = new IndexReader(path)
    const before = reading(path, visible)
    put(path, indexedFile('a.ts', ['gamma', 'delta']))
    update(path, (writer) => {
      writer.removeFile('src/b.ts')
    })
    expect(visible(reader)).toEqual(before)
    expect(reader.refresh()).toBe(true)
    expect(visible(reader)).toEqual(freshly(new Map([['a.ts', ['gamma', 'delta']]])))
    reader.close()
  })

  it('that waits for another writer sees what that one committed', () => {
    const path = newPath()
    const first = new IndexWriter(path, SETTINGS)
    const second = new IndexWriter(path, SETTINGS) // opened before the first has written
    first.begin()
    first.putFile(indexedFile('a.ts', ['alpha']))
    first.commit()
    second.begin()
    second.putFile(indexedFile('src/b.ts', ['beta']))
    second.commit()
    first.close()
    second.close()
    expect(reading(path, visible)).toEqual(
      freshly(
        new Map([
          ['a.ts', ['alpha']],
          ['src/b.ts', ['beta']],
        ]),
      ),
    )
  })
})

describe('skipped files', () => {
  const stamp = { bytes: 1, mtimeMs: 2, ctimeMs: 3, inode: 4 }
  const skips: readonly StampedSkip[] = [
    { path: 'z.bin', reason: 'binary', stamp },
    { path: 'a.ts', reason: 'ignored' },
    { path: '\u{1f680}.bin', reason: 'binary', detail: 'NUL byte', stamp }, // sorts elsewhere in SQLite
    { path: '\uff5a.bin', reason: 'too-large', detail: '2 MB > 1 MB' },
  ]

  it('come back by path, with their reasons', () => {
    const path = newPath()
    update(path, (writer) => {
      writer.putSkipped(skips)
    })
    reading(path, (reader) => {
      expect(reader.skipped()).toHaveLength(4)
      expect(reader.skipped()[0]).toEqual({ path: 'a.ts', reason: 'ignored' })
      expect(reader.stats.skipped).toBe(4)
      expect([...reader.storedSkips().keys()].sort()).toEqual(['z.bin', '\u{1f680}.bin'])
      expect(reader.storedSkips().get('z.bin')).toMatchObject({ reason: 'binary', stamp })
    })
  })

  it('are written only when they are others, whatever order they come in', () => {
    const path = newPath()
    const writer = new IndexWriter(path, SETTINGS)
    const isNew = (list: readonly StampedSkip[]): boolean => {
      writer.begin()
      const answer = writer.putSkipped(list)
      writer.commit()
      return answer
    }
    expect(isNew([])).toBe(false)
    expect(isNew(skips)).toBe(true)
    expect(isNew(skips)).toBe(false)
    expect(isNew([...skips].reverse())).toBe(false)
    expect(isNew(skips.map((skip) => ({ ...skip, reason: 'secret' as const })))).toBe(true)
    expect(isNew(skips.slice(1))).toBe(true)
    expect(isNew([])).toBe(true)
    writer.close()
  })
})

function failureOf(action: () => unknown): unknown {
  try {
    const made = action()
    return made
  } catch (error) {
    return error
  }
}

describe('what is no index', () => {
  const meta =
    (key: Fact, value: string) =>
    (path: string): void => {
      const database = openDatabase(path, 'create')
      new Facts(database).put(key, value)
      database.close()
    }
  const damages: readonly (readonly [string, string, (path: string) => void])[] = [
    [
      'garbage',
      'INDEX_CORRUPT',
      (path) => {
        writeFileSync(path, 'no database at all '.repeat(500))
      },
    ],
    [
      'an empty file',
      'INDEX_VERSION',
      (path) => {
        truncateSync(path, 0)
      },
    ],
    [
      'cut in half',
      'INDEX_CORRUPT',
      (path) => {
        truncateSync(path, statSync(path).size / 2)
      },
    ],
    ['of another format', 'INDEX_VERSION', meta('format', '999')],
    ['of other features', 'INDEX_VERSION', meta('features', '0')],
    ['with settings that are no JSON', 'INDEX_CORRUPT', meta('settings', '{"encoder":')],
    ['with settings of something else', 'INDEX_CORRUPT', meta('settings', '[]')],
    [
      'without its tables',
      'INDEX_CORRUPT',
      (path) => {
        const database = openDatabase(path, 'create')
        database.exec('drop table pages; drop table skipped')
        database.close()
      },
    ],
  ]
  it.each(damages)('%s: %s, naming the file and the next step', (_, code, damage) => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    damage(path)
    const error = failureOf(() => new IndexReader(path))
    expect(error).toBeInstanceOf(HoneError)
    expect(error).toMatchObject({ code })
    expect((error as HoneError).message).toContain(path)
    expect((error as HoneError).message).toContain('hone index')
  })

  it('without the tables a writer needs is INDEX_CORRUPT for a writer too', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    const database = openDatabase(path, 'create')
    database.exec('drop table postings')
    database.close()
    expect(failureOf(() => new IndexWriter(path, SETTINGS))).toMatchObject({ code: 'INDEX_CORRUPT' })
    writeFileSync(path, 'garbage '.repeat(1000))
    expect(failureOf(() => new IndexWriter(path, SETTINGS))).toMatchObject({ code: 'INDEX_CORRUPT' })
  })

  it('missing: INDEX_MISSING, and nothing is made', () => {
    const path = newPath()
    expect(failureOf(() => new IndexReader(path))).toMatchObject({ code: 'INDEX_MISSING' })
    expect(existsSync(path)).toBe(false)
  })

  it.runIf(process.platform === 'linux')('is not kept open when it is refused', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    const timesOpen = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path
        } catch {
          return false // the listing's own
        }
      }).length
    expect(reading(path, timesOpen)).toBe(1)
    meta('format', '999')(path)
    failureOf(() => new IndexReader(path))
    writeFileSync(path, 'garbage '.repeat(1000))
    failureOf(() => new IndexReader(path))
    failureOf(() => new IndexWriter(path, SETTINGS))
    expect(timesOpen()).toBe(0)
  })

  it('being written by another process is INDEX_BUSY', () => {
    const path = newPath()
    put(path, indexedFile('a.ts', ['alpha']))
    const first = new IndexWriter(path, SETTINGS)
    first.begin()
    const second = openDatabase(path, 'create')
    second.pragma('busy_timeout = 0') // a writer waits ten seconds
    const error = failureOf(() => mapErrors(path, () => second.exec('begin immediate')))
    expect(error).toMatchObject({ code: 'INDEX_BUSY' })
    second.close()
    first.close()
  })
})
