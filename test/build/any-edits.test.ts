/** Whatever is done to a repository between index runs, the updated index answers byte for byte as a new one does. */
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemCode } from '../../src/errors.js'
import { openIndex } from '../../src/index.js'
import { git } from '../helpers/git.js'
import { commitAll, repository, write } from '../walk/temp-tree.js'
import { build, saysOf } from './index-states.js'

// Few contents for many files: ties are where an order that nothing pins shows.
const CONTENTS = [
  'export function readToken(text: string) {\n  return text.trim()\n}\n',
  '/** Reads a token. */\nexport class TokenReader {\n  next() {\n    return readToken("")\n  }\n}\n',
  'token token token\n',
  '',
  'const rate = 1\nconst limit = 2\nexport { rate, limit }\n',
  '// 令牌 token\nexport const 令牌 = 1\n',
  'def größe(naïve):\n    return naïve\n',
]
const PATHS = [
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
const FOLDERS = ['lib', 'lib/deep', 'test', 'moved', 'moved/again']
const BRANCHES = ['first', 'second']
// About eight seconds of one processor.
const RUNS = 10
const TASKS = ['read token', 'TokenReader', 'rate limit', '令牌', 'größe', 'a.ts', 'commit 1']

type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly content: number }
  | { readonly kind: 'encode'; readonly path: string; readonly as: keyof typeof ENCODED }
  | { readonly kind: 'delete' | 'chmod' | 'retouch' | 'age' | 'unfold'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'switch'; readonly branch: string }

const ENCODED = {
  'utf-16': (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
  'byte order mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'carriage returns': (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n')),
} as const

const path = fc.constantFrom(...PATHS)
const place = fc.constantFrom(...PATHS, ...FOLDERS)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('write' as const), path, content: fc.nat(CONTENTS.length - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('encode' as const),
      path,
      as: fc.constantFrom(...(Object.keys(ENCODED) as (keyof typeof ENCODED)[])),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'delete' as const,
        'chmod' as const,
        'retouch' as const,
        'age' as const,
        'unfold' as const,
      ),
      path,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link' as const), path, to: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), from: place, to: place }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'commit' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('switch' as const), branch: fc.constantFrom(...BRANCHES) }),
  },
)

// What links that lead nowhere, in circles or to folders make of an edit.
const CANNOT_BE_DONE = ['EEXIST', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EINVAL']

/** Does an edit where it can be done; one that cannot is none. */
function apply(root: string, edit: Edit): void {
  try {
    tryTo(root, edit)
  } catch (error) {
    if (!CANNOT_BE_DONE.includes(systemCode(error))) throw error
  }
}

function tryTo(root: string, edit: Edit): void {
  switch (edit.kind) {
    case 'write':
      if (isFreeFor(root, edit.path)) write(root, { [edit.path]: CONTENTS[edit.content] ?? '' })
      return
    case 'encode':
      if (isFile(root, edit.path))
        write(root, { [edit.path]: ENCODED[edit.as](readFileSync(join(root, edit.path), 'utf8')) })
      return
    case 'delete':
      if (isFile(root, edit.path)) rmSync(join(root, edit.path))
      return
    case 'chmod':
      if (isFile(root, edit.path))
        chmodSync(join(root, edit.path), statSync(join(root, edit.path)).mode ^ 0o111)
      return
    case 'retouch':
      if (isFile(root, edit.path)) retouch(join(root, edit.path))
      return
    case 'age':
      if (isFile(root, edit.path)) age(join(root, edit.path))
      return
    case 'unfold':
      unfold(root, edit.path)
      return
    case 'link':
      link(root, edit.path, edit.to)
      return
    case 'move':
      move(root, edit.from, edit.to)
      return
    case 'commit':
      if (git(root, 'status', '--porcelain') !== '') commitAll(root)
      return
    case 'switch':
      switchTo(root, edit.branch)
  }
}

/** Another content of the same size and time of change, as an editor within one tick of the clock leaves it. */
function retouch(file: string): void {
  const { atime, mtime } = statSync(file)
  const text = readFileSync(file)
  const at = text.indexOf('e')
  if (at >= 0) text[at] = 'o'.charCodeAt(0)
  writeFileSync(file, text)
  utimesSync(file, atime, mtime)
}

/** Another content with a time long before the old one's, as restored from a backup. */
function age(file: string): void {
  writeFileSync(file, `${readFileSync(file, 'latin1')}// from the backup\n`, 'latin1')
  utimesSync(file, new Date('2001-01-01'), new Date('2001-01-01'))
}

/** A file becomes a folder of its name with a file in it, or such a folder a file. */
function unfold(root: string, path: string): void {
  if (isFile(root, path)) {
    const text = readFileSync(join(root, path))
    rmSync(join(root, path))
    write(root, { [`${path}/inner.ts`]: text })
  } else if (existsSync(join(root, path))) {
    rmSync(join(root, path), { recursive: true })
    write(root, { [path]: CONTENTS[1] ?? '' })
  }
}

/** A link in place of a file; to a file, a folder, nothing, or itself. */
function link(root: string, path: string, to: string): void {
  if (!isFile(root, path)) return
  rmSync(join(root, path))
  symlinkSync(relative(dirname(join(root, path)), join(root, to)), join(root, path))
}

function move(root: string, from: string, to: string): void {
  if (!existsSync(join(root, from)) || `${to}/`.startsWith(`${from}/`)) return
  if (existsSync(join(root, to)) || !isFreeFor(root, to)) return
  write(root, { [`${dirname(to)}/`]: '' })
  renameSync(join(root, from), join(root, to))
}

/** With everything committed first, so that git never refuses. */
function switchTo(root: string, branch: string): void {
  if (git(root, 'status', '--porcelain') !== '') commitAll(root)
  const isThere = git(root, 'branch', '--list', branch).trim() !== ''
  git(root, 'checkout', '-q', ...(isThere ? [branch] : ['-b', branch]))
}

function isFile(root: string, path: string): boolean {
  return statOf(join(root, path))?.isFile() === true
}

/** Of what a link leads to; undefined for one that leads nowhere or round and round. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Whether a file may be written there: no folder of that name, no file where a folder has to be. */
function isFreeFor(root: string, path: string): boolean {
  const parts = path.split('/')
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
  return (
    !above.some((folder) => isFile(root, folder)) && (isFile(root, path) || !existsSync(join(root, path)))
  )
}

/** What a new index of a copy says: its files have other inodes and times, which must not show. */
async function freshSays(root: string): Promise<string> {
  const copy = repository({})
  rmSync(join(copy, '.git'), { recursive: true })
  for (const name of readdirSync(root))
    if (name !== '.hone')
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  await build(copy)
  const says = await saysOf(copy, TASKS)
  rmSync(copy, { recursive: true })
  return says
}

async function refreshed(root: string): Promise<void> {
  const index = await openIndex({ root, refresh: true })
  index.close()
}

describe('an updated index', () => {
  const start: Record<string, string> = {}
  for (let i = 0; i < 24; i++) start[`many/f${String(23 - i).padStart(2, '0')}.ts`] = CONTENTS[i % 2] ?? ''
  const round = fc.record({
    edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
    by: fc.constantFrom('index', 'query'),
  })

  it('answers as a new one after any edits: files, folders, links, times, encodings, branches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const root = repository(start)
        commitAll(root)
        await build(root)
        for (const { edits, by } of rounds) {
          for (const one of edits) apply(root, one)
          await (by === 'index' ? build(root) : refreshed(root))
          expect(await saysOf(root, TASKS)).toBe(await freshSays(root))
        }
        rmSync(root, { recursive: true })
      }),
      { numRuns: RUNS },
    )
  }, 300_000)
})
