import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../src/index.js'
import { VERSION, DEFAULTS } from '../../src/config.js'
import { hone, makeSample, MAIN, put } from './sample.js'

let root: string
let remove: () => void

beforeEach(() => {
  ;({ root, remove } = makeSample())
})

afterEach(() => {
  remove()
})

const query = (task: string, ...more: readonly string[]) => hone(['query', task, '--repo', root, ...more])
const answerTo = (task: string, ...more: readonly string[]): Answer =>
  JSON.parse(query(task, '--format', 'json', ...more).out) as Answer
const withoutTimes = (json: string): string => json.replace(/"ms": [\d.]+/g, '"ms": 0')

describe('hone index and query', () => {
  it('indexes, answers with the file that does it first, and exits with 0', () => {
    const indexed = hone(['index', root])
    expect(indexed).toMatchObject({ code: 0, err: '' })
    expect(indexed.out).toMatch(/^5 files, \d+ chunks, 0 skipped, [\d.]+ s\n$/)
    const answered = query('where is a token signed', '--format', 'paths', '--min-relevance', '0')
    expect(answered.code).toBe(0)
    expect(answered.out.split('\n')[0]).toBe('src/token.ts')
  })

  it('builds the index first when there is none, saying so on standard error only', () => {
    const answered = query('throttle', '--format', 'json')
    expect(answered.err).toMatch(/no index in .* yet, building one/)
    expect(() => JSON.parse(answered.out) as unknown).not.toThrow()
  })

  it('gives the same bytes twice, times aside', () => {
    const first = query('sign the token', '--format', 'json', '--explain')
    const second = query('sign the token', '--format', 'json', '--explain')
    expect(withoutTimes(second.out)).toBe(withoutTimes(first.out))
  })

  it('gives the same answers for any number of threads', () => {
    for (let i = 0; i < 150; i++)
      put(root, `many/file${i}.ts`, `export function made${i}() {\n  return ${i}\n}\n`)
    const answers = ['0', '1', '3'].map((jobs) => {
      hone(['index', root, '--rebuild', '--jobs', jobs])
      return withoutTimes(query('made7 token', '--format', 'json', '--explain', '--min-relevance', '0').out)
    })
    expect(new Set(answers).size).toBe(1)
  })

  it('bridges a word the code never uses and says so', () => {
    const { cycles, files } = answerTo('slowdown', '--min-relevance', '0')
    expect(cycles[0]?.bridged).toMatchObject([{ word: 'slowdown' }])
    expect(cycles[0]?.bridged[0]?.to).toContain('throttle')
    expect(files[0]?.path).toBe('src/throttle.ts')
    expect(files[0]?.reason).toContain('"slowdown" is closest to throttle here')
  })

  it('follows a symbol that a found file uses to the file that defines it', () => {
    const answer = answerTo('Session refresh for a signed-in user', '--min-relevance', '0')
    const session = answer.files.find(({ path }) => path === 'src/session.ts')
    expect(session?.relevance).toBeGreaterThan(0.5)
    const token = answer.files.find(({ path }) => path === 'src/token.ts')
    const isFollowed = token?.reason.includes('signToken') ?? false
    const isReported = session?.missingContext.some(({ name }) => name === 'signToken') ?? false
    expect(isFollowed || isReported).toBe(true)
  })

  it('applies filters before ranking; one that matches nothing returns nothing', () => {
    expect(
      answerTo('token', '--include', 'src/table.ts', '--min-relevance', '0').files.map(({ path }) => path),
    ).toEqual(['src/table.ts'])
    const none = query('token', '--include', 'nowhere/**')
    expect(none.code).toBe(1)
    expect(none.out).toContain('Nothing relevant found.')
  })

  it('takes any text as a task: operators, quotes, other scripts, ten thousand words', () => {
    for (const task of ['- . " ? * ( NEAR AND', '令牌过期', '%', 'a', 'word '.repeat(10_000)]) {
      expect(hone(['query', '--repo', root, '--', task]).code, task.slice(0, 20)).toBeLessThan(2)
    }
  })

  it('notices a changed, a new and a deleted file before it answers', () => {
    query('token')
    put(root, 'src/cookie.ts', 'export function bakeCookie(): string {\n  return "oatmeal"\n}\n')
    expect(answerTo('bakeCookie').files[0]?.path).toBe('src/cookie.ts')
    put(root, 'src/cookie.ts', 'export function eatBiscuit(): string {\n  return "gone"\n}\n')
    expect(answerTo('eatBiscuit').files[0]?.path).toBe('src/cookie.ts')
    execFileSync('rm', [join(root, 'src/cookie.ts')])
    expect(answerTo('eatBiscuit').files.map(({ path }) => path)).not.toContain('src/cookie.ts')
  })

  it('answers a batch in order, one JSON a line', () => {
    const batch = hone(['query', '--batch', '-', '--repo', root], {
      input: 'sign a token\r\n{"task": "throttle calls", "limit": 1}\n',
    })
    const answers = batch.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
    expect(answers.map(({ task }) => task)).toEqual(['sign a token', 'throttle calls'])
    expect(answers[1]?.files.length).toBeLessThanOrEqual(1)
  })

  it('works with the network cut', () => {
    const cut = spawnSync('unshare', ['-rn', process.execPath, MAIN, 'query', 'sign a token', '--repo', root])
    // Where unshare is not permitted there is nothing to cut; CI's own step says so.
    if (cut.error === undefined && !cut.stderr.toString().includes('unshare')) expect(cut.status).toBe(0)
  })
})

describe('hone status and clean', () => {
  it('counts add up: indexed and skipped are what was seen', () => {
    put(root, 'logo.png', Uint8Array.from([137, 80, 78, 71, 0, 0, 1]))
    symlinkSync('token.ts', join(root, 'src', 'link.ts'))
    hone(['index', root])
    const { out } = hone(['status', root])
    const count = (label: string): number => Number(new RegExp(`^${label}\\s+(\\d+)`, 'm').exec(out)?.[1])
    expect(count('indexed') + count('skipped')).toBe(count('seen'))
    expect(count('skipped')).toBe(2)
    const skipped = hone(['status', root, '--skipped']).out
    expect(skipped).toContain('logo.png\tbinary')
    expect(skipped).toContain('src/link.ts\tsymlink')
  })

  it('clean removes the index and nothing else', () => {
    hone(['index', root])
    expect(hone(['clean', root]).code).toBe(0)
    expect(readdirSync(root).sort()).toEqual(['README.md', 'src'])
  })
})

describe('errors', () => {
  const cases: readonly (readonly [string, () => ReturnType<typeof hone>, number, RegExp])[] = [
    ['an empty task', () => query(' '), 2, /task is empty/],
    ['an unknown option', () => query('x', '--nope'), 2, /--nope/],
    ['a limit of zero', () => query('x', '--limit', '0'), 2, /--limit.*whole number from 1 up/],
    ['a probability above 1', () => query('x', '--min-relevance', '2'), 2, /--min-relevance.*from 0 to 1/],
    ['an unknown format', () => query('x', '--format', 'xml'), 2, /--format.*text, json, markdown, paths/],
    [
      'a path that is not there',
      () => hone(['index', join(root, 'nope')]),
      2,
      /no such folder|there is no folder/,
    ],
    ['a file instead of a folder', () => hone(['index', join(root, 'README.md')]), 2, /is a file/],
    ['an unknown encoder', () => hone(['index', root, '--encoder', 'nope']), 2, /at hand: .*hone-static-1/],
    ['no index and not allowed to build', () => query('x', '--no-build'), 3, /run: hone index/],
    ['the file system root', () => hone(['index', '/']), 2, /--yes/],
  ]
  it.each(cases)('%s is told apart and names the next step', (_, run, code, message) => {
    const result = run()
    expect(result.err).toMatch(message)
    expect(result.code).toBe(code)
    expect(result.out).toBe('')
  })

  it('a damaged index is said to be damaged, and index mends it', () => {
    hone(['index', root])
    const name = readFileSync(join(root, '.hone', 'current'), 'utf8').trim()
    writeFileSync(
      join(root, '.hone', name),
      'not a database, not at all, but long enough to be one '.repeat(100),
    )
    const broken = query('token')
    expect(broken.code).toBe(4)
    expect(broken.err).toMatch(/damaged.*hone index/)
    expect(hone(['index', root]).code).toBe(0)
    expect(query('sign a token').code).toBe(0)
  })

  it('an empty repository is an index without files, and a query finds nothing', () => {
    const empty = join(root, 'empty')
    mkdirSync(empty)
    expect(hone(['index', empty]).out).toMatch(/^0 files, 0 chunks, 0 skipped/)
    expect(hone(['query', 'x', '--repo', empty]).code).toBe(1)
    expect(existsSync(join(empty, '.hone'))).toBe(true)
  })
})

describe('facts stated twice', () => {
  it('version and defaults are those of package.json and docs/interface.md', () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(VERSION)
    const contract = read('docs/interface.md')
    expect(contract).toContain(`\`--limit N\` (${DEFAULTS.limit})`)
    expect(contract).toContain(`\`--max-cycles N\` (${DEFAULTS.maxCycles})`)
    expect(contract).toContain(`\`--min-relevance P\` (${DEFAULTS.minRelevance})`)
  })

  it('the test command of the README is the one CI runs', () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(read('README.md')).toContain('npm ci && npm test')
    expect(read('.ci/run')).toContain('npm ci && npm test')
  })
})
