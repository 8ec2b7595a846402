/** The command `hone index` on awkward repositories: unreadable files, odd roots, settings, where the index lives. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { answerOf, giveToOrdinaryUser, hone, type Ran, type RunOptions } from '../helpers/command.js'
import { SAMPLE } from '../spine/sample.js'
import { git } from '../helpers/git.js'
import { commitAll, repository, tree, write } from '../walk/temp-tree.js'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A repository, a home folder and a way to run hone there with no more rights than its owner has. */
function ordinary(files: Readonly<Record<string, string>> = SAMPLE): {
  root: string
  run: (args: readonly string[], options?: RunOptions) => Ran
} {
  const root = tree(files)
  const home = mkdtempSync(join(tmpdir(), 'hone-home-'))
  made.push(home)
  giveToOrdinaryUser(root)
  giveToOrdinaryUser(home)
  const run = (args: readonly string[], options: RunOptions = {}): Ran =>
    hone(args, {
      isOrdinaryUser: true,
      ...options,
      env: { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...options.env },
    })
  return { root, run }
}

const pathsIn = (root: string): readonly string[] => hone(['status', root, '--files']).out.trim().split('\n')
const statusOf = (
  root: string,
): { files: number; skipped: number; stale: readonly string[]; encoder: string } =>
  JSON.parse(hone(['status', root, '--json']).out) as ReturnType<typeof statusOf>

describe('an unreadable file among good ones', () => {
  it('is listed with exit 5, the others are indexed, and it is tried again next time', () => {
    const { root, run } = ordinary()
    chmodSync(join(root, 'src/token.ts'), 0)
    for (let attempt = 0; attempt < 2; attempt++) {
      const indexed = run(['index', root])
      expect(indexed.code).toBe(5)
      expect(indexed.err).toBe('could not read src/token.ts: EACCES\n')
      expect(indexed.out).toMatch(/^4 files, 4 chunks, 1 skipped \(1 unreadable\)/)
    }
    expect(run(['status', root, '--skipped']).out).toBe('src/token.ts\tunreadable (EACCES)\n')
    expect(run(['status', root]).out).toMatch(/^stale {5}0 files$/m)
    expect(run(['query', 'throttle', '--repo', root, '--format', 'paths']).out).toBe('src/throttle.ts\n')
    chmodSync(join(root, 'src/token.ts'), 0o644)
    expect(run(['index', root])).toMatchObject({ code: 0, err: '' })
    expect(run(['query', 'sign a token', '--repo', root, '--format', 'paths']).out).toMatch(
      /^src\/token\.ts\n/,
    )
  })

  it('in JSON, is among the failed', () => {
    const { root, run } = ordinary()
    chmodSync(join(root, 'src/token.ts'), 0)
    const { code, out } = run(['index', root, '--json'])
    expect(code).toBe(5)
    expect(JSON.parse(out)).toMatchObject({
      files: 4,
      skipped: 1,
      failed: [{ path: 'src/token.ts', reason: 'unreadable', detail: 'EACCES' }],
      skippedByReason: { unreadable: 1 },
    })
  })

  it('an unreadable folder likewise', () => {
    const { root, run } = ordinary()
    chmodSync(join(root, 'src'), 0)
    const indexed = run(['index', root])
    chmodSync(join(root, 'src'), 0o755)
    expect(indexed.code).toBe(5)
    expect(indexed.err).toContain('could not read src')
    expect(indexed.out).toMatch(/^1 files/)
  })
})

describe('the root', () => {
  it('is the git root above the current folder', () => {
    const root = repository(SAMPLE)
    expect(hone(['index'], { cwd: join(root, 'src') }).out).toMatch(/^5 files/)
    expect(existsSync(join(root, '.hone'))).toBe(true)
  })

  it('is the current folder where there is no git', () => {
    const root = tree(SAMPLE)
    expect(hone(['index'], { cwd: join(root, 'src') }).out).toMatch(/^4 files/)
    expect(existsSync(join(root, 'src', '.hone'))).toBe(true)
  })

  it('is the path given, below the git root or not; a query uses the nearest index upward', () => {
    const root = repository(SAMPLE)
    hone(['index', root])
    hone(['index', join(root, 'src')])
    const asked = hone(['query', 'throttle', '--format', 'paths'], { cwd: join(root, 'src') })
    expect(asked.out).toBe('throttle.ts\n')
    expect(hone(['query', 'throttle', '--format', 'paths'], { cwd: root }).out).toBe('src/throttle.ts\n')
  })

  it('is refused when it is the home folder or that of the file system, unless --yes', () => {
    const { root, run } = ordinary()
    const home = { env: { HOME: root } }
    const refused = run(['index', root], home)
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain(root)
    expect(refused.err).toContain('--yes')
    expect(run(['query', 'throttle', '--repo', root], home)).toMatchObject({ code: 2, out: '' })
    expect(existsSync(join(root, '.hone'))).toBe(false)
    expect(run(['index', root, '--yes'], home).code).toBe(0)
    expect(run(['query', 'throttle', '--repo', root], home).code).toBe(0)
  })

  it.each(['index', 'status', 'clean', 'query'])(
    '%s: a missing path or a file is wrong usage, inside an index too',
    (command) => {
      const root = tree(SAMPLE)
      hone(['index', root])
      const at = (path: string): Ran =>
        command === 'query' ? hone(['query', 'x', '--repo', path]) : hone([command, path])
      const missing = at(join(root, 'typo'))
      expect(missing).toMatchObject({ code: 2, out: '' })
      expect(missing.err).toContain(join(root, 'typo'))
      const file = at(join(root, 'README.md'))
      expect(file).toMatchObject({ code: 2, out: '' })
      expect(file.err).toMatch(/is a file; give the folder/)
      expect(pathsIn(root)).toHaveLength(5)
    },
  )
})

describe('a repository', () => {
  it('that was copied with its index answers from its own files', () => {
    const root = tree(SAMPLE)
    const copy = tree({})
    hone(['index', root])
    rmSync(copy, { recursive: true })
    copyFolder(root, copy)
    write(root, { 'src/only-there.ts': 'export function onlyThere() {}\n' })
    write(copy, { 'src/only-here.ts': 'export function onlyHere() {}\n' })
    const answer = answerOf(
      hone(['query', 'onlyThere onlyHere', '--repo', copy, '--format', 'json', '--min-relevance', '0']),
    )
    const paths = answer.files.map(({ path }) => path)
    expect(paths).toContain('src/only-here.ts')
    expect(paths).not.toContain('src/only-there.ts')
    expect(answer.index.stale).toBe(0)
    expect(hone(['index', copy]).out).toMatch(/^6 files/)
    expect(readdirSync(join(copy, '.hone')).filter((name) => name.endsWith('.db'))).toContain('index-1.db')
  })

  it('without files is an index without files', () => {
    const root = repository({})
    expect(hone(['index', root])).toMatchObject({ code: 0, err: '' })
    const { files, skipped } = statusOf(root)
    expect([files, skipped]).toEqual([0, 0])
    const asked = hone(['query', 'anything at all', '--repo', root, '--format', 'json'])
    expect(asked.code).toBe(1)
    expect(answerOf(asked)).toMatchObject({ stop: 'no-match', files: [] })
    write(root, { 'a.ts': 'export function anything() {}\n' })
    expect(hone(['query', 'anything', '--repo', root]).code).toBe(0)
    rmSync(join(root, 'a.ts'))
    expect(hone(['query', 'anything', '--repo', root]).code).toBe(1)
  })

  it('is left as git saw it: the index ignores itself', () => {
    const root = repository(SAMPLE)
    commitAll(root)
    hone(['index', root])
    expect(git(root, 'status', '--porcelain')).toBe('')
  })
})

function copyFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else writeFileSync(target, readFileSync(source))
  }
}

describe('settings', () => {
  it('given once are used by later runs and refreshes, until given anew', () => {
    const root = tree(SAMPLE)
    hone(['index', root, '--exclude', 'src/table.ts', '--exclude', '*.md'])
    const without = ['src/session.ts', 'src/throttle.ts', 'src/token.ts']
    expect(pathsIn(root)).toEqual(without)
    hone(['index', root])
    expect(pathsIn(root)).toEqual(without)
    write(root, { 'notes.md': 'table\n' })
    expect(
      hone(['query', 'table', '--repo', root, '--format', 'paths', '--min-relevance', '0']).out,
    ).not.toMatch(/table|notes/)
    hone(['index', root, '--rebuild'])
    expect(pathsIn(root)).toEqual(without)
    hone(['index', root, '--exclude', '*.md'])
    expect(pathsIn(root)).toEqual(['src/session.ts', 'src/table.ts', 'src/throttle.ts', 'src/token.ts'])
    hone(['index', root, '--include', 'token.ts'])
    expect(pathsIn(root)).toEqual(['src/token.ts'])
    hone(['index', root, '--max-file-bytes', '10', '--include', '*'])
    expect(statusOf(root)).toMatchObject({ files: 0, skipped: 6 })
  })

  it('of the encoder: another one means a new build, and the query uses what the index was made with', () => {
    const root = tree({ 'a.ts': SAMPLE['src/token.ts'] ?? '', 'b.ts': SAMPLE['src/throttle.ts'] ?? '' })
    hone(['index', root])
    expect(statusOf(root).encoder).toBe('hone-static-1')
    expect(hone(['index', root, '--encoder', 'all-MiniLM-L6-v2'])).toMatchObject({ code: 0, err: '' })
    expect(statusOf(root).encoder).toBe('all-MiniLM-L6-v2')
    const answer = answerOf(hone(['query', 'sign a token', '--repo', root, '--format', 'json']))
    expect(answer.index.encoder).toBe('all-MiniLM-L6-v2')
    expect(answer.files[0]?.path).toBe('a.ts')
    hone(['index', root])
    expect(statusOf(root).encoder).toBe('all-MiniLM-L6-v2')
  })

  it('that cannot be met lose nothing: the old index still answers', () => {
    const root = tree(SAMPLE)
    hone(['index', root])
    for (const wrong of [
      ['--encoder', 'nope'],
      ['--include', ''],
      ['--exclude', '[z'],
      ['--max-file-bytes', '0'],
    ])
      expect(hone(['index', root, ...wrong]), wrong.join(' ')).toMatchObject({ code: 2, out: '' })
    expect(hone(['query', 'sign a token', '--repo', root]).code).toBe(0)
  })
})

describe('the index folder', () => {
  it('is where HONE_INDEX_DIR says, one folder for each root', () => {
    const roots = [tree(SAMPLE), tree({ 'b.ts': 'export function throttle() {}\n' })]
    const folder = tree({})
    const env = { HONE_INDEX_DIR: folder }
    for (const root of roots) expect(hone(['index', root], { env }).code).toBe(0)
    for (const root of roots) expect(existsSync(join(root, '.hone'))).toBe(false)
    expect(readdirSync(folder)).toHaveLength(2)
    const found = roots.map(
      (root) => hone(['query', 'throttle', '--format', 'paths'], { env, cwd: root }).out,
    )
    expect(found).toEqual(['src/throttle.ts\n', 'b.ts\n'])
    expect(hone(['clean', roots[0] ?? ''], { env }).code).toBe(0)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('may lie in the repository without being indexed itself', () => {
    for (const make of [repository, tree]) {
      const root = make(SAMPLE)
      const env = { HONE_INDEX_DIR: 'indexes' }
      for (let run = 0; run < 2; run++)
        expect(hone(['index', '.'], { env, cwd: root }).out).toMatch(/^5 files/)
    }
  })

  it.each(['read-only repository', 'repository whose .hone belongs to another'])(
    'of a %s is in the cache of the user',
    (kind) => {
      const { root, run } = ordinary()
      if (kind !== 'read-only repository') {
        hone(['index', root])
        chmodSync(join(root, '.hone'), 0o755)
      }
      chmodSync(root, 0o555)
      const home = mkdtempSync(join(tmpdir(), 'hone-cache-'))
      made.push(home)
      giveToOrdinaryUser(home)
      const env = { XDG_CACHE_HOME: home }
      // Where the tests do not run as root there is no other user, and the owner may write into .hone.
      const isOthers = kind === 'read-only repository' || process.getuid?.() === 0
      const asked = run(['query', 'throttle', '--repo', root, '--format', 'paths'], { env })
      expect(asked).toMatchObject({ code: 0, out: 'src/throttle.ts\n' })
      if (isOthers) expect(readdirSync(join(home, 'hone'))).toHaveLength(1)
      expect(run(['status', root], { env }).code).toBe(0)
      expect(run(['clean', root], { env }).code).toBe(0)
      chmodSync(root, 0o755)
    },
  )

  it('that cannot be written anywhere is said with the variable that moves it', () => {
    const { root, run } = ordinary()
    chmodSync(root, 0o555)
    const locked = tree({})
    chmodSync(locked, 0o555)
    const { code, err, out } = run(['index', root], { env: { XDG_CACHE_HOME: locked } })
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toContain('HONE_INDEX_DIR')
    chmodSync(root, 0o755)
  })

  it('that is a file is said, not crashed into', () => {
    const root = tree({ ...SAMPLE, '.hone': 'a file\n' })
    for (const args of [
      ['index', root],
      ['query', 'x', '--repo', root],
      ['clean', root],
    ]) {
      const { code, err } = hone(args)
      expect(code, args.join(' ')).toBe(4)
      expect(err).toContain('.hone')
    }
  })
})

describe('clean', () => {
  it('removes what hone wrote and nothing else', () => {
    const root = realpathSync(tree(SAMPLE))
    hone(['index', root])
    writeFileSync(join(root, '.hone', 'mine.txt'), 'keep')
    const cleaned = hone(['clean', root])
    expect(cleaned).toMatchObject({ code: 0, out: `removed ${join(root, '.hone')}\n` })
    expect(readdirSync(join(root, '.hone'))).toEqual(['mine.txt'])
    expect(hone(['clean', root])).toMatchObject({ code: 0, out: `no index in ${root}\n` })
    rmSync(join(root, '.hone'), { recursive: true })
    hone(['index', root])
    hone(['clean'], { cwd: join(root, 'src') })
    expect(readdirSync(root).sort()).toEqual(['README.md', 'src'])
  })
})
