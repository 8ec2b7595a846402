/** What ends an index run early, or damages what it left, costs a message and never an answer. */
import {
  copyFileSync,
  existsSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openIndex, type HoneError } from '../../src/index.js'
import { Facts } from '../../src/store/facts.js'
import { openDatabase } from '../../src/store/database.js'
import { answerOf, ended, hone, startHone } from '../helpers/command.js'
import { SAMPLE } from '../spine/sample.js'
import { tree, write } from '../walk/temp-tree.js'
import { build, databaseOf, generationOf, saysOf } from './index-states.js'

const TASKS = ['made7 token', 'throttle', 'sign the token of a user']

/** Enough files for a build to be caught in the middle. */
function manyFiles(marker: string): Record<string, string> {
  const files: Record<string, string> = { ...SAMPLE }
  for (let i = 0; i < 400; i++)
    files[`many/file${i}.ts`] =
      `/** ${marker} */\nexport function made${i}(token: string) {\n  return token + ${i}\n}\n`
  return files
}

async function freshSays(root: string): Promise<string> {
  await build(root, { rebuild: true })
  return saysOf(root, TASKS)
}

describe('a process killed while it', () => {
  const moments = [100, 200, 320, 500]

  it.each(moments)('builds the first index (after %i ms): the next run completes it', async (ms) => {
    const root = tree(manyFiles('first'))
    const child = startHone(['index', root, '--jobs', '1'])
    await delay(ms)
    child.kill('SIGKILL')
    await ended(child)
    const next = hone(['index', root])
    expect(next).toMatchObject({ code: 0, err: '' })
    expect(next.out).toMatch(/^405 files/)
    expect(await saysOf(root, TASKS)).toBe(await freshSays(root))
  })

  it.each(moments)(
    'rebuilds (after %i ms): the old index answers, the next run leaves one database',
    async (ms) => {
      const root = tree(manyFiles('first'))
      await build(root)
      const before = await saysOf(root, TASKS)
      const child = startHone(['index', root, '--rebuild', '--jobs', '1'])
      await delay(ms)
      child.kill('SIGKILL')
      await ended(child)
      expect(await saysOf(root, TASKS)).toBe(before)
      expect(hone(['index', root]).code).toBe(0)
      expect(await saysOf(root, TASKS)).toBe(before)
      expect(readdirSync(join(root, '.hone')).filter((file) => /^index-\d+\.db$/.test(file))).toHaveLength(1)
    },
  )

  it.each(moments)('updates (after %i ms): all of it or nothing', async (ms) => {
    const root = tree(manyFiles('first'))
    await build(root)
    const before = await saysOf(root, TASKS)
    write(root, manyFiles('second'))
    const child = startHone(['index', root, '--jobs', '0'])
    await delay(ms)
    child.kill('SIGKILL')
    await ended(child)
    const between = await saysOf(root, TASKS)
    expect(hone(['index', root]).code).toBe(0)
    const after = await saysOf(root, TASKS)
    // Excerpts are read from disk, so the old index shows the new text: compare what the index itself holds.
    const bare = (says: string): string => says.replace(/"text": ".*"/g, '')
    expect([bare(before), bare(after)]).toContain(bare(between))
    expect(after).toBe(await freshSays(root))
  })
})

describe('a build killed between moving the pointer and removing the old index', () => {
  it('leaves files that the next run removes, although it finds nothing to do', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const before = await saysOf(root, TASKS)
    const folder = join(root, '.hone')
    await build(root, { rebuild: true })
    const current = readFileSync(join(folder, 'current'), 'utf8').trim()
    const others = ['index-1.db', 'index-1.db-wal', 'index-1.hnsw', 'index-7.db', 'current.12345']
    for (const file of others) writeFileSync(join(folder, file), 'left over')
    expect(hone(['index', root]).code).toBe(0)
    expect(
      readdirSync(folder).filter((file) => /^(index|current)/.test(file) && !file.startsWith(`${current}-`)),
    ).toEqual(['current', current])
    expect(await saysOf(root, TASKS)).toBe(before)
  })
})

describe('a build that its caller stops', () => {
  it('says so with a code, leaves no index, and the next goes on where it was', async () => {
    const root = tree(manyFiles('first'))
    const stopping = new AbortController()
    const stopped = build(root, {
      signal: stopping.signal,
      onProgress: ({ done }) => {
        if (done >= 160) stopping.abort(new Error('enough'))
      },
    })
    await expect(stopped).rejects.toMatchObject({ name: 'HoneError', code: 'ABORTED' })
    await expect(openIndex({ root })).rejects.toMatchObject({ code: 'INDEX_MISSING' })
    let total = 0
    await build(root, { onProgress: (progress) => (total = Math.max(total, progress.total)) })
    // Files of the first run are read again only where they are so new that their times tell nothing.
    expect(total).toBeLessThanOrEqual(405)
    expect(await saysOf(root, TASKS)).toBe(await freshSays(root))
  })

  it('leaves an existing index as it was', async () => {
    const root = tree(manyFiles('first'))
    await build(root)
    const generation = generationOf(root)
    write(root, manyFiles('second'))
    const stopping = new AbortController()
    const stopped = build(root, {
      signal: stopping.signal,
      onProgress: ({ done }) => {
        if (done > 100) stopping.abort()
      },
    })
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
    expect(generationOf(root)).toBe(generation)
  })

  it('does not start when it is stopped before', async () => {
    const root = tree(SAMPLE)
    await expect(build(root, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(existsSync(join(root, '.hone'))).toBe(false)
  })

  it('Ctrl-C ends the command with 130 and a usable index', async () => {
    const root = tree(manyFiles('first'))
    await build(root)
    const before = await saysOf(root, TASKS)
    const codes = new Set<number | null>()
    for (const ms of [150, 250, 350, 500]) {
      const child = startHone(['index', root, '--rebuild', '--jobs', '0'])
      await delay(ms)
      child.kill('SIGINT')
      const { code, signal, err } = await ended(child)
      // Before hone has started, the signal ends node itself; after the last file, there is nothing left to stop.
      expect(signal ?? code, err).toSatisfy((end) => ['SIGINT', 130, 0].includes(end as string | number))
      codes.add(code)
      expect(await saysOf(root, TASKS)).toBe(before)
    }
    expect(hone(['index', root]).code).toBe(0)
  })
})

describe('two processes', () => {
  it('that index at once: one works, the other says that it is busy or finds nothing to do', async () => {
    const root = tree(manyFiles('first'))
    const ends = await Promise.all([1, 2, 3].map(() => ended(startHone(['index', root]))))
    for (const { code, err } of ends) {
      expect([0, 4]).toContain(code)
      if (code === 4) expect(err).toMatch(/another process is (indexing|writing)/)
    }
    expect(ends.map(({ code }) => code)).toContain(0)
    expect(await saysOf(root, TASKS)).toBe(await freshSays(root))
  })

  it('one rebuilding, one asking: every question is answered, from one state or the next', async () => {
    const root = tree(manyFiles('first'))
    await build(root)
    const before = await saysOf(root, TASKS)
    for (let run = 0; run < 2; run++) {
      const rebuilding = ended(startHone(['index', root, '--rebuild']))
      const state = { isDone: false }
      void rebuilding.then(() => (state.isDone = true))
      while (!state.isDone) {
        expect(await saysOf(root, TASKS)).toBe(before)
        await delay(1)
      }
      expect((await rebuilding).code).toBe(0)
    }
  })

  it('a query that meets a running build answers with what there is', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const lock = openDatabase(join(root, '.hone', 'lock.db'), 'create')
    lock.exec('begin exclusive')
    try {
      write(root, { 'src/token.ts': 'export const other = 1\n' })
      const answered = hone(['query', 'throttle', '--repo', root, '--format', 'json', '--min-relevance', '0'])
      expect(answered.code).toBe(0)
      const answer = answerOf(answered)
      expect(answer.index.stale).toBe(1)
      expect(answer.notes.map(({ code }) => code)).toContain('STALE_FILES')
      const indexed = hone(['index', root])
      expect(indexed).toMatchObject({ code: 4, out: '' })
      expect(indexed.err).toContain('another process is indexing')
      expect(hone(['clean', root]).code).toBe(4)
    } finally {
      lock.exec('rollback')
      lock.close()
    }
    expect(hone(['index', root]).code).toBe(0)
  })
})

describe('an open index', () => {
  it('follows an update and a full build by another process', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const index = await openIndex({ root })
    const first = async (task: string): Promise<string | undefined> => {
      expect(await index.refresh()).toBe(0)
      return (await index.retrieve({ task, minRelevance: 0 })).files[0]?.path
    }
    write(root, { 'src/cookie.ts': 'export function bakeCookie() {}\n' })
    await build(root)
    expect(await first('bakeCookie')).toBe('src/cookie.ts')
    write(root, { 'src/biscuit.ts': 'export function dunkBiscuit() {}\n' })
    await build(root, { rebuild: true })
    expect(await first('dunkBiscuit')).toBe('src/biscuit.ts')
    await build(root, { exclude: ['biscuit.ts'] })
    expect(await first('dunkBiscuit')).not.toBe('src/biscuit.ts')
    index.close()
  })

  it('does not hinder another in the same process', async () => {
    const roots = [
      tree(SAMPLE),
      tree({ 'a.ts': 'export function throttle() {}\n', 'b.ts': 'export const x = 1\n' }),
    ]
    for (const root of roots) await build(root)
    const alone = await Promise.all(roots.map((root) => saysOf(root, TASKS)))
    const together = await Promise.all([...roots, ...roots].map((root) => saysOf(root, TASKS)))
    expect(together).toEqual([...alone, ...alone])
  })
})

describe('a damaged index', () => {
  const garbage = Buffer.from('not a database, not at all, but long enough to be one '.repeat(400))
  const damages: readonly (readonly [string, (database: string, pointer: string) => void])[] = [
    [
      'overwritten',
      (database) => {
        writeFileSync(database, garbage)
      },
    ],
    [
      'cut off',
      (database) => {
        truncateSync(database, Math.floor(statSync(database).size / 2))
      },
    ],
    [
      'empty',
      (database) => {
        truncateSync(database, 0)
      },
    ],
    [
      'deleted',
      (database) => {
        rmSync(database)
      },
    ],
    [
      'pointed at by nonsense',
      (_, pointer) => {
        writeFileSync(pointer, '../../etc/passwd\n')
      },
    ],
    [
      'pointed at by nothing',
      (_, pointer) => {
        writeFileSync(pointer, '')
      },
    ],
    [
      "another program's database",
      (database) => {
        rmSync(database)
        const other = openDatabase(database, 'create')
        other.exec('create table meta (something text)')
        other.close()
      },
    ],
  ]
  it.each(damages)('%s: exit 4 with the command that mends it, and it does', async (_, damage) => {
    const root = tree(SAMPLE)
    await build(root)
    const before = await saysOf(root, TASKS)
    damage(databaseOf(root), join(root, '.hone', 'current'))
    for (const args of [
      ['query', 'token', '--repo', root],
      ['status', root],
      ['query', '--no-build', '--no-refresh', 'token', '--repo', root],
    ]) {
      const broken = hone(args)
      expect(broken, args.join(' ')).toMatchObject({ code: 4, out: '' })
      expect(broken.err).toMatch(/run: hone index/)
    }
    expect(hone(['index', root])).toMatchObject({ code: 0, err: '' })
    expect(await saysOf(root, TASKS)).toBe(before)
  })

  it('with a page of nonsense anywhere: never a crash, and --rebuild mends it', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const before = await saysOf(root, TASKS)
    const database = databaseOf(root)
    const sound = `${database}.sound`
    copyFileSync(database, sound)
    const pages = Math.floor(statSync(database).size / 4096)
    for (let page = 1; page < pages; page += Math.max(1, Math.floor(pages / 12))) {
      copyFileSync(sound, database)
      const file = openSync(database, 'r+')
      writeSync(file, garbage, 0, 4096, page * 4096)
      closeSync(file)
      const { code, signal, err } = hone(['query', 'sign the token', '--repo', root, '--no-refresh'])
      expect(signal).toBe(null)
      expect([0, 1, 4], `page ${page}: ${err}`).toContain(code)
      if (code === 4) expect(err).toMatch(/run: hone index/)
    }
    rmSync(sound)
    expect(hone(['index', root, '--rebuild'])).toMatchObject({ code: 0, err: '' })
    expect(await saysOf(root, TASKS)).toBe(before)
  })
})

describe('an index of another version', () => {
  it.each(['format', 'features'] as const)(
    'of %s: exit 4, and hone index builds anew with the old settings',
    async (key) => {
      const root = tree(SAMPLE)
      await build(root, { exclude: ['README.md'] })
      const database = openDatabase(databaseOf(root), 'create')
      new Facts(database).put(key, 999)
      database.close()
      const broken = hone(['query', 'token', '--repo', root])
      expect(broken).toMatchObject({ code: 4, out: '' })
      expect(broken.err).toMatch(/has format .*999.*run: hone index/)
      const mended = hone(['index', root])
      expect(mended.code).toBe(0)
      expect(mended.out).toMatch(/^4 files/)
      expect(hone(['query', 'sign a token', '--repo', root]).code).toBe(0)
    },
  )

  it('is told from one made with other weights of the same encoder', async () => {
    const root = tree(SAMPLE)
    await build(root)
    const database = openDatabase(databaseOf(root), 'create')
    const settings = JSON.parse(readFileSettings(database)) as object
    new Facts(database).put('settings', JSON.stringify({ ...settings, fingerprint: 'other' }))
    database.close()
    await expect(openIndex({ root })).rejects.toSatisfy(
      (error: HoneError) => error.code === 'INDEX_ENCODER' && error.message.includes(`hone index ${root}`),
    )
    await build(root)
    await expect(saysOf(root, TASKS)).resolves.toContain('src/token.ts')
  })
})

function readFileSettings(database: ReturnType<typeof openDatabase>): string {
  return database.prepare("select value from meta where key = 'settings'").pluck().get() as string
}

describe('the pointer', () => {
  it('names a database that exists after every run', async () => {
    const root = tree(SAMPLE)
    for (let run = 0; run < 3; run++) {
      await build(root, { rebuild: true })
      const name = readFileSync(join(root, '.hone', 'current'), 'utf8').trim()
      expect(existsSync(join(root, '.hone', name))).toBe(true)
    }
  })
})
