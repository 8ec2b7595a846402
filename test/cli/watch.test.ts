/** `hone index --watch`: the real process, on real changes. */
import { spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openIndex } from '../../src/index.js'
import { breakPackage, copiedCommand } from '../helpers/copied-command.js'
import { ended, hone, startHone, type Ran, type RunOptions } from '../helpers/command.js'
import { SAMPLE } from '../spine/sample.js'
import { git } from '../helpers/git.js'
import { commitAll, repository, tree, write } from '../walk/temp-tree.js'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

interface Watcher {
  readonly child: ChildProcess
  /** What it has printed so far. */
  readonly said: () => { readonly out: string; readonly err: string }
}

function watching(root: string, options: RunOptions = {}): Watcher {
  const child = startHone(['index', root, '--watch', '--jobs', '0'], options)
  running.push(child)
  const text = { out: '', err: '' }
  child.stdout?.on('data', (piece: Buffer) => (text.out += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (text.err += piece.toString()))
  return { child, said: () => text }
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return
    await delay(100)
  }
  throw new Error(`never: ${what}`)
}

async function filesOf(root: string): Promise<readonly string[]> {
  const index = await openIndex({ root })
  try {
    return index.files()
  } finally {
    index.close()
  }
}

const indexed = (root: string, path: string): Promise<void> =>
  until(async () => (await filesOf(root)).includes(path), `${path} is indexed`)
const started = ({ said }: Watcher): Promise<void> =>
  until(() => said().out.includes(' files, '), 'it says what it indexed')

async function stopped({ child }: Watcher): Promise<Ran> {
  child.kill('SIGINT')
  return ended(child)
}

describe('hone index --watch', () => {
  it('takes in files that are added, changed, moved and removed, in new folders too, and ends with Ctrl-C', async () => {
    const root = tree(SAMPLE)
    const watcher = watching(root)
    await started(watcher)
    write(root, { 'src/new.ts': 'export const fresh = 1\n' })
    await indexed(root, 'src/new.ts')
    mkdirSync(join(root, 'empty'))
    await delay(500) // seen as a folder of nothing before it holds a file
    write(root, { 'empty/later/cookie.ts': 'export function bakeCookie() {}\n' })
    await indexed(root, 'empty/later/cookie.ts')
    renameSync(join(root, 'empty'), join(root, 'moved'))
    await indexed(root, 'moved/later/cookie.ts')
    rmSync(join(root, 'src/new.ts'))
    await until(async () => !(await filesOf(root)).includes('src/new.ts'), 'src/new.ts is gone')
    const { code, err } = await stopped(watcher)
    expect({ code, err }).toEqual({ code: 130, err: '' })
    expect(hone(['index', root]).out).toMatch(/^6 files/)
  })

  it('survives branch switches and takes in commits', async () => {
    const root = repository(SAMPLE)
    commitAll(root)
    const watcher = watching(root)
    await started(watcher)
    for (const branch of ['one', 'two']) {
      git(root, 'checkout', '-q', '-b', branch)
      write(root, { [`src/${branch}.ts`]: `export const ${branch} = 1\n` })
      commitAll(root)
      await indexed(root, `src/${branch}.ts`)
    }
    git(root, 'checkout', '-q', 'one')
    await until(async () => !(await filesOf(root)).includes('src/two.ts'), 'src/two.ts is gone')
    await until(async () => {
      const index = await openIndex({ root })
      const { history } = index.status
      index.close()
      return history.kind === 'read' && history.commits === 2
    }, 'the commit of the branch is read')
    expect(watcher.child.exitCode).toBe(null)
    await stopped(watcher)
  })

  it('joins a burst into few runs, and does not look at what git ignores', async () => {
    const root = repository({ ...SAMPLE, '.gitignore': 'node_modules/\n', 'node_modules/a/index.js': 'a\n' })
    const watcher = watching(root)
    await started(watcher)
    await delay(1000) // until it watches
    for (let i = 0; i < 200; i++) write(root, { [`burst/f${i}.ts`]: `export const f${i} = ${i}\n` })
    await indexed(root, 'burst/f199.ts')
    const lines = watcher.said().out.trim().split('\n')
    expect(lines.length).toBeLessThan(20)
    write(root, { 'node_modules/a/other.js': 'b\n' })
    await delay(500)
    expect(watcher.said().out.trim().split('\n')).toEqual(lines)
    await stopped(watcher)
  })

  it('goes on when another process holds the lock for a while', async () => {
    const root = tree(SAMPLE)
    const watcher = watching(root)
    await started(watcher)
    for (let i = 0; i < 3; i++) {
      write(root, { [`src/more${i}.ts`]: `export const more${i} = 1\n` })
      expect([0, 4]).toContain(hone(['index', root]).code)
    }
    await indexed(root, 'src/more2.ts')
    expect(watcher.child.exitCode).toBe(null)
    await stopped(watcher)
  })

  it('that cannot make its first index fails as hone index does', async () => {
    const root = tree(SAMPLE)
    const { code, err } = await ended(watching(join(root, 'nowhere')).child)
    expect(code).toBe(2)
    expect(err).toContain('nowhere')
  })
})

describe('without events of the file system, hone index --watch looks now and then and says why', () => {
  // Only a user namespace has a limit of its own.
  const canLimit =
    spawnSync('unshare', ['-r', 'sh', '-c', 'echo 1 > /proc/sys/user/max_inotify_watches']).status === 0

  it.runIf(canLimit)('because the limit of watched folders is reached', async () => {
    const root = tree(SAMPLE)
    const script = 'echo 1 > /proc/sys/user/max_inotify_watches && exec "$@"'
    const watcher = watching(root, { through: ['unshare', '-r', 'sh', '-c', script, 'sh'] })
    await started(watcher)
    await until(() => watcher.said().err !== '', 'it says so')
    expect(watcher.said().err).toMatch(/no events of the file system .*max_user_watches.* every few seconds/)
    write(root, { 'src/new.ts': 'export const fresh = 1\n' })
    await indexed(root, 'src/new.ts')
    expect(watcher.said().err.trim().split('\n')).toHaveLength(1)
    watcher.child.kill('SIGINT')
    await ended(watcher.child)
  })

  it('because @parcel/watcher does not load', async () => {
    const home = copiedCommand()
    breakPackage(home, '@parcel/watcher')
    const root = tree(SAMPLE)
    const watcher = watching(root, { main: join(home, 'dist/cli/main.cjs') })
    await started(watcher)
    await until(() => watcher.said().err.includes('different Node.js version'), 'it says so')
    write(root, { 'src/new.ts': 'export const fresh = 1\n' })
    await indexed(root, 'src/new.ts')
    await stopped(watcher)
    rmSync(home, { recursive: true })
  })
})
