/** What is made of a task before anything is searched: terms, bridges, patterns, and the places it points at. */
import { describe, expect, it } from 'vitest'
import { type Answer, type AnswerFile, type RetrieveOptions } from '../../src/index.js'
import { indexedSample } from '../helpers/indexed-sample.js'
import { SAMPLE } from '../spine/sample.js'

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `export function ${name}${i}(): number {\n  return ${i}\n}\n`).join(
    '\n',
  )

const FILES: Readonly<Record<string, string>> = {
  ...SAMPLE,
  'src/long.ts': lines('step', 60),
  'src/bills/rates.ts':
    '/** The rate of a day. */\nexport const rate = 3\nexport function rateOn(day: string): number {\n  return rate + day.length\n}\n',
  'src/bills/bill.ts':
    "import { rateOn } from './rates.js'\nexport class Bill {\n  total(): number {\n    return rateOn('x')\n  }\n}\n",
  'src/orders/order.ts': 'export class Order {\n  total(): number {\n    return 1\n  }\n}\n',
  'src/orders/check.ts':
    'export function check(order: { weight: number }): void {\n  if (order.weight > 30) throw new Error(`parcel of ${order.weight} is too heavy for us`)\n}\n',
  'jobs/nightly.py': 'def nightly():\n    run_all()\n\n\ndef run_all():\n    raise ValueError("no jobs")\n',
  'proto/order.proto': 'message Order { int32 weight = 1; }\n',
}

const sample = indexedSample(FILES)

const ask = (task: string, options: Omit<RetrieveOptions, 'task'> = {}): Promise<Answer> =>
  sample.index.retrieve({ task, minRelevance: 0, limit: 50, ...options })
const fileIn = ({ files }: Answer, path: string): AnswerFile | undefined =>
  files.find((file) => file.path === path)
const first = ({ files }: Answer): string | undefined => files[0]?.path
const relevanceOf = (answer: Answer, path: string): number => fileIn(answer, path)?.relevance ?? 0

describe('a stack trace in a task', () => {
  const trace = `The nightly job stops. Traceback:
Traceback (most recent call last):
  File "/opt/venv/lib/python3.11/site-packages/celery/app.py", line 30, in __call__
    return self.run()
  File "/srv/worker/jobs/nightly.py", line 2, in nightly
    run_all()
  File "/srv/worker/jobs/nightly.py", line 6, in run_all
    raise ValueError("no jobs")
ValueError: no jobs`

  it('leads to where it happened, although the path is of another machine', async () => {
    const answer = await ask(trace)
    expect(first(answer)).toBe('jobs/nightly.py')
    expect(fileIn(answer, 'jobs/nightly.py')?.reason).toContain('the stack trace begins here, line 6')
  })

  it('has its foreign frames left out of what is looked for', async () => {
    const keywords = (await ask(trace)).cycles[0]?.query.keywords ?? []
    for (const word of ['site', 'packages', 'celery', 'python3', 'srv', 'line'])
      expect(keywords).not.toContain(word)
    expect(keywords).toEqual(expect.arrayContaining(['nightly', 'run']))
  })

  it('makes the lines around a frame part of the ranges of its file, however little else is said there', async () => {
    const answer = await ask(
      'it breaks\n    at step41 (/srv/src/long.ts:166:3)\n    at main (/srv/src/table.ts:2:1)',
    )
    const long = fileIn(answer, 'src/long.ts')
    expect(long?.ranges.some(({ start, end }) => start <= 166 && 166 <= end)).toBe(true)
    expect(fileIn(answer, 'src/table.ts')?.reason).toContain('in the stack trace, line 2')
  })

  it('of other code only changes nothing', async () => {
    const foreign =
      '\n    at run (node:internal/process/task_queues:95:5)\n    at go (/x/node_modules/left/src/table.ts:1:1)'
    const [bare, traced] = [await ask('sign a token'), await ask(`sign a token${foreign}`)]
    expect(traced.files).toEqual(bare.files)
  })
})

describe('a place in a task', () => {
  it.each(['src/long.ts:100', 'src/long.ts#L100', 'src/long.ts, line 100', '`src/long.ts` line 100'])(
    '%s is a range of the file',
    async (place) => {
      const long = fileIn(await ask(`why is ${place} slow`), 'src/long.ts')
      expect(long?.ranges.some(({ start, end }) => start <= 100 && 100 <= end)).toBe(true)
    },
  )

  it('beyond the end of the file is no fault', async () => {
    expect(fileIn(await ask('why is src/table.ts:9999 slow'), 'src/table.ts')?.ranges).toHaveLength(1)
  })
})

describe('a member in a task', () => {
  it.each([
    ['Order.total', 'src/orders/order.ts'],
    ['Bill#total', 'src/bills/bill.ts'],
    ['Order::total', 'src/orders/order.ts'],
  ])('%s leads to the file where that class has it', async (task, path) => {
    expect(first(await ask(task))).toBe(path)
  })
})

describe('a message in a task', () => {
  it.each([
    '"parcel of 42 is too heavy for us" when I send a sofa',
    'Error: parcel of 31 is too heavy for us',
    'it says `parcel of 31.5 is too heavy for us`',
  ])('leads to the code that says it: %s', async (task) => {
    const answer = await ask(task)
    expect(first(answer)).toBe('src/orders/check.ts')
    expect(answer.files[0]?.reason).toContain('holds "parcel of')
  })

  it('that no code says points at nothing', async () => {
    for (const { reason } of (await ask('"the moon is made of green cheese"')).files)
      expect(reason).not.toContain('holds "')
  })
})

describe('a block of code in a task', () => {
  it('counts less than what is said around it', async () => {
    const code = 'const table = rows\nlog(table, rows)'
    const table = async (task: string): Promise<number> =>
      relevanceOf(await ask(`why is the token not signed\n${task}`), 'src/table.ts')
    expect(await table('```ts\n' + code + '\n```')).toBeLessThan(await table(code))
  })

  it('is what is asked about when nothing else is said', async () => {
    expect(first(await ask('```ts\nprintTable(rows)\n```'))).toBe('src/table.ts')
  })

  it('does not make a word of the name of its language', async () => {
    const { cycles } = await ask('```throttle\nconst x = 1\n```\nsign a token')
    expect(cycles[0]?.query.keywords).not.toContain('throttle')
  })
})

describe('the issue of a whole page', () => {
  it('is read for what it is about', async () => {
    const chatter =
      'I have been using this for years and like it a lot, thank you for all the work you put into it. '
    const issue = `Title: people have to sign in again\n\n${chatter.repeat(6)}\n\n## What happens\nAfter an hour the session of a signed-in user is gone, the token is not refreshed.\n\n## Environment\nNode 20, macOS.\n\n${chatter.repeat(6)}`
    expect(issue.split(/\s+/).length).toBeGreaterThan(250)
    const paths = (await ask(issue)).files.slice(0, 2).map(({ path }) => path)
    expect([...paths].sort()).toEqual(['src/session.ts', 'src/token.ts'])
  })
})

describe('patterns', () => {
  it.each([
    ['fix src/table.ts', ['src/table.ts']],
    ['what is in the orders folder', ['src/orders/**']],
    ['tidy src/bills/ up', ['src/bills/**']],
    ['all *.proto messages', ['**/*.proto']],
    ['the .py jobs', ['**/*.py']],
    ['explain lib/nothing.rb and the attic folder in *.zig', []],
    ['sign a token', []],
  ])('of "%s" are the globs of what the index holds of it', async (task, patterns) => {
    expect((await ask(task)).cycles[0]?.query.patterns).toEqual(patterns)
  })

  it('that are inferred limit nothing; those of the caller do, and come first', async () => {
    const free = await ask('sign a token in the orders folder')
    expect(free.files.some(({ path }) => path === 'src/token.ts')).toBe(true)
    const limited = await ask('sign a token in the orders folder', { include: ['src/bills'] })
    expect(limited.cycles[0]?.query.patterns).toEqual(['src/bills', 'src/orders/**'])
    for (const { path } of limited.files) expect(path).toMatch(/^src\/bills\//)
  })
})

describe('bridges', () => {
  const bridgesOf = async (task: string): Promise<Readonly<Record<string, readonly string[]>>> => {
    const bridged = (await ask(task)).cycles[0]?.bridged ?? []
    return Object.fromEntries(bridged.map(({ word, to }) => [word, to]))
  }

  it('of two words that belong together lead to what is near both, not to what is near one', async () => {
    const bridges = await bridgesOf('rate limiting for calls')
    expect(bridges['rate limiting']).toContain('throttle')
    expect(bridges['limiting']).toBeUndefined()
  })

  it('of two words make the one that is of something else count less', async () => {
    const rates = async (task: string): Promise<number> => relevanceOf(await ask(task), 'src/bills/rates.ts')
    expect(await rates('rate limiting for calls')).toBeLessThan(await rates('rate for calls'))
  })

  it('are not built for words that the index holds, that say what to do, or that hardly say anything', async () => {
    expect(await bridgesOf('add a fix that implements the token before using it across')).toEqual({})
  })

  it('reach only words that are among the nearest', async () => {
    expect(await bridgesOf('arduino exposition')).toEqual({})
  })
})
