import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  currentDatabase,
  databasesIn,
  discard,
  folderBytes,
  makeIndexFolder,
  nextDatabase,
  publish,
  removeIndexFiles,
  removeIndexFolder,
} from '../../src/store/index-location.js'
import { temporaryFolder } from './temporary-folder.js'

function folderWith(...files: readonly string[]): string {
  const folder = temporaryFolder()
  for (const file of files) writeFileSync(join(folder, file), 'x')
  return folder
}

function pointTo(folder: string, name: string): void {
  writeFileSync(join(folder, 'current'), `${name}\n`)
}

describe('the pointer to the current database', () => {
  it('is absent where there is no index, or no folder', () => {
    expect(currentDatabase(folderWith())).toBeUndefined()
    expect(currentDatabase(join(folderWith(), 'nowhere'))).toBeUndefined()
    expect(currentDatabase(join(folderWith('file'), 'file'))).toBeUndefined()
  })

  it('names the database in use', () => {
    const folder = folderWith('index-3.db')
    pointTo(folder, 'index-3.db')
    expect(currentDatabase(folder)).toBe(join(folder, 'index-3.db'))
  })

  it.each([
    '',
    'nonsense',
    '../../etc/passwd',
    'index-9.db',
    'index-3.db.bak',
    'index-.db',
    'x'.repeat(9999),
  ])('that says "%.20s" is damaged: INDEX_CORRUPT with the folder and the next step', (name) => {
    const folder = folderWith('index-3.db', 'index-3.db.bak')
    pointTo(folder, name)
    expect(() => currentDatabase(folder)).toThrow(
      expect.objectContaining({ code: 'INDEX_CORRUPT', message: expect.stringContaining(folder) as string }),
    )
    expect(() => currentDatabase(folder)).toThrow(/hone index/)
  })

  it('never looks damaged to who reads while another process publishes one database after another', async () => {
    const folder = folderWith('index-1.db')
    pointTo(folder, 'index-1.db')
    const publishing = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { publish } from ${JSON.stringify(join(process.cwd(), 'dist/store/index-location.js'))}
       import { writeFileSync } from 'node:fs'
       for (let n = 2; n < 3000; n++) {
         const path = ${JSON.stringify(folder)} + '/index-' + n + '.db'
         writeFileSync(path, 'x')
         publish(${JSON.stringify(folder)}, path)
       }`,
    ])
    const state = { isDone: false }
    const end = once(publishing, 'exit').then(([code]: unknown[]) => {
      state.isDone = true
      return code
    })
    while (!state.isDone) {
      for (let i = 0; i < 500; i++) expect(currentDatabase(folder)).toMatch(/index-\d+\.db$/)
      await new Promise(setImmediate)
    }
    expect(await end).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['current', 'index-2999.db'])
  })

  it('that cannot be read is INDEX_CORRUPT with the next step', () => {
    const folder = folderWith()
    mkdirSync(join(folder, 'current'))
    expect(() => currentDatabase(folder)).toThrow(
      expect.objectContaining({
        code: 'INDEX_CORRUPT',
        message: expect.stringContaining('hone index') as string,
      }),
    )
  })
})

describe('a full build', () => {
  it('writes the first database first', () => {
    expect(nextDatabase(folderWith())).toMatch(/index-1\.db$/)
  })

  it('takes up what a killed build left, before the first index and after', () => {
    const first = folderWith('index-1.db') // no pointer yet
    expect(nextDatabase(first)).toBe(join(first, 'index-1.db'))
    const later = folderWith('index-4.db', 'index-5.db')
    pointTo(later, 'index-4.db')
    expect(nextDatabase(later)).toBe(join(later, 'index-5.db'))
  })

  it('numbers on from whatever is there when the pointer is damaged', () => {
    const folder = folderWith('index-2.db', 'index-10.db')
    pointTo(folder, 'nonsense')
    expect(nextDatabase(folder)).toBe(join(folder, 'index-11.db'))
  })

  it('published is the current one; older and half-built ones are gone, other files are not', () => {
    const folder = folderWith(
      'index-1.db',
      'index-1.db-wal',
      'index-1.db-shm',
      'index-1.hnsw',
      'index-1.hnsw.json',
      'index-12.db',
      'index-2.db',
      'index-2.hnsw',
      'lock.db',
      'notes.txt',
    )
    pointTo(folder, 'index-1.db')
    publish(folder, join(folder, 'index-2.db'))
    expect(currentDatabase(folder)).toBe(join(folder, 'index-2.db'))
    expect(readdirSync(folder).sort()).toEqual([
      'current',
      'index-2.db',
      'index-2.hnsw',
      'lock.db',
      'notes.txt',
    ])
  })

  it('published twice changes nothing', () => {
    const folder = folderWith('index-2.db')
    for (let i = 0; i < 2; i++) publish(folder, join(folder, 'index-2.db'))
    expect(readFileSync(join(folder, 'current'), 'utf8')).toBe('index-2.db\n')
    expect(readdirSync(folder).sort()).toEqual(['current', 'index-2.db'])
  })

  it('discarded goes with its log and its graph', () => {
    const folder = folderWith(
      'index-2.db',
      'index-2.db-wal',
      'index-2.db-shm',
      'index-2.hnsw',
      'index-2.hnsw.json',
      'index-2.hnsw.new',
      'index-1.db',
    )
    discard(join(folder, 'index-2.db'))
    expect(readdirSync(folder)).toEqual(['index-1.db'])
    discard(join(folder, 'index-2.db')) // nothing there: nothing to do
  })
})

describe('an index folder', () => {
  it('is made with a rule that hides it from git, which is never overwritten', () => {
    const folder = join(temporaryFolder(), 'deep', '.hone')
    makeIndexFolder(folder)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
    writeFileSync(join(folder, '.gitignore'), 'mine\n')
    makeIndexFolder(folder)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('mine\n')
  })

  it('that cannot be made is INDEX_UNWRITABLE with the next step', () => {
    const file = join(folderWith('file'), 'file')
    expect(() => {
      makeIndexFolder(join(file, '.hone'))
    }).toThrow(
      expect.objectContaining({
        code: 'INDEX_UNWRITABLE',
        message: expect.stringContaining('HONE_INDEX_DIR') as string,
      }),
    )
  })

  it('lists its databases, the current one first, then the newest', () => {
    const folder = folderWith('index-1.db', 'index-2.db', 'index-10.db', 'index-2.db-wal', 'lock.db')
    const names = (): readonly string[] => databasesIn(folder).map((path) => path.slice(folder.length + 1))
    expect(names()).toEqual(['index-10.db', 'index-2.db', 'index-1.db'])
    pointTo(folder, 'index-2.db')
    expect(names()).toEqual(['index-2.db', 'index-10.db', 'index-1.db'])
    pointTo(folder, 'nonsense')
    expect(names()).toEqual(['index-10.db', 'index-2.db', 'index-1.db'])
    expect(databasesIn(join(folder, 'nowhere'))).toEqual([])
  })

  it('weighs what its files weigh', () => {
    const folder = folderWith('index-1.db', 'current', 'lock.db')
    expect(folderBytes(folder)).toBe(3)
  })

  it('is cleaned of everything hone wrote and of nothing else', () => {
    const folder = folderWith('index-1.db', 'index-1.hnsw', 'current', 'current.123', '.gitignore', 'lock.db')
    expect(removeIndexFiles(folder)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'lock.db'])
    expect(removeIndexFiles(folder)).toBe(false)
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    removeIndexFolder(folder)
    expect(readdirSync(folder)).toEqual(['notes.txt'])
    const other = folderWith('lock.db')
    removeIndexFolder(other)
    expect(existsSync(other)).toBe(false)
  })
})
