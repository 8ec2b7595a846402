/** What was set about an index outlives damage to it, can be taken back, and every message names the root. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openIndex } from '../../src/index.js'
import { openDatabase } from '../../src/store/database.js'
import { answerOf, hone } from '../helpers/command.js'
import { SAMPLE } from '../spine/sample.js'
import { tree, write } from '../walk/temp-tree.js'
import { build, databaseOf, saysOf } from './index-states.js'

const pathsIn = (root: string): string => hone(['status', root, '--files']).out
const WITHOUT_README = 'src/session.ts\nsrc/table.ts\nsrc/throttle.ts\nsrc/token.ts\n'

function damage(root: string): void {
  writeFileSync(databaseOf(root), 'not a database '.repeat(2000))
}

describe('the settings of an index', () => {
  it('outlive a database that is damaged', async () => {
    const root = tree(SAMPLE)
    await build(root, { exclude: ['*.md'], maxFileBytes: 5000, history: false })
    damage(root)
    const mended = hone(['index', root])
    expect(mended).toMatchObject({ code: 0, err: '' })
    expect(mended.out).toMatch(/^4 files/)
    expect(pathsIn(root)).toBe(WITHOUT_README)
    const index = await openIndex({ root })
    expect(index.status.history).toEqual({ kind: 'none', why: 'off' })
    index.close()
  })

  it.each([
    [
      'damaged',
      (path: string) => {
        writeFileSync(path, readFileSync(path, 'utf8').replace('*.md', '*.mx'))
      },
    ],
    [
      'cut short',
      (path: string) => {
        truncateSync(path, 90)
      },
    ],
    [
      'missing',
      (path: string) => {
        rmSync(path)
      },
    ],
  ])('that cannot be read in either place (the copy is %s) are said to be lost', async (_, spoil) => {
    const root = tree(SAMPLE)
    await build(root, { exclude: ['*.md'] })
    damage(root)
    spoil(join(root, '.hone', 'settings.json'))
    const mended = hone(['index', root])
    expect(mended.code).toBe(0)
    expect(mended.out).toMatch(/^5 files/)
    expect(mended.err).toContain('the settings of the damaged index could not be read')
    expect(hone(['index', root]).err).toBe('')
  })

  it('of the database count, not those of the copy', async () => {
    const root = tree(SAMPLE)
    await build(root, { exclude: ['*.md'] })
    rmSync(join(root, '.hone', 'settings.json'))
    await build(root)
    expect(pathsIn(root)).toBe(WITHOUT_README)
    expect(existsSync(join(root, '.hone', 'settings.json'))).toBe(true)
  })

  it('are not said to be lost by a first build that takes up what a killed one left', () => {
    const root = tree({ ...SAMPLE, '.hone/index-1.db': 'half' })
    expect(hone(['index', root])).toMatchObject({ code: 0, err: '' })
  })

  it('can be taken back: --no-exclude and --no-include', () => {
    const root = tree(SAMPLE)
    hone(['index', root, '--exclude', '*.md', '--include', 'src/**', '--include', '*.md'])
    expect(pathsIn(root)).toBe(WITHOUT_README)
    hone(['index', root, '--no-exclude'])
    expect(pathsIn(root)).toBe(`README.md\n${WITHOUT_README}`)
    hone(['index', root, '--include', 'src/t*.ts'])
    expect(pathsIn(root)).toBe('src/table.ts\nsrc/throttle.ts\nsrc/token.ts\n')
    hone(['index', root, '--no-include'])
    expect(pathsIn(root)).toBe(`README.md\n${WITHOUT_README}`)
  })
})

describe('the command in a message', () => {
  it('names the root, quoted for the shell where it has to be', async () => {
    const parent = tree({})
    const root = join(parent, "it's mine")
    mkdirSync(root)
    write(root, SAMPLE)
    await build(root)
    const quoted = `'${parent}/it'\\''s mine'`
    const pointer = join(root, '.hone', 'current')
    const sound = readFileSync(pointer)
    writeFileSync(pointer, 'nonsense')
    expect(hone(['query', 'token', '--repo', root]).err).toContain(`run: hone index ${quoted}\n`)
    writeFileSync(pointer, sound)
    damage(root)
    expect(hone(['query', 'token'], { cwd: root }).err).toContain(`run: hone index --rebuild ${quoted}\n`)
  })

  it('names it for an index elsewhere too', () => {
    const root = tree(SAMPLE)
    const env = { HONE_INDEX_DIR: tree({}) }
    hone(['index', root], { env })
    const { folder } = JSON.parse(hone(['status', root, '--json'], { env }).out) as { folder: string }
    const database = openDatabase(join(folder, 'index-1.db'), 'create')
    database.exec("update meta set value = 0 where key = 'format'")
    database.close()
    const refused = hone(['query', 'token', '--repo', root], { env })
    expect(refused.code).toBe(4)
    expect(refused.err).toContain(`run: hone index ${root}\n`)
  })

  it('names the folder where the repository is now', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const moved = `${root}-moved`
    renameSync(root, moved)
    try {
      damage(moved)
      expect(hone(['status', moved]).err).toContain(`run: hone index --rebuild ${moved}\n`)
    } finally {
      rmSync(moved, { recursive: true })
    }
  })
})

describe('how many files are stale', () => {
  const asked = (root: string, ...more: readonly string[]): ReturnType<typeof answerOf> =>
    answerOf(hone(['query', 'throttle', '--repo', root, '--format', 'json', ...more]))

  it('is null where nobody looked, and a number where somebody did', async () => {
    const root = tree(SAMPLE)
    expect(asked(root).index.stale).toBe(0) // built by the query itself
    write(root, { 'src/new.ts': 'export const fresh = 1\n' })
    expect(asked(root, '--no-refresh').index.stale).toBe(null)
    expect(asked(root).index.stale).toBe(0)
    const index = await openIndex({ root })
    expect((await index.retrieve({ task: 'throttle' })).index.stale).toBe(null)
    await index.refresh()
    expect((await index.retrieve({ task: 'throttle' })).index.stale).toBe(0)
    index.close()
  })
})

describe('chunks that are equally near', () => {
  // More of them than a vector search brings in (240), of which an update must choose the ones a new index chooses.
  const copies = 130
  const text = 'export function bake(cake: string) {\n  return cake\n}\n'

  it('are chosen by path and line, whatever the order they were indexed in', async () => {
    const files: Record<string, string> = {}
    for (let i = 0; i < copies; i++) files[`f${String(i).padStart(3, '0')}/cake.ts`] = `${text}\n${text}`
    const root = tree(files)
    await build(root)
    const changed = Object.keys(files).filter((_, i) => i % 3 === 0)
    for (const path of changed) write(root, { [path]: 'export const other = 1\n' })
    await build(root)
    write(root, files)
    await build(root)
    const tasks = ['cake oven pastry', 'dough', 'bake']
    const updated = await saysOf(root, tasks)
    await build(root, { rebuild: true })
    expect(updated).toBe(await saysOf(root, tasks))
  })
})
