import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { git } from '../helpers/git.js'
import { commitAll, pathsOf, repository, skipsOf, tree, walkAll, write } from './temp-tree.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('walking a git work tree', () => {
  it('takes tracked files and untracked ones that are not ignored, in path order', async () => {
    const root = repository({
      'b.ts': 'b',
      'a/z.ts': 'z',
      'B.ts': 'B',
      '.gitignore': 'out/\n',
      'out/x.js': 'x',
    })
    git(root, 'add', 'b.ts')
    expect(pathsOf(await walkAll(root))).toEqual(['.gitignore', 'B.ts', 'a/z.ts', 'b.ts'])
  })

  it('takes a tracked file although a rule ignores it', async () => {
    const root = repository({ '.gitignore': '*.log\n', 'kept.log': 'x', 'other.log': 'x' })
    git(root, 'add', '-f', 'kept.log')
    expect(pathsOf(await walkAll(root))).toEqual(['.gitignore', 'kept.log'])
  })

  it('honours .git/info/exclude, the global excludes file and an allow-list', async () => {
    const home = tree({ '.gitconfig': '[core]\n\texcludesFile = ~/mine\n', mine: '*.swp\n' })
    vi.stubEnv('HOME', home)
    vi.stubEnv('XDG_CONFIG_HOME', '')
    const root = repository({
      '.gitignore': '/*\n!/src/\n',
      'src/a.ts': 'a',
      'src/b.swp': 'b',
      'c.ts': 'c',
    })
    write(root, { '.git/info/exclude': 'src/e.ts\n', 'src/e.ts': 'e' })
    expect(pathsOf(await walkAll(root))).toEqual(['src/a.ts'])
  })

  it('gives paths relative to a root that is a folder inside the work tree', async () => {
    const root = repository({
      '.gitignore': '/app/gen/\n',
      'app/src/a.ts': 'a',
      'app/gen/b.ts': 'b',
      'c.ts': 'c',
    })
    expect(pathsOf(await walkAll(join(root, 'app')))).toEqual(['src/a.ts'])
  })

  it('walks a root that the repository around it ignores', async () => {
    const root = repository({
      '.gitignore': '*\n',
      'mine/a.ts': 'a',
      'mine/.gitignore': 'b.ts\n',
      'mine/b.ts': 'b',
    })
    const result = await walkAll(join(root, 'mine'))
    expect(pathsOf(result)).toEqual(['.gitignore', 'a.ts'])
    expect(skipsOf(result)).toEqual(['ignored b.ts'])
  })

  it('says of a repository whose every file is ignored that they are', async () => {
    const root = repository({ '.gitignore': '*\n', 'a.ts': 'a' })
    expect(skipsOf(await walkAll(root))).toEqual(['ignored .gitignore', 'ignored a.ts'])
  })

  it('lists an unmerged file once', async () => {
    const root = repository({ 'a.ts': 'base\n' })
    commitAll(root)
    git(root, 'checkout', '-qb', 'other')
    write(root, { 'a.ts': 'theirs\n' })
    commitAll(root)
    git(root, 'checkout', '-q', '-')
    write(root, { 'a.ts': 'ours\n' })
    commitAll(root)
    expect(() => git(root, 'merge', '-q', 'other')).toThrow()
    expect(git(root, 'ls-files', '--stage').trim().split('\n')).toHaveLength(3)
    expect(pathsOf(await walkAll(root))).toEqual(['a.ts'])
  })

  it('reports submodules and nested repositories once, and none that is ignored', async () => {
    const library = repository({ 'lib.ts': 'l' })
    commitAll(library)
    const root = repository({ '.gitignore': 'vendor/\n', 'a.ts': 'a' })
    git(root, 'submodule', '--quiet', 'add', library, 'sub')
    for (const nested of ['nested', 'vendor/dep']) {
      write(root, { [`${nested}/n.ts`]: 'n' })
      git(join(root, nested), 'init', '-q')
    }
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['.gitignore', '.gitmodules', 'a.ts'])
    expect(skipsOf(result)).toEqual(['nested-repository nested/', 'nested-repository sub/'])
  })

  it('reports a submodule that is not checked out', async () => {
    const library = repository({ 'lib.ts': 'l' })
    commitAll(library)
    const root = repository({ 'a.ts': 'a' })
    git(root, 'submodule', '--quiet', 'add', library, 'sub')
    commitAll(root)
    git(root, 'submodule', '--quiet', 'deinit', '--all')
    expect((await walkAll(root)).skipped).toEqual([
      { path: 'sub/', reason: 'nested-repository', detail: 'submodule, not checked out' },
    ])
  })

  it('walks a linked worktree by itself and skips it from outside', async () => {
    const root = repository({ 'a.ts': 'a' })
    commitAll(root)
    git(root, 'worktree', 'add', '-q', 'trees/one')
    expect(skipsOf(await walkAll(root))).toEqual(['nested-repository trees/one/'])
    expect(pathsOf(await walkAll(join(root, 'trees/one')))).toEqual(['a.ts'])
  })

  it('leaves out what was deleted, and reads no tracked file through a link that replaced its folder', async () => {
    const outside = tree({ 'b.ts': 'outside' })
    const root = repository({ 'a/b.ts': 'b', 'gone.ts': 'g', 'was-file': 'f' })
    commitAll(root)
    rmSync(join(root, 'a'), { recursive: true })
    symlinkSync(outside, join(root, 'a'))
    rmSync(join(root, 'gone.ts'))
    rmSync(join(root, 'was-file'))
    write(root, { 'was-file/inner.ts': 'i' })
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['was-file/inner.ts'])
    expect(skipsOf(result)).toEqual(['symlink a'])
  })

  it('runs no program that the repository names, and writes nothing into it', async () => {
    const root = repository({ 'a.ts': 'a' })
    const trap = join(root, '.git', 'trap.sh')
    const proof = join(root, '.git', 'proof')
    writeFileSync(trap, `#!/bin/sh\ntouch '${proof}'\n`)
    chmodSync(trap, 0o755)
    commitAll(root)
    git(root, 'config', 'core.fsmonitor', trap)
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
    for (const hook of ['post-index-change', 'fsmonitor-watchman'])
      copyFileSync(trap, join(root, '.git/hooks', hook))
    expect(pathsOf(await walkAll(root))).toEqual(['a.ts'])
    expect(existsSync(proof)).toBe(false)
  })

  it('is not led astray by git variables of the caller', async () => {
    const other = repository({ 'wrong.ts': 'w' })
    vi.stubEnv('GIT_DIR', join(other, '.git'))
    vi.stubEnv('GIT_WORK_TREE', other)
    const root = repository({ 'a.ts': 'a' })
    expect(pathsOf(await walkAll(root))).toEqual(['a.ts'])
  })

  it('walks by itself where git fails on a damaged index', async () => {
    const root = repository({ 'a.ts': 'a', '.gitignore': 'b.ts\n', 'b.ts': 'b' })
    write(root, { '.git/index': 'damaged' })
    expect(pathsOf(await walkAll(root))).toEqual(['.gitignore', 'a.ts'])
  })

  it('is not held up by a FIFO among the ignore files of a repository', async () => {
    for (const trap of ['.gitignore', 'src/.gitignore', '.git/info/exclude']) {
      const root = repository({ 'src/a.ts': 'a', 'b.ts': 'b' })
      rmSync(join(root, trap), { force: true })
      execFileSync('mkfifo', [join(root, trap)])
      const result = await walkAll(root)
      expect(pathsOf(result)).toEqual(['b.ts', 'src/a.ts'])
      expect(skipsOf(result)).toEqual(trap.startsWith('.git/') ? [] : [`special ${trap}`])
    }
  }, 30_000)

  it('keeps odd names apart and whole', async () => {
    const names = [
      'with space.ts',
      'quo"te.ts',
      "apos'trophe.ts",
      'new\nline.ts',
      'файл.ts',
      '文件.ts',
      'back\\slash.ts',
    ]
    const root = repository(Object.fromEntries(names.map((name) => [name, 'x'])))
    expect(pathsOf(await walkAll(root))).toEqual([...names].sort())
  })

  it('reports a name that is not UTF-8 in visible letters', async () => {
    const root = repository({ 'a.ts': 'a' })
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.ts')]), 'x')
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['a.ts'])
    expect(skipsOf(result)).toEqual(['unreadable caf\\xE9.ts'])
  })

  it.skipIf(process.getuid?.() === 0)('reports a folder that cannot be opened and goes on', async () => {
    const root = repository({ 'app/locked/a.ts': 'a', 'app/b.ts': 'b' })
    chmodSync(join(root, 'app/locked'), 0)
    const result = await walkAll(join(root, 'app'))
    chmodSync(join(root, 'app/locked'), 0o755)
    expect(pathsOf(result)).toEqual(['b.ts'])
    expect(skipsOf(result)).toEqual(['unreadable locked/'])
  })
})
