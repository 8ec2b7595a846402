import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WalkedFile } from '../../src/types.js'
import { readSource, type ReadResult } from '../../src/walk/read-source.js'
import { walkedFile } from '../../src/walk/walk.js'
import { tree } from './temp-tree.js'

const LIMIT = 100_000

function walked(root: string, path: string): WalkedFile {
  const file = walkedFile(root, path)
  if (file === undefined) throw new Error(`${path} is not in the tree`)
  return file
}

function read(path: string, content: string | Buffer): ReadResult {
  return readSource(walked(tree({ [path]: content }), path), LIMIT)
}

describe('reading a source file', () => {
  it('gives its text, its size and the hash of its bytes', () => {
    const hash = createHash('sha256').update('let a = 1\n').digest('hex').slice(0, 32)
    const source = { text: 'let a = 1\n', lines: 1, encoding: 'utf-8' }
    expect(read('a.ts', 'let a = 1\n')).toEqual({ kind: 'text', source, bytes: 10, hash })
  })

  it('gives an empty file as no lines', () => {
    expect(read('a.ts', '')).toMatchObject({ kind: 'text', bytes: 0, source: { text: '', lines: 0 } })
  })

  it('skips binary content', () => {
    const skip = { path: 'a.dat', reason: 'binary' }
    expect(read('a.dat', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).toEqual({ kind: 'skip', skip })
  })

  it('skips minified code and says how long its lines are', () => {
    const skip = { path: 'a.js', reason: 'minified', detail: '30000 characters a line' }
    expect(read('a.js', 'var a=1;;;'.repeat(3000))).toEqual({ kind: 'skip', skip })
    expect(read('one-line.json', `[${'1,'.repeat(1000)}1]`).kind).toBe('text')
  })
})

describe('a file that changed since the walk', () => {
  it('is too large when it grew over the limit', () => {
    const root = tree({ 'a.ts': 'a' })
    const file = walked(root, 'a.ts')
    appendFileSync(file.absolutePath, 'x'.repeat(LIMIT))
    const skip = { path: 'a.ts', reason: 'too-large', detail: '100 kB > 100 kB' }
    expect(readSource(file, LIMIT)).toEqual({ kind: 'skip', skip })
  })

  it('is vanished when it is gone, or its folder is', () => {
    const root = tree({ 'src/a.ts': 'a' })
    const file = walked(root, 'src/a.ts')
    rmSync(file.absolutePath)
    expect(readSource(file, LIMIT)).toEqual({ kind: 'skip', skip: { path: 'src/a.ts', reason: 'vanished' } })
    rmSync(join(root, 'src'), { recursive: true })
    writeFileSync(join(root, 'src'), '')
    expect(readSource(file, LIMIT)).toEqual({ kind: 'skip', skip: { path: 'src/a.ts', reason: 'vanished' } })
  })

  it('is not followed when a link took its place, or the place of its folder', () => {
    const outside = tree({ 'a.ts': 'outside' })
    const root = tree({ 'src/a.ts': 'a' })
    const file = walked(root, 'src/a.ts')
    renameSync(join(root, 'src'), join(root, 'old'))
    symlinkSync(outside, join(root, 'src'))
    expect(readSource(file, LIMIT)).toMatchObject({ kind: 'skip', skip: { reason: 'symlink' } })
    rmSync(join(root, 'src'))
    mkdirSync(join(root, 'src'))
    symlinkSync(join(outside, 'a.ts'), file.absolutePath)
    expect(readSource(file, LIMIT)).toMatchObject({ kind: 'skip', skip: { reason: 'symlink' } })
  })

  it('is read when another file was moved into its place', () => {
    const root = tree({ 'a.ts': 'old', 'b.ts': 'new' })
    const file = walked(root, 'a.ts')
    renameSync(join(root, 'b.ts'), file.absolutePath)
    expect(readSource(file, LIMIT)).toMatchObject({ kind: 'text', source: { text: 'new' } })
  })

  it('does not block when a FIFO or a folder took its place', () => {
    const root = tree({ 'a.ts': 'a' })
    const file = walked(root, 'a.ts')
    rmSync(file.absolutePath)
    execFileSync('mkfifo', [file.absolutePath])
    expect(readSource(file, LIMIT)).toMatchObject({ kind: 'skip', skip: { reason: 'special' } })
    rmSync(file.absolutePath)
    mkdirSync(file.absolutePath)
    expect(readSource(file, LIMIT)).toMatchObject({ kind: 'skip', skip: { reason: 'special' } })
  })

  it.skipIf(process.getuid?.() === 0)('is unreadable, with the error, when it may not be read', () => {
    const root = tree({ 'a.ts': 'a' })
    chmodSync(join(root, 'a.ts'), 0)
    const skip = { path: 'a.ts', reason: 'unreadable', detail: 'EACCES' }
    expect(readSource(walked(root, 'a.ts'), LIMIT)).toEqual({ kind: 'skip', skip })
  })
})
