import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { walkedFile } from '../../src/walk/walk.js'
import { symlinkSync } from 'node:fs'
import { pathsOf, skipsOf, tree, walkAll } from './temp-tree.js'

describe('what the caller limits', () => {
  it('takes only what is included and nothing that is excluded', async () => {
    const root = tree({ 'src/a.ts': 'a', 'src/a.test.ts': 't', 'b.md': 'b' })
    const result = await walkAll(root, { include: ['src'], exclude: ['*.test.ts'] })
    expect(pathsOf(result)).toEqual(['src/a.ts'])
    expect(result.skipped).toEqual([
      { path: 'b.md', reason: 'excluded', detail: 'not included' },
      { path: 'src/a.test.ts', reason: 'excluded' },
    ])
  })

  it('an include that matches nothing gives nothing', async () => {
    expect(pathsOf(await walkAll(tree({ 'a.ts': 'a' }), { include: ['*.zig'] }))).toEqual([])
  })

  it('reports a file over the size limit with both sizes, and takes one at the limit', async () => {
    const root = tree({ 'a.ts': 'x'.repeat(1500), 'b.ts': 'x'.repeat(1501), 'empty.ts': '' })
    const result = await walkAll(root, { maxFileBytes: 1500 })
    expect(pathsOf(result)).toEqual(['a.ts', 'empty.ts'])
    expect(result.skipped).toEqual([{ path: 'b.ts', reason: 'too-large', detail: '1.5 kB > 1.5 kB' }])
  })
})

describe('a root that cannot be walked', () => {
  it.each([
    ['ROOT_NOT_FOUND', 'missing'],
    ['ROOT_NOT_DIRECTORY', 'file.ts'],
    ['ROOT_NOT_FOUND', 'file.ts/below'],
  ])('is %s for %s', async (code, path) => {
    const root = join(tree({ 'file.ts': 'x' }), path)
    await expect(walkAll(root)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(root) as string,
    })
  })

  it('an aborted walk says so', async () => {
    const root = tree({ 'a.ts': 'a' })
    await expect(walkAll(root, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('one file by its path', () => {
  it('is found when it is a regular file inside the root', () => {
    const root = tree({ 'src/a.ts': 'abc' })
    expect(walkedFile(root, 'src/a.ts')).toMatchObject({ path: 'src/a.ts', bytes: 3 })
  })

  it('is undefined outside the root, for a folder, and behind a link', () => {
    const outside = tree({ 'a.ts': 'a' })
    const root = tree({ 'src/a.ts': 'abc' })
    symlinkSync(outside, join(root, 'link'))
    symlinkSync('src/a.ts', join(root, 'b.ts'))
    for (const path of [
      '../x',
      'src/../../x',
      '/etc/passwd',
      'src',
      'missing',
      'link/a.ts',
      'b.ts',
      'src/a.ts/x',
      '',
    ]) {
      expect(walkedFile(root, path), path).toBeUndefined()
    }
  })
})

it('names an invalid glob', async () => {
  const root = tree({ 'a.ts': 'a' })
  await expect(walkAll(root, { exclude: ['src/[a'] })).rejects.toMatchObject({
    code: 'GLOB_INVALID',
    message: expect.stringContaining('src/[a') as string,
  })
  expect(skipsOf(await walkAll(root))).toEqual([])
})
