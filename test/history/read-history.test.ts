import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_FILES_OF_COMMIT } from '../../src/history/telling.js'
import { readHistory, type ReadHistory, type ReadHistoryOptions } from '../../src/history/read-history.js'
import type { PastCommit } from '../../src/types.js'
import { git } from '../helpers/git.js'
import { repository, tree, write } from '../walk/temp-tree.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

function commit(root: string, subject: string, files: Readonly<Record<string, string>> = {}): void {
  write(root, files)
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', subject, '--allow-empty')
}

type Read = Extract<ReadHistory, { kind: 'read' }>

async function read(root: string, options: Partial<ReadHistoryOptions> = {}): Promise<Read> {
  const history = await readHistory({ root, ...options })
  if (history.kind !== 'read') throw new Error(`no history: ${history.why}`)
  return history
}

/** "subject: file file", newest first. */
function shown({ commits }: Read): string[] {
  return commits.map(({ subject, files }) => `${subject}: ${files.join(' ')}`)
}

async function whyNot(root: string): Promise<string> {
  const history = await readHistory({ root })
  return history.kind === 'read' ? 'read' : history.why
}

describe('the history of a repository', () => {
  it('is its commits, newest first, each with its subject and the files it left changed', async () => {
    const root = repository()
    commit(root, 'Add login\n\nA body.', { 'a.ts': '1', 'b.ts': '1' })
    rmSync(join(root, 'b.ts'))
    commit(root, 'Change login, drop b', { 'a.ts': '2' })
    expect(shown(await read(root))).toEqual(['Change login, drop b: a.ts', 'Add login: a.ts b.ts'])
  })

  it('leaves merges out and takes what they merged', async () => {
    const root = repository()
    commit(root, 'first', { 'a.ts': '1' })
    git(root, 'checkout', '-qb', 'side')
    commit(root, 'on the side', { 'b.ts': '1' })
    git(root, 'checkout', '-q', '-')
    commit(root, 'on the main line', { 'c.ts': '1' })
    git(root, 'merge', '-q', '--no-ff', '-m', 'Merge side', 'side')
    const subjects = (await read(root)).commits.map(({ subject }) => subject)
    expect([...subjects].sort()).toEqual(['first', 'on the main line', 'on the side'])
  })

  it('has of a commit that touches very many files only what it moved', async () => {
    const names = Array.from({ length: MAX_FILES_OF_COMMIT + 1 }, (_, i) => `f${i}.ts`)
    const root = repository()
    commit(root, 'import', Object.fromEntries(names.map((name) => [name, `content of ${name}`])))
    mkdirSync(join(root, 'src'))
    for (const name of names) git(root, 'mv', name, `src/${name}`)
    commit(root, 'move all')
    commit(root, 'say a', { 'src/f0.ts': 'a' })
    const [said, moved, imported] = (await read(root)).commits
    expect(said?.files).toEqual(['src/f0.ts'])
    expect(moved).toMatchObject({ subject: '', files: [] })
    expect(moved?.renames).toContainEqual({ from: 'f3.ts', to: 'src/f3.ts' })
    expect(moved?.renames.length).toBe(names.length)
    expect(imported).toMatchObject({ subject: '', files: [], renames: [] })
  })

  it('follows a rename with equal content, and a move that changed the content', async () => {
    const root = repository()
    commit(root, 'add', { 'old.ts': 'same content', 'lib/thing.ts': 'before' })
    git(root, 'mv', 'old.ts', 'new.ts')
    rmSync(join(root, 'lib'), { recursive: true })
    commit(root, 'move', { 'core/thing.ts': 'quite another text' })
    const renames = (await read(root)).commits[0]?.renames
    expect(renames).toEqual([
      { from: 'old.ts', to: 'new.ts' },
      { from: 'lib/thing.ts', to: 'core/thing.ts' },
    ])
  })

  it('takes names with spaces, quotes, line breaks and letters of any script', async () => {
    const names = ['a b.ts', 'it\'s "x".ts', 'two\nlines.ts', 'größe.ts', '文件.ts', '\x01head.ts', '-x.ts']
    const root = repository(Object.fromEntries(names.map((name) => [name, name])))
    commit(root, 'odd "names" — größe\tx')
    const [only] = (await read(root)).commits
    expect(only?.subject).toBe('odd "names" — größe x')
    expect([...(only?.files ?? [])].sort()).toEqual([...names].sort())
  })

  it('leaves out a name that is no UTF-8, and takes the others of the commit', async () => {
    const root = repository({ 'a.ts': 'a' })
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'x')), Buffer.from([0xff])]), 'x')
    commit(root, 'both')
    expect(shown(await read(root))).toEqual(['both: a.ts'])
  })

  it('has a subject of one line that steers no terminal, however the message is written', async () => {
    const root = repository()
    commit(root, `red \x1b[31malert\x07\nsecond line\n\nbody`, { 'a.ts': '1' })
    commit(root, 'x'.repeat(5000), { 'a.ts': '2' })
    const subjects = (await read(root)).commits.map(({ subject }) => subject)
    expect(subjects[0]?.length).toBeLessThanOrEqual(200)
    expect(subjects[1]).toBe('red [31malert second line')
  })

  it('of a folder inside is that of the repository, with the folder as prefix and its own commits counted', async () => {
    const root = repository()
    commit(root, 'outside', { 'a.ts': '1' })
    commit(root, 'inside', { 'packages/x/b.ts': '1' })
    const history = await read(join(root, 'packages/x'))
    expect(history).toMatchObject({ prefix: 'packages/x/', own: 1 })
    expect(shown(history)).toEqual(['inside: packages/x/b.ts', 'outside: a.ts'])
  })

  it('is read in a linked worktree and in a submodule as in any repository', async () => {
    const root = repository()
    commit(root, 'in the main one', { 'a.ts': '1' })
    const worktree = join(tree(), 'linked')
    git(root, 'worktree', 'add', '-q', '-b', 'other', worktree)
    commit(worktree, 'in the worktree', { 'b.ts': '1' })
    expect(shown(await read(worktree))).toEqual(['in the worktree: b.ts', 'in the main one: a.ts'])
    const outer = repository()
    git(outer, 'submodule', '--quiet', 'add', root, 'sub')
    commit(outer, 'add a submodule')
    expect(shown(await read(join(outer, 'sub')))).toEqual(['in the main one: a.ts'])
  })

  it('of a shallow clone says so', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1' })
    commit(root, 'two', { 'a.ts': '2' })
    const clone = join(tree(), 'clone')
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, clone)
    const history = await read(clone)
    expect(history.isShallow).toBe(true)
    expect(history.commits.length).toBe(1)
    expect((await read(root)).isShallow).toBe(false)
  })
})

describe('no history', () => {
  it('is told with the reason', async () => {
    expect(await whyNot(tree({ 'a.ts': 'a' }))).toBe('no-repository')
    expect(await whyNot(repository({ 'a.ts': 'a' }))).toBe('no-commits')
    const around = repository()
    commit(around, 'elsewhere', { 'a.ts': 'a' })
    write(around, { 'untracked/b.ts': 'b' })
    expect(await whyNot(join(around, 'untracked'))).toBe('no-commits')
    vi.stubEnv('PATH', tree())
    expect(await whyNot(around)).toBe('no-git')
  })

  it.runIf(process.platform !== 'win32').each([
    ['git-fails', 'exit 1'],
    ['git-old', 'case "$*" in *version) echo git version 1.8.3.1;; *) exit 129;; esac'],
  ])('is told to be for a git at fault: %s', async (why, script) => {
    const around = repository()
    commit(around, 'one', { 'a.ts': 'a' })
    const programs = tree({ git: `#!/bin/sh\n${script}\n` })
    chmodSync(join(programs, 'git'), 0o755)
    vi.stubEnv('PATH', programs)
    expect(await whyNot(around)).toBe(why)
  })

  it('is the answer inside a bare repository', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1' })
    const bare = join(tree(), 'bare.git')
    git(root, 'clone', '-q', '--bare', root, bare)
    expect(await whyNot(bare)).toBe('no-repository')
  })

  it('is the answer where objects are missing, and nothing is thrown', async () => {
    const root = repository()
    commit(root, 'one', { 'src/a.ts': '1' })
    commit(root, 'two', { 'src/a.ts': '2' })
    removeObject(root, git(root, 'rev-parse', 'HEAD:src').trim())
    expect(await whyNot(root)).toBe('unreadable')
  })
})

describe('reading only what is new', () => {
  it('takes known commits as they are, and gives what reading all gives', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1' })
    const first = await read(root)
    commit(root, 'two', { 'b.ts': '1' })
    commit(root, 'three', { 'a.ts': '2' })
    expect(await read(root, { known: byOid(first) })).toEqual(await read(root))
    const marked = byOid(first, (known) => ({ ...known, subject: 'known' }))
    expect(shown(await read(root, { known: marked }))).toEqual(['three: a.ts', 'two: b.ts', 'known: a.ts'])
  })

  it('drops what rewritten history no longer holds', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1' })
    commit(root, 'a mistake', { 'b.ts': '1' })
    const before = await read(root)
    git(root, 'reset', '-q', '--hard', 'HEAD~1')
    commit(root, 'another way', { 'c.ts': '1' })
    const after = await read(root, { known: byOid(before) })
    expect(shown(after)).toEqual(['another way: c.ts', 'one: a.ts'])
    expect(after).toEqual(await read(root))
  })
})

describe('the bounds of reading', () => {
  it('keep the newest commits', async () => {
    const root = repository()
    for (const n of [1, 2, 3]) commit(root, `${n}`, { 'a.ts': `${n}` })
    expect(shown(await read(root, { maxCommits: 2 }))).toEqual(['3: a.ts', '2: a.ts'])
  })

  it('cut at a commit when there are too many bytes, and say so', async () => {
    const root = repository()
    const names = Array.from({ length: 3000 }, (_, n) => `${'long/'.repeat(10)}${n}.ts`)
    commit(root, 'huge', Object.fromEntries(names.map((name) => [name, ''])))
    commit(root, 'newest', { 'a.ts': '1' })
    const cut = await read(root, { maxBytes: 100_000 })
    expect(cut.isCut).toBe(true)
    expect(shown(cut)).toEqual(['newest: a.ts'])
    expect((await read(root)).isCut).toBe(false)
  })

  it('end at once when the reader gives up', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1' })
    expect((await readHistory({ root, signal: AbortSignal.abort() })).kind).toBe('none')
  })
})

describe('a hostile repository', () => {
  it('has nothing run that its configuration names, and changes nothing of what is read', async () => {
    const root = repository()
    commit(root, 'one', { 'a.ts': '1', '.gitattributes': '*.ts diff=evil\n' })
    commit(root, 'two', { 'a.ts': '2' })
    const expected = await read(root)
    const trap = join(tree(), 'trap.sh')
    const marker = `${trap}.ran`
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${marker}'\ncat\n`)
    chmodSync(trap, 0o755)
    const fifo = join(tree(), 'fifo')
    execFileSync('mkfifo', [fifo])
    const settings = {
      'core.fsmonitor': trap,
      'core.pager': trap,
      'pager.log': trap,
      'pager.rev-list': trap,
      'core.hooksPath': join(trap, '..'),
      'diff.external': trap,
      'diff.evil.command': trap,
      'diff.evil.textconv': trap,
      'diff.orderFile': fifo,
      'diff.renames': 'false',
      'log.showSignature': 'true',
      'gpg.program': trap,
      'format.pretty': 'oneline',
      'mailmap.file': fifo,
      'core.sshCommand': trap,
      'core.gitProxy': trap,
      'alias.rev-list': `!${trap}`,
      'core.quotePath': 'true',
    }
    for (const [name, value] of Object.entries(settings)) git(root, 'config', name, value)
    expect(await read(root)).toEqual(expected)
    expect(existsSync(marker)).toBe(false)
  })

  it('that lacks objects has nobody asked for them', async () => {
    const root = repository()
    commit(root, 'one', { 'src/a.ts': '1' })
    commit(root, 'two', { 'src/a.ts': '2' })
    const marker = join(tree(), 'ran')
    const settings = {
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::sh -c touch% ${marker}`,
      'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
      'protocol.allow': 'always',
      'protocol.ext.allow': 'always',
    }
    for (const [name, value] of Object.entries(settings)) git(root, 'config', name, value)
    removeObject(root, git(root, 'rev-parse', 'HEAD:src').trim())
    expect(await whyNot(root)).toBe('unreadable')
    expect(existsSync(marker)).toBe(false)
  })
})

function removeObject(root: string, oid: string): void {
  const folder = join(root, '.git', 'objects', oid.slice(0, 2))
  rmSync(join(folder, oid.slice(2)), { force: true })
  expect(readdirSync(folder)).not.toContain(oid.slice(2))
}

function byOid(
  { commits }: Read,
  change: (commit: PastCommit) => PastCommit = (same) => same,
): ReadonlyMap<string, PastCommit> {
  return new Map(commits.map((commit) => [commit.oid, change(commit)]))
}
