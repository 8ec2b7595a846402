/** The loop on small real repositories, through the library. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  buildIndex,
  nothingFound,
  openIndex,
  tokensOf,
  type Answer,
  type RetrieveOptions,
} from '../../src/index.js'
import { shapeFaults } from '../helpers/answer-shape.js'
import { bytesOf, pathsOf } from '../helpers/answers.js'
import { indexedSample } from '../helpers/indexed-sample.js'
import { makeSample, put, SAMPLE } from '../spine/sample.js'

const FILES: Readonly<Record<string, string>> = {
  ...SAMPLE,
  'src/api/router.ts': `import { throttle } from '../throttle.js'

/** Sends a request to its handler. */
export class Router {
  handle(path: string): void {
    throttle(() => this.dispatch(path), 10)()
  }

  dispatch(path: string): void {
    void path
  }
}
`,
  'src/legacy/session-cookie.ts': 'export const cookieName = "sid"\n',
  'src/i18n/zh.ts': "// 令牌过期\nexport const messages = { expired: '令牌已过期' }\n",
  'test/token.test.ts':
    "import { signToken } from '../src/token.js'\n\nit('signs a token', () => signToken('a'))\n",
  'docs/tokens.md': '# Tokens\n\nA token is signed. The token expires. Token, token, token.\n',
  'names/$weird-name (1).ts': 'export const weird = 1\n',
}

const sample = indexedSample(FILES)

const ask = (task: string, options: Omit<RetrieveOptions, 'task'> = {}): Promise<Answer> =>
  sample.index.retrieve({ task, minRelevance: 0, limit: 50, ...options })

const AWKWARD = [
  '- . " ? * ( NEAR',
  'a AND b OR NOT c NEAR/3 d',
  '"unclosed',
  'col:value ^x {a b}',
  "'; drop table files; --",
  '%_\\',
  '令牌过期',
  '🔥🔥',
  'where is this',
  'x',
  '\u0000\u0001 token',
  '\ud800 token',
  'constructor __proto__ toString hasOwnProperty',
  'word '.repeat(10_000),
  Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(' '),
  'token\nexpiry\r\nsecond line\tand tab',
]

describe('any text is a task', () => {
  it.each(AWKWARD.map((task) => [task.slice(0, 30), task]))('%j', async (_, task) => {
    const answer = await ask(task, { explain: true })
    expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
    expect(answer.task).toBe(task)
    expect(bytesOf(await ask(task, { explain: true }))).toBe(bytesOf(answer))
  })

  it.each(['', ' ', '\n\t'])('but an empty one (%j) is an error', async (task) => {
    await expect(ask(task)).rejects.toMatchObject({ code: 'TASK_EMPTY' })
  })

  it('a very long one says that only its beginning was used', async () => {
    const { notes } = await ask('token '.repeat(10_000))
    expect(notes.map(({ code }) => code)).toContain('TASK_SHORTENED')
  })

  it('one of words that nothing here is near says so, and finds nothing', async () => {
    const answer = await ask('🔥 ???', { minRelevance: 0.2 })
    expect(answer).toMatchObject({ stop: 'no-match', files: [] })
    expect(answer.notes.map(({ code }) => code)).toContain('NO_KNOWN_WORDS')
  })

  it('Chinese finds Chinese', async () => {
    expect(pathsOf(await ask('令牌过期'))[0]).toBe('src/i18n/zh.ts')
  })

  it('stop words find the files that hold them when the task has nothing else', async () => {
    const { cycles } = await ask('at most one')
    expect(cycles[0]?.query.keywords.length).toBeGreaterThan(0)
  })
})

describe('a name in a task', () => {
  it.each([
    ['signToken', 'src/token.ts'],
    ['what does `Session` do', 'src/session.ts'],
    ['Router.dispatch()', 'src/api/router.ts'],
    ['explain src/table.ts', 'src/table.ts'],
    ['explain table.ts.', 'src/table.ts'],
    ['print_table', 'src/table.ts'],
  ])('%s leads to the file that defines it', async (task, path) => {
    expect(pathsOf(await ask(task))[0]).toBe(path)
  })

  it('is not drowned by documentation and tests that repeat it', async () => {
    const [first] = pathsOf(await ask('token'))
    expect(first).toBe('src/token.ts')
  })
})

describe('filters', () => {
  it('apply before ranking: the best of what they leave is found however low it ranks', async () => {
    expect(pathsOf(await ask('token', { include: ['names'], limit: 1 }))).toEqual([
      'names/$weird-name (1).ts',
    ])
  })

  it('that match nothing return nothing, not everything', async () => {
    for (const filter of [
      { include: ['nowhere/**'] },
      { exclude: ['**'] },
      { include: ['src'], exclude: ['src'] },
    ]) {
      const answer = await ask('token', filter)
      expect(answer).toMatchObject({ stop: 'no-match', files: [] })
    }
  })

  it('hold in every cycle: what a found file points at is not brought in past them', async () => {
    const answer = await ask('Session refresh', { exclude: ['src/token.ts'] })
    expect(pathsOf(answer)).not.toContain('src/token.ts')
    for (const { added } of answer.cycles) expect(added).not.toContain('src/token.ts')
  })

  it('are shown in the query of every cycle', async () => {
    const { cycles } = await ask('token', { include: ['src'], exclude: ['*.md'] })
    for (const { query } of cycles) {
      expect(query.patterns).toEqual(['src'])
      expect(query.excludes).toContain('*.md')
    }
  })

  it('of files rated too low are the nearest to the bound, and a number for the rest', async () => {
    const { root, remove } = makeSample({ ...SAMPLE, ...manyFiles(60) })
    await buildIndex({ root, jobs: 0 })
    const large = await openIndex({ root })
    const judgements = [{ path: 'src/many/token9.ts', relevant: false }]
    const { cycles } = await large.retrieve({ task: 'token', exclude: ['*.md'], judgements, deep: 'always' })
    const first = await large.retrieve({
      task: 'token',
      exclude: ['*.md'],
      judgements,
      maxCycles: 1,
      minRelevance: 0,
      limit: 100,
    })
    large.close()
    remove()
    const unlikely = first.files.filter(({ relevance }) => relevance < 0.2).map(({ path }) => path)
    expect(cycles[0]?.query).toMatchObject({ excludes: ['*.md', 'src/many/token9.ts'], moreExcludes: 0 })
    expect(unlikely.length).toBeGreaterThan(20)
    expect(cycles[1]?.query).toMatchObject({
      excludes: ['*.md', 'src/many/token9.ts', ...unlikely.slice(0, 20)],
      moreExcludes: unlikely.length - 20,
    })
  })

  it('that are no globs are told', async () => {
    await expect(ask('token', { include: ['[a'] })).rejects.toMatchObject({ code: 'GLOB_INVALID' })
    await expect(ask('token', { exclude: [''] })).rejects.toMatchObject({ code: 'GLOB_INVALID' })
  })
})

describe('words the code does not use', () => {
  const expectBridge = async (task: string): Promise<void> => {
    const answer = await ask(task)
    const bridges = answer.cycles[0]?.bridged ?? []
    expect(bridges.flatMap(({ to }) => to)).toContain('throttle')
    for (const { similarity } of bridges) expect(similarity).toBeGreaterThan(0)
    const throttle = answer.files.find(({ path }) => path === 'src/throttle.ts')
    expect(throttle?.reason).toMatch(/is closest to \w+ here/)
    expect(pathsOf(answer).indexOf('src/throttle.ts')).toBeLessThan(3)
  }

  it.each(['slowdown', 'debounce the calls'])(
    'are bridged: "%s" finds throttle, and the answer says how',
    expectBridge,
  )

  it('are bridged in pairs: "rate limiting" finds throttle', () =>
    expectBridge('add rate limiting to the API'))

  it('and that nothing is near to are gaps', async () => {
    const { gaps } = await ask('sign the token of qzxvkjw')
    expect(gaps).toContainEqual({ kind: 'word', name: 'qzxvkjw', critical: false })
  })
})

describe('limits', () => {
  it('of files and relevance hold, and take the best', async () => {
    const all = await ask('token')
    for (const limit of [1, 2, 3])
      expect(pathsOf(await ask('token', { limit }))).toEqual(pathsOf(all).slice(0, limit))
    const least = all.files[1]?.relevance ?? 0
    const some = await ask('token', { minRelevance: least })
    expect(some.files.every(({ relevance }) => relevance >= least)).toBe(true)
    expect(some.files.length).toBeGreaterThanOrEqual(2)
  })

  it('that leave nothing name the files that come nearest, best first, with their best lines', async () => {
    const [best, second] = (await ask('token', { minRelevance: 0 })).files
    const answer = await ask('token', { minRelevance: 1 })
    expect(answer).toMatchObject({ stop: 'no-match', files: [] })
    const message = answer.notes.find(({ code }) => code === 'BELOW_MINIMUM')?.message ?? ''
    expect(message).toMatch(/^nothing reaches 1; the nearest: src\/token\.ts:\d+-\d+ \(0\.\d\d\), /)
    expect(best?.path).toBe('src/token.ts')
    expect(message.split(', ')[1]).toContain(second?.path)
    expect(nothingFound(answer)).toBe('Nothing likely enough found.')
  })

  it.each([
    ['limit', [0, -1, 1.5, NaN, Infinity]],
    ['maxCycles', [0, -1, 1.5, 4, NaN]],
    ['timeoutMs', [0, -1, NaN]],
    ['budgetTokens', [0, -1, 0.5, NaN]],
    ['minRelevance', [-0.1, 1.1, NaN]],
  ] as const)('%s that cannot be meant are errors that name it', async (name, values) => {
    for (const value of values) {
      const asked = ask('token', { [name]: value })
      await expect(asked, String(value)).rejects.toMatchObject({ code: 'USAGE' })
      await expect(asked).rejects.toThrow(name)
    }
  })

  it('of cycles hold', async () => {
    for (const maxCycles of [1, 2, 3])
      expect((await ask('Session refresh for a user', { maxCycles })).cycles.length).toBeLessThanOrEqual(
        maxCycles,
      )
  })

  it('of time say so: no cycle starts after it, and the reason is the budget', async () => {
    const unlimited = await ask('Session refresh for a user')
    expect(unlimited.cycles.length).toBeGreaterThan(1)
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
    try {
      const { stop, cycles } = await ask('Session refresh for a user', { timeoutMs: 1 })
      expect({ stop, cycles: cycles.length }).toEqual({ stop: 'budget', cycles: 1 })
    } finally {
      clock.mockRestore()
    }
  })

  it('of the caller: stopped before it starts is ABORTED', async () => {
    await expect(ask('token', { signal: AbortSignal.abort(new Error('mine')) })).rejects.toMatchObject({
      name: 'HoneError',
      code: 'ABORTED',
    })
  })
})

describe('a session', () => {
  it('one cycle at a time ends where the whole loop ends', async () => {
    const whole = await ask('Session refresh for a user')
    const session = sample.index.start({ task: 'Session refresh for a user', minRelevance: 0, limit: 50 })
    let last: Answer | undefined
    while (session.stop === undefined) last = await session.next()
    expect(last === undefined ? '' : bytesOf(last)).toBe(bytesOf(whole))
  })

  it('does not touch another, nor does an answer that was given change', async () => {
    const [one, two] = ['Session refresh for a user', 'throttle calls'].map((task) =>
      sample.index.start({ task, minRelevance: 0, limit: 50 }),
    )
    const first = await one?.next()
    const copy = JSON.stringify(first)
    await two?.next()
    await one?.next()
    await two?.next()
    expect(JSON.stringify(first)).toBe(copy)
    expect(pathsOf(two?.answer() ?? (await ask('x')))).toEqual(
      pathsOf(await ask('throttle calls', { maxCycles: 2 })),
    )
  })
})

describe('missing context', () => {
  it('is a symbol a found file uses and the answer lacks, with the file that defines it', async () => {
    const { files } = await ask('Session refresh', { exclude: ['src/token.ts'] })
    const session = files.find(({ path }) => path === 'src/session.ts')
    expect(session?.missingContext).toContainEqual(
      expect.objectContaining({ kind: 'symbol', name: 'signToken', definedIn: 'src/token.ts' }),
    )
  })

  it('never names a file as missing that is part of the answer', async () => {
    for (const task of ['Session refresh', 'Router handle throttle', 'token']) {
      const { files } = await ask(task)
      const sure = new Set(files.filter(({ relevance }) => relevance >= 0.5).map(({ path }) => path))
      for (const { missingContext } of files)
        for (const { definedIn } of missingContext) expect(sure.has(definedIn ?? ''), task).toBe(false)
    }
  })
})

describe('ties', () => {
  it('end on path', async () => {
    const same = makeSample({})
    for (const name of ['b', 'c', 'a', 'Z', 'é', '10', '9'])
      put(same.root, `${name}/x.ts`, 'export const twin = 1\n')
    await buildIndex({ root: same.root, jobs: 0 })
    const twins = await openIndex({ root: same.root })
    const { files } = await twins.retrieve({ task: 'twin', minRelevance: 0 })
    for (const [i, file] of files.entries()) {
      const next = files[i + 1]
      if (next?.relevance === file.relevance) expect(file.path < next.path).toBe(true)
    }
    twins.close()
    same.remove()
  })
})

describe('a budget of tokens', () => {
  const budgets = [120, 200, 300, 400, 600, 1000, 2000, 4000]

  it('is kept exactly by what is emitted, files in order, best ranges first, whole lines', async () => {
    const whole = await ask('sign the token of a session', { withText: true })
    for (const budgetTokens of budgets) {
      let answer: Answer
      try {
        answer = await ask('sign the token of a session', { budgetTokens })
      } catch (error) {
        expect(error).toMatchObject({ code: 'USAGE' })
        expect(String(error)).toMatch(/the least that says anything takes \d+/)
        continue
      }
      expect(tokensOf(JSON.stringify(answer))).toBeLessThanOrEqual(budgetTokens)
      expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
      expect(pathsOf(answer)).toEqual(pathsOf(whole).slice(0, answer.files.length))
      for (const [f, file] of answer.files.entries()) {
        for (const { start, end, text } of file.ranges) {
          const of = whole.files[f]?.ranges.find((one) => one.start <= start && end <= one.end)
          const lines = of?.text?.split('\n').slice(start - of.start, end - of.start + 1)
          if (text !== undefined) expect(text).toBe(lines?.join('\n'))
        }
      }
      const isWhole = bytesOf(answer) === bytesOf(whole)
      expect(answer.notes.some(({ code }) => code === 'LEFT_OUT')).toBe(!isWhole)
    }
  })

  it('gives the same bytes twice however long it took', async () => {
    for (const budgetTokens of [400, 700, 1500]) {
      const [one, two] = [await ask('token', { budgetTokens }), await ask('token', { budgetTokens })]
      expect(bytesOf(one)).toBe(bytesOf(two))
    }
  })

  it('that is ample changes nothing but that ranges carry their text', async () => {
    const ample = await ask('token', { budgetTokens: 1_000_000 })
    expect(bytesOf(ample)).toBe(bytesOf(await ask('token', { withText: true })))
    expect(ample.files[0]?.ranges[0]?.text).toContain('signToken')
  })

  it('too small for one file says how much is needed, and that much is enough', async () => {
    const error: unknown = await ask('token', { budgetTokens: 1 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'USAGE' })
    const least = Number(/takes (\d+)/.exec(String(error))?.[1])
    expect((await ask('token', { budgetTokens: least })).files).toHaveLength(1)
  })

  it('counts bytes, not characters', () => {
    expect([tokensOf(''), tokensOf('abcd'), tokensOf('abcde'), tokensOf('令牌')]).toEqual([0, 1, 2, 2])
  })
})

describe('an index that is updated while a task is being answered', () => {
  it('does not break the session: it goes on, or starts over', async () => {
    const { root: own, remove: removeOwn } = makeSample()
    await buildIndex({ root: own, jobs: 0 })
    const opened = await openIndex({ root: own })
    const session = opened.start({ task: 'Session refresh of a user token', minRelevance: 0 })
    await session.next()
    rmSync(join(own, 'src/token.ts'))
    put(own, 'src/session.ts', 'export class Session {}\n')
    put(own, 'src/more.ts', 'export const more = 1\n')
    await opened.refresh()
    const fresh = await opened.retrieve({ task: 'Session refresh of a user token', minRelevance: 0 })
    expect(pathsOf(fresh)).not.toContain('src/token.ts')
    const answer = await session.next()
    expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
    opened.close()
    removeOwn()
  })

  it('answers many tasks at once, each from one state', async () => {
    const { root: own, remove: removeOwn } = makeSample()
    await buildIndex({ root: own, jobs: 0 })
    const opened = await openIndex({ root: own })
    for (let round = 0; round < 5; round++) {
      put(own, 'src/token.ts', `export function signToken${round}() {}\n`)
      if (round % 2 === 1) rmSync(join(own, 'src/table.ts'), { force: true })
      else put(own, 'src/table.ts', `export function printTable${round}() {}\n`)
      const answers = await Promise.all([
        opened.retrieve({ task: 'Session refresh of a token', minRelevance: 0 }),
        opened.refresh(),
        opened.retrieve({ task: 'print the table', minRelevance: 0 }),
        opened.refresh(),
        opened.retrieve({ task: 'signToken', minRelevance: 0 }),
      ])
      expect(answers).toHaveLength(5)
    }
    opened.close()
    removeOwn()
  })
})

describe('files that changed since they were indexed', () => {
  it('are read as they are now; one that is gone has ranges without text', async () => {
    const { root: own, remove: removeOwn } = makeSample()
    await buildIndex({ root: own, jobs: 0 })
    const opened = await openIndex({ root: own })
    rmSync(join(own, 'src/token.ts'))
    const { files } = await opened.retrieve({ task: 'sign a token', minRelevance: 0, withText: true })
    const token = files.find(({ path }) => path === 'src/token.ts')
    expect(token?.ranges.length).toBeGreaterThan(0)
    for (const range of token?.ranges ?? []) expect(range.text).toBeUndefined()
    opened.close()
    removeOwn()
  })
})

function manyFiles(n: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: n }, (_, i) => `token${i}`)
  return Object.fromEntries(
    names.map((name) => [`src/many/${name}.ts`, `export const ${name} = 'a token'\n`]),
  )
}

describe('a large limit', () => {
  it('gives every file its best lines, also those past the twentieth', async () => {
    const { root, remove } = makeSample({ ...SAMPLE, ...manyFiles(60) })
    await buildIndex({ root, jobs: 0 })
    const large = await openIndex({ root })
    const { files } = await large.retrieve({ task: 'token', minRelevance: 0, limit: 100 })
    const { files: few } = await large.retrieve({ task: 'token', minRelevance: 0, limit: 5 })
    large.close()
    remove()
    expect(files.length).toBeGreaterThan(30)
    expect(files.filter(({ ranges }) => ranges.length === 0)).toEqual([])
    expect(files.slice(0, 5)).toEqual(few)
  })
})
