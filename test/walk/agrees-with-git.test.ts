/** Properties over generated trees and ignore files; git is the oracle. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WalkResult } from '../../src/types.js'
import { admit } from '../../src/walk/admit.js'
import { HoneIgnore } from '../../src/walk/hone-ignore.js'
import { plainListing } from '../../src/walk/plain-listing.js'
import { git } from '../helpers/git.js'
import { pathsOf, repository, walkAll } from './temp-tree.js'

const NAMES = ['a', 'b', 'src', 'x.ts', 'y.log', '.dot', 'né w', 'b[c]', '!odd', '#hash', 'build']
const name = fc.constantFrom(...NAMES)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))

const piece = fc.oneof(
  { weight: 4, arbitrary: name },
  {
    weight: 3,
    arbitrary: fc.constantFrom('*', '**', '*.ts', '*.log', '?', '[ab]', '[!a]*', 'b*', '.*', '*/'),
  },
  { weight: 1, arbitrary: fc.constantFrom('\\!odd', '\\#hash', 'b\\[c\\]', 'n* w', 'x.t\\s', 'build ') },
)
const rule = fc
  .record({
    sign: fc.constantFrom('', '', '!'),
    lead: fc.constantFrom('', '', '/', '**/'),
    pieces: fc.array(piece, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '/', '/**', '/*', '  ', '\r'),
  })
  .map(({ sign, lead, pieces, end }) => sign + lead + pieces.join('/') + end)
const line = fc.oneof(
  { weight: 8, arbitrary: rule },
  { weight: 1, arbitrary: fc.constantFrom('', '# note', '/', '!', ' ') },
)
const rules = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'))
const folder = fc.oneof(fc.constant(''), path)

const scenario = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 14 }),
  ignoreFiles: fc.array(fc.tuple(folder, rules), { maxLength: 3 }),
  exclude: rules,
  tracked: fc.array(fc.nat(13), { maxLength: 4 }),
  inner: fc.constantFrom('', '', 'a', 'src/b'),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

/** Lays out a scenario; an entry whose place is taken by one of another kind is left out. */
function layOut(root: string, { files, ignoreFiles, exclude }: Scenario): void {
  const put = (at: string, text: string) => {
    try {
      mkdirSync(dirname(join(root, at)), { recursive: true })
      writeFileSync(join(root, at), text)
    } catch {
      // taken
    }
  }
  for (const file of files) put(file, 'x')
  for (const [at, text] of ignoreFiles) put(join(at, '.gitignore'), text)
  put('.git/info/exclude', exclude)
}

/** What git lists below a folder and is on disk. */
function listedByGit(root: string): string[] {
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .slice(0, -1)
  return [...new Set(listed)].filter((entry) => existsSync(join(root, entry))).sort()
}

function entriesOf({ files, skipped }: WalkResult): string[] {
  const visible = skipped.filter(({ reason }) => reason !== 'ignored')
  return [...files, ...visible].map((entry) => entry.path).sort()
}

async function plainWalk(root: string): Promise<WalkResult> {
  const honeIgnore = new HoneIgnore(root)
  const limits = { include: [], exclude: [], maxFileBytes: 1_000_000 }
  return admit(await plainListing({ root, honeIgnore }), { root, honeIgnore, ...limits })
}

function rootFor(sample: Scenario): { top: string; root: string } {
  const top = repository()
  layOut(top, sample)
  const root = join(top, sample.inner)
  const isFolder = existsSync(root) && statSync(root).isDirectory()
  return { top, root: isFolder ? root : top }
}

it('files and skips are what git lists and the disk holds', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (sample) => {
      const { top, root } = rootFor(sample)
      for (const index of sample.tracked) {
        const file = sample.files[index]
        if (file === undefined || !existsSync(join(top, file))) continue
        git(top, 'add', '-f', '--', `:(literal)${file}`)
        if (index % 3 === 0 && !join(root, '/').startsWith(join(top, file, '/')))
          rmSync(join(top, file), { recursive: true })
      }
      const expected = listedByGit(root)
      // What git lists nothing of is walked by its ignore files: an ignored root was asked for by name.
      if (expected.length > 0) expect(entriesOf(await walkAll(root))).toEqual(expected)
      rmSync(top, { recursive: true })
    }),
    { numRuns: 40 },
  )
})

it('the own walk agrees with git where no tracked file is ignored', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (sample) => {
      const { top, root } = rootFor(sample)
      const expected = listedByGit(root)
      const result = await plainWalk(root)
      if (expected.length > 0 || root === top) expect(pathsOf(result)).toEqual(expected)
      rmSync(top, { recursive: true })
    }),
    { numRuns: 80 },
  )
})
