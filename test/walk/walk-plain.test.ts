import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { git } from '../helpers/git.js'
import { pathsOf, skipsOf, tree, walkAll, write } from './temp-tree.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('walking a folder that is no git repository', () => {
  it('takes every file of a folder without ignore files, except installed and built code', async () => {
    const root = tree({
      'a.ts': 'a',
      '.hidden/b.ts': 'b',
      'node_modules/x/index.js': 'x',
      'py/__pycache__/m.pyc': 'x',
      'rust/Cargo.toml': '[package]',
      'rust/target/debug/x': 'x',
      'target/kept.ts': 'k',
      'dist/kept.js': 'k',
      '.hone/index.db': 'x',
    })
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual([
      '.hidden/b.ts',
      'a.ts',
      'dist/kept.js',
      'rust/Cargo.toml',
      'target/kept.ts',
    ])
    expect(result.skipped).toEqual([
      { path: 'node_modules/', reason: 'ignored', detail: 'default' },
      { path: 'py/__pycache__/', reason: 'ignored', detail: 'default' },
      { path: 'rust/target/', reason: 'ignored', detail: 'default' },
    ])
  })

  it('leaves the choice to an ignore file where there is one', async () => {
    const root = tree({
      '.gitignore': '/dist/\n',
      'node_modules/x.js': 'x',
      'dist/y.js': 'y',
      'sub/dist/z.js': 'z',
    })
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['.gitignore', 'node_modules/x.js', 'sub/dist/z.js'])
    expect(skipsOf(result)).toEqual(['ignored dist/'])
  })

  it('honours nested, anchored, negated and allow-list rules', async () => {
    const root = tree({
      '.gitignore': '*.log\n/only-top\n',
      'only-top': 'x',
      'sub/only-top': 'kept',
      'sub/.gitignore': '!keep.log\n/here\n',
      'sub/keep.log': 'kept',
      'sub/drop.log': 'x',
      'sub/here': 'x',
      'sub/deep/here': 'kept',
      'list/.gitignore': '*\n!src/\n!src/**\n',
      'list/src/a.ts': 'kept',
      'list/b.ts': 'x',
    })
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual([
      '.gitignore',
      'list/src/a.ts',
      'sub/.gitignore',
      'sub/deep/here',
      'sub/keep.log',
      'sub/only-top',
    ])
    expect(skipsOf(result)).toEqual([
      'ignored list/.gitignore',
      'ignored list/b.ts',
      'ignored only-top',
      'ignored sub/drop.log',
      'ignored sub/here',
    ])
  })

  it('honours the global excludes file and no ignore file of another tool', async () => {
    const home = tree({ '.config/git/ignore': '.DS_Store\n' })
    vi.stubEnv('HOME', home)
    vi.stubEnv('XDG_CONFIG_HOME', '')
    const root = tree({ '.DS_Store': 'x', '.ignore': '*.ts\n', '.npmignore': '*.ts\n', 'a.ts': 'a' })
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['.ignore', '.npmignore', 'a.ts'])
    expect(skipsOf(result)).toEqual(['ignored .DS_Store'])
  })

  it('walks each of several repositories by its own rules, but none inside another', async () => {
    const root = tree({
      'one/.gitignore': 'x.ts\n',
      'one/a.ts': 'a',
      'one/x.ts': 'x',
      'two/b.ts': 'b',
      'one/in/c.ts': 'c',
    })
    for (const folder of ['one', 'two', 'one/in']) git(join(root, folder), 'init', '-q')
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['one/.gitignore', 'one/a.ts', 'two/b.ts'])
    expect(skipsOf(result)).toEqual(['nested-repository one/in/', 'ignored one/x.ts'])
  })

  it('follows no link: not in a loop, not out of the tree, not to a file that is there anyway', async () => {
    const outside = tree({ 'secret.ts': 's' })
    const root = tree({ 'src/a.ts': 'a' })
    symlinkSync('..', join(root, 'src/loop'))
    symlinkSync(outside, join(root, 'out'))
    symlinkSync('src/a.ts', join(root, 'again.ts'))
    symlinkSync('nowhere', join(root, 'broken'))
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['src/a.ts'])
    expect(skipsOf(result)).toEqual(['symlink again.ts', 'symlink broken', 'symlink out', 'symlink src/loop'])
  })

  it('reports FIFOs, also one named like an ignore file', async () => {
    const root = tree({ 'a.ts': 'a' })
    for (const name of ['pipe', '.gitignore', '.honeignore']) execFileSync('mkfifo', [join(root, name)])
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['a.ts'])
    expect(skipsOf(result)).toEqual(['special .gitignore', 'special .honeignore', 'special pipe'])
  })

  it('reports sockets and links to devices, and opens neither', async () => {
    const root = tree({ 'a.ts': 'a' })
    symlinkSync('/dev/zero', join(root, 'zero'))
    const server = createServer()
    await new Promise<void>((listening) => server.listen(join(root, 'socket'), listening))
    const result = await walkAll(root)
    await new Promise((closed) => server.close(closed))
    expect(pathsOf(result)).toEqual(['a.ts'])
    expect(skipsOf(result)).toEqual(['special socket', 'symlink zero'])
  })

  it('takes names and paths of the greatest length', async () => {
    const name = `${'n'.repeat(252)}.ts`
    const path = `${'long-name-of-a-folder/'.repeat(150)}${name}`
    const root = tree({ [name]: 'a', [path]: 'b' })
    expect(pathsOf(await walkAll(root))).toEqual([path, name])
  })

  it('keeps two paths that differ only in case', async () => {
    const root = tree({ 'Readme.md': '1', 'readme.md': '2', 'Src/a.ts': '3', 'src/a.ts': '4' })
    const { files } = await walkAll(root)
    expect(new Set(files.map(({ inode }) => inode)).size).toBe(files.length)
    expect(files).toHaveLength(4)
  })

  it('reports a name that is not UTF-8, and takes one that holds the replacement character', async () => {
    const root = tree({ 'a\uFFFD.ts': 'a' })
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'x')
    const result = await walkAll(root)
    expect(pathsOf(result)).toEqual(['a\uFFFD.ts'])
    expect(skipsOf(result)).toEqual(['unreadable caf\\xE9'])
  })

  it.skipIf(process.getuid?.() === 0)('reports a folder that cannot be opened and goes on', async () => {
    const root = tree({ 'locked/a.ts': 'a', 'b.ts': 'b' })
    chmodSync(join(root, 'locked'), 0)
    const result = await walkAll(root)
    chmodSync(join(root, 'locked'), 0o755)
    expect(pathsOf(result)).toEqual(['b.ts'])
    expect(skipsOf(result)).toEqual(['unreadable locked/'])
  })

  it('walks a tree deeper than a call stack of folders', async () => {
    const deep = 'd/'.repeat(1500)
    const root = tree({ [`${deep}a.ts`]: 'a' })
    expect(pathsOf(await walkAll(root))).toEqual([`${deep}a.ts`])
  })

  it('finds nothing in an empty folder', async () => {
    expect(await walkAll(tree())).toEqual({ files: [], skipped: [] })
  })
})

describe('.honeignore', () => {
  it('rules files out in either kind of folder, nested too', async () => {
    const files = {
      '.honeignore': 'data/\n*.snap\n',
      'data/a.json': 'x',
      'src/a.ts': 'a',
      'src/a.snap': 'x',
      'src/.honeignore': '!a.snap\n',
      'b.snap': 'x',
    }
    const plain = tree(files)
    expect(pathsOf(await walkAll(plain))).toEqual([
      '.honeignore',
      'src/.honeignore',
      'src/a.snap',
      'src/a.ts',
    ])
    expect(skipsOf(await walkAll(plain))).toEqual(['ignored b.snap', 'ignored data/'])
    git(plain, 'init', '-q')
    expect(pathsOf(await walkAll(plain))).toEqual([
      '.honeignore',
      'src/.honeignore',
      'src/a.snap',
      'src/a.ts',
    ])
    expect(skipsOf(await walkAll(plain))).toEqual(['ignored b.snap', 'ignored data/a.json'])
  })

  it('cannot bring back what git ignores', async () => {
    const root = tree({ '.gitignore': 'a.ts\n', '.honeignore': '!a.ts\n', 'a.ts': 'a' })
    expect(pathsOf(await walkAll(root))).toEqual(['.gitignore', '.honeignore'])
    write(root, { 'b.ts': 'b' })
    git(root, 'init', '-q')
    expect(pathsOf(await walkAll(root))).toEqual(['.gitignore', '.honeignore', 'b.ts'])
  })
})
