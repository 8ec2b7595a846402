import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { headStamp } from '../../src/history/head-stamp.js'
import { repositoryAround } from '../../src/walk/repository.js'
import { git } from '../helpers/git.js'
import { commitAll, repository, tree, write } from '../walk/temp-tree.js'

function stamp(root: string): string {
  return headStamp(repositoryAround(root))
}

describe('the stamp of a history', () => {
  it('stays while HEAD does, also when branches and files change or refs are packed', () => {
    const root = repository({ 'a.ts': '1' })
    commitAll(root)
    const before = stamp(root)
    write(root, { 'b.ts': '1' })
    git(root, 'add', '-A')
    git(root, 'branch', 'other')
    git(root, 'pack-refs', '--all', '--prune')
    expect(stamp(root)).toBe(before)
    git(root, 'checkout', '-q', '--detach')
    expect(stamp(root)).toBe(before) // the same commit
  })

  it('is another after each commit, on a branch, on none, in a linked worktree, from packed refs', () => {
    const root = repository({ 'a.ts': '1' })
    const stamps = [stamp(root)]
    commitAll(root)
    stamps.push(stamp(root))
    git(root, 'pack-refs', '--all', '--prune')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'two')
    stamps.push(stamp(root))
    git(root, 'checkout', '-q', '--detach')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'three')
    stamps.push(stamp(root))
    const worktree = join(tree(), 'linked')
    git(root, 'worktree', 'add', '-q', '-b', 'side/branch', worktree)
    git(worktree, 'commit', '-q', '--allow-empty', '-m', 'four')
    stamps.push(stamp(worktree))
    expect(new Set(stamps).size).toBe(stamps.length)
    expect(stamps[4]).toBe(git(worktree, 'rev-parse', 'HEAD').trim())
    expect(stamp(root)).toBe(stamps[3]) // which the worktree does not move
  })

  it('is another when a shallow clone is made whole', () => {
    const root = repository({ 'a.ts': '1' })
    commitAll(root)
    git(root, 'commit', '-q', '--allow-empty', '-m', 'two')
    const clone = join(tree(), 'clone')
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, clone)
    const before = stamp(clone)
    git(clone, 'fetch', '-q', '--unshallow')
    expect(stamp(clone)).not.toBe(before)
  })

  it('comes without waiting or leaving the repository, whatever lies there', () => {
    const root = repository({ 'a.ts': '1' })
    const head = join(root, '.git', 'HEAD')
    for (const text of ['', 'ref: refs/../../a.ts\n', 'ref: refs/heads/a\nb', 'ref: refs/heads/missing']) {
      writeFileSync(head, text)
      expect(stamp(root)).not.toContain('1')
    }
    writeFileSync(join(root, '.git/refs/heads/x'), 'ref: refs/heads/x\n')
    writeFileSync(head, 'ref: refs/heads/x\n')
    expect(stamp(root)).toContain('refs/heads/x')
    rmSync(head)
    execFileSync('mkfifo', [head])
    expect(stamp(root)).toBe('no HEAD')
    expect(stamp(tree())).toBe('none')
  })
})
