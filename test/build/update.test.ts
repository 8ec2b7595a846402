import { renameSync, rmSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openIndex } from '../../src/index.js'
import { SAMPLE } from '../spine/sample.js'
import { git } from '../helpers/git.js'
import { commitAll, repository, tree, write } from '../walk/temp-tree.js'
import { build, databaseOf, generationOf, idsOf, saysOf } from './index-states.js'

const TASKS = [
  'sign the token of a user',
  'throttle',
  'src/table.ts',
  'Session refresh',
  'slowdown',
  'nothing',
]

describe('an index run', () => {
  it('indexes every file of a repository and counts them', async () => {
    const root = repository(SAMPLE)
    const summary = await build(root)
    expect(summary).toMatchObject({ files: 5, added: 5, changed: 0, removed: 0, skipped: 0, failed: [] })
    expect([...idsOf(root).keys()]).toEqual(Object.keys(SAMPLE).sort())
  })

  it('changes nothing when nothing has changed', async () => {
    const root = repository(SAMPLE)
    await build(root)
    const generation = generationOf(root)
    for (let run = 0; run < 3; run++) {
      expect(await build(root)).toMatchObject({ added: 0, changed: 0, removed: 0 })
      expect(generationOf(root)).toBe(generation)
    }
  })

  it('reads anew only what was changed, added or renamed', async () => {
    const root = repository(SAMPLE)
    await build(root)
    const before = idsOf(root)
    write(root, { 'src/table.ts': 'export const rows = 3\n', 'src/new.ts': 'export const fresh = 1\n' })
    renameSync(join(root, 'src/token.ts'), join(root, 'src/jwt.ts'))
    expect(await build(root)).toMatchObject({ added: 2, changed: 1, removed: 1, files: 6 })
    const after = idsOf(root)
    for (const path of ['README.md', 'src/session.ts', 'src/throttle.ts'])
      expect(after.get(path), path).toBe(before.get(path))
    expect(after.get('src/table.ts')).not.toBe(before.get('src/table.ts'))
    expect(after.has('src/token.ts')).toBe(false)
  })

  it('does not index anew what was only touched', async () => {
    const root = repository(SAMPLE)
    await build(root)
    const before = idsOf(root)
    utimesSync(join(root, 'src/token.ts'), 1, 1)
    expect(await build(root)).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(idsOf(root)).toEqual(before)
  })

  it('sees a change that kept size and times, as a tool that restores them makes it', async () => {
    const root = repository({ 'a.ts': 'export const apple = 1\n' })
    const past = new Date('2020-01-01T00:00:00Z')
    utimesSync(join(root, 'a.ts'), past, past)
    await build(root)
    write(root, { 'a.ts': 'export const grape = 1\n' })
    utimesSync(join(root, 'a.ts'), past, past)
    expect(await build(root)).toMatchObject({ changed: 1 })
  })

  it('forgets the symbols of a file that lost them', async () => {
    const root = repository(SAMPLE)
    await build(root)
    write(root, { 'src/throttle.ts': 'export const nothing = 0\n' })
    await build(root)
    const index = await openIndex({ root })
    const { files } = await index.retrieve({ task: 'throttle', minRelevance: 0, explain: true })
    index.close()
    // What is left of the word is the file's name.
    expect(files).not.toEqual([])
    for (const { evidence } of files)
      expect(evidence?.find(({ signal }) => signal === 'defines.symbol')?.value ?? 0).toBe(0)
  })

  it('follows a branch switch there and back', async () => {
    const root = repository(SAMPLE)
    commitAll(root)
    await build(root)
    const before = await saysOf(root, TASKS)
    git(root, 'checkout', '-q', '-b', 'other')
    git(root, 'rm', '-q', 'src/token.ts')
    write(root, { 'src/cookie.ts': 'export function bakeCookie() {}\n' })
    commitAll(root)
    await build(root)
    expect([...idsOf(root).keys()]).not.toContain('src/token.ts')
    git(root, 'checkout', '-q', '-')
    await build(root)
    expect(await saysOf(root, TASKS)).toBe(before)
  })
})

describe('a file leaves the index, with the reason, and comes back when it', () => {
  const good = SAMPLE['src/token.ts'] ?? ''
  const away: readonly (readonly [string, string, (root: string, path: string) => void])[] = [
    [
      'becomes binary',
      'binary',
      (root, path) => {
        write(root, { [path]: Buffer.from([1, 0, 2, 0, 255, 254, 0]) })
      },
    ],
    [
      'grows too large',
      'too-large',
      (root, path) => {
        write(root, { [path]: `// ${'word '.repeat(1000)}\n` })
      },
    ],
    [
      'gets a secret',
      'secret',
      (root, path) => {
        write(root, { [path]: ['const key = "AKIA', 'Q3EGRTV2KM4PL7XZ"\n'].join('') })
      },
    ],
    [
      'is excluded by .honeignore',
      'ignored',
      (root) => {
        write(root, { '.honeignore': 'token.ts\n' })
      },
    ],
    [
      'becomes a link',
      'symlink',
      (root, path) => {
        unlinkSync(join(root, path))
        symlinkSync('table.ts', join(root, path))
      },
    ],
  ]
  it.each(away)('%s', async (_, reason, change) => {
    const path = 'src/token.ts'
    const root = repository(SAMPLE)
    await build(root, { maxFileBytes: 2000 })
    const before = await saysOf(root, TASKS)
    change(root, path)
    await build(root)
    const index = await openIndex({ root })
    expect(index.files()).not.toContain(path)
    expect(index.skipped()).toContainEqual(expect.objectContaining({ path, reason }))
    index.close()
    const generation = generationOf(root)
    await build(root)
    expect(generationOf(root), 'a skipped file is not read as new each time').toBe(generation)
    rmSync(join(root, path), { force: true })
    rmSync(join(root, '.honeignore'), { force: true })
    write(root, { [path]: good })
    await build(root)
    expect(await saysOf(root, TASKS)).toBe(before)
  })
})

describe('an updated index', () => {
  // Few contents for many files: ties are where an order that nothing pins shows.
  const contents = [
    'export function readToken(text: string) {\n  return text.trim()\n}\n',
    '/** Reads a token. */\nexport class TokenReader {\n  next() {\n    return readToken("")\n  }\n}\n',
    'token token token\n',
    '',
    'const rate = 1\nconst limit = 2\nexport { rate, limit }\n',
    '// 令牌 token\nexport const 令牌 = 1\n',
  ]
  const paths = [
    'a.ts',
    'b.ts',
    'lib/a.ts',
    'lib/b.ts',
    'lib/deep/a.ts',
    'z.md',
    'Z.md',
    'test/a.test.ts',
    'c.py',
    'd.txt',
  ]
  const edit = fc.record({
    path: fc.constantFrom(...paths),
    content: fc.option(fc.nat(contents.length - 1), { freq: 3, nil: undefined }),
  })

  it('answers byte for byte as a new one, after any edits', async () => {
    const tasks = ['read token', 'TokenReader', 'rate limit', '令牌', 'a.ts', 'text']
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        async (runs) => {
          const start: Record<string, string> = {}
          for (let i = 0; i < 24; i++)
            start[`many/f${String(23 - i).padStart(2, '0')}.ts`] = contents[i % 2] ?? ''
          const root = tree(start)
          await build(root)
          for (const edits of runs) {
            for (const { path, content } of edits) {
              if (content === undefined) rmSync(join(root, path), { force: true })
              else write(root, { [path]: contents[content] ?? '' })
            }
            await build(root)
          }
          const updated = await saysOf(root, tasks)
          await build(root, { rebuild: true })
          expect(updated).toBe(await saysOf(root, tasks))
          rmSync(root, { recursive: true })
        },
      ),
      { numRuns: 25 },
    )
  })

  it('keeps at its size when the same files change again and again', async () => {
    const root = tree(SAMPLE)
    await build(root)
    for (let i = 0; i < 60; i++) {
      write(root, { 'src/token.ts': `export function sign${i}() {\n  return ${i}\n}\n` })
      await build(root)
    }
    const index = await openIndex({ root })
    const { bytes } = index.status
    index.close()
    await build(root, { rebuild: true })
    const fresh = await openIndex({ root })
    expect(bytes).toBeLessThan(4 * fresh.status.bytes)
    fresh.close()
    expect(databaseOf(root)).toMatch(/index-2\.db$/)
  })
})
