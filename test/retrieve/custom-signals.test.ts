/** Signals of a caller's own, through the whole loop. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  openIndex,
  type Answer,
  type CustomSignal,
  type Judgement,
  type RetrieveOptions,
  type SignalFile,
} from '../../src/index.js'
import { shapeFaults } from '../helpers/answer-shape.js'
import { bytesOf } from '../helpers/answers.js'
import { relevanceOf } from '../helpers/answers.js'
import { indexedSample } from '../helpers/indexed-sample.js'
import { put, SAMPLE } from '../spine/sample.js'

const TASK = 'Session refresh for a user'

const sample = indexedSample({
  ...SAMPLE,
  'test/session.test.ts': "import { Session } from '../src/session.js'\n\nnew Session('user').refresh()\n",
  'src/far/away.ts': 'export const unrelated = 1\n',
  'src/far/near.ts': "import { unrelated } from './away.js'\n\nexport const twice = unrelated * 2\n",
})

const ask = (options: Omit<RetrieveOptions, 'task'> = {}): Promise<Answer> =>
  sample.index.retrieve({ task: TASK, minRelevance: 0, limit: 50, ...options })

/** A signal with the value 1 for every file unless told otherwise. */
const signal = (change: Partial<CustomSignal> = {}): CustomSignal => ({
  name: 'mine',
  effect: 1,
  value: () => 1,
  ...change,
})
const only = (path: string, change: Partial<CustomSignal> = {}): CustomSignal =>
  signal({ value: (file) => (file.path === path ? 1 : 0), ...change })

const logOdds = (p: number): number => Math.log(p / (1 - p))
const probability = (x: number): number => 1 / (1 + Math.exp(-x))
/** What is rounded to four decimals cannot be told more exactly than this after a shift of one. */
const isShifted = (before: number, after: number, by: number): boolean =>
  Math.abs(probability(logOdds(before) + by) - after) < 0.0003
/** Relevances that were not cut off at the ends. */
const isBetween = (relevance: number): boolean => relevance > 0.0001 && relevance < 0.9999

const JUDGED: readonly Judgement[] = [
  { path: 'src/far/near.ts', relevant: true },
  { path: 'README.md', relevant: false },
]

describe('a signal that says nothing', () => {
  const silent = fc
    .record({
      effect: fc.double({ noNaN: true, min: -50, max: 50 }),
      value: fc.double({ noNaN: true, min: -50, max: 50 }),
      isEffectNull: fc.boolean(),
    })
    .map(({ effect, value, isEffectNull }) =>
      signal(isEffectNull ? { effect: 0, value: () => value } : { effect, value: () => 0 }),
    )

  it('leaves every byte of the answer as it is, with judgements and without', async () => {
    const plain = bytesOf(await ask({ explain: true }))
    const judged = bytesOf(await ask({ explain: true, judgements: JUDGED }))
    await fc.assert(
      fc.asyncProperty(fc.array(silent, { minLength: 1, maxLength: 3 }), async (signals) => {
        const named = signals.map((one, n) => ({ ...one, name: `mine-${n}` }))
        expect(bytesOf(await ask({ explain: true, signals: named }))).toBe(plain)
        expect(bytesOf(await ask({ explain: true, signals: named, judgements: JUDGED }))).toBe(judged)
      }),
      { numRuns: 10 },
    )
  })

  it('leaves the answer of the deep step as it is', { timeout: 120_000 }, async () => {
    const deep = { deep: 'always', explain: true } as const
    expect(bytesOf(await ask({ ...deep, signals: [signal({ effect: 0 })] }))).toBe(bytesOf(await ask(deep)))
  })
})

describe('a signal that says something', () => {
  it.each([1, -1, 0.7])('adds %d to the log-odds of what the model says', async (effect) => {
    const before = await ask({ maxCycles: 1 })
    const after = await ask({ maxCycles: 1, signals: [signal({ effect })] })
    const between = before.files.filter(({ relevance }) => isBetween(relevance))
    expect(between.length).toBeGreaterThan(2)
    for (const { path, relevance } of between)
      expect(isShifted(relevance, relevanceOf(after, path), effect), path).toBe(true)
  })

  it('adds to what feedback says of files that were not judged, once', async () => {
    const judged = { maxCycles: 1, judgements: JUDGED }
    const before = await ask(judged)
    const after = await ask({ ...judged, signals: [signal()] })
    const unjudged = before.files.filter(({ relevance }) => isBetween(relevance))
    expect(unjudged.length).toBeGreaterThan(2)
    for (const { path, relevance } of unjudged)
      expect(isShifted(relevance, relevanceOf(after, path), 1), path).toBe(true)
  })

  it('adds to what the deep step says, once', { timeout: 120_000 }, async () => {
    const deep = { maxCycles: 1, deep: 'always' } as const
    const before = await ask(deep)
    const after = await ask({ ...deep, signals: [signal()] })
    expect(before.cycles[0]?.deep).toBeGreaterThan(0)
    const unsure = before.files.filter(({ relevance }) => isBetween(relevance) && relevance < 0.5)
    expect(unsure.length).toBeGreaterThan(1)
    for (const { path, relevance } of unsure)
      expect(isShifted(relevance, relevanceOf(after, path), 1), path).toBe(true)
  })

  it('orders files anew, and is shown as evidence and as a reason', async () => {
    const before = await ask()
    const last = before.files.at(-1)!.path
    const signals = [only(last, { effect: 20, meaning: 'owned by me; really' })]
    const { files } = await ask({ signals, explain: true })
    expect(files[0]).toMatchObject({ path: last, relevance: 0.9999, band: 'high' })
    expect(files[0]?.evidence?.[0]).toEqual({ signal: 'mine', value: 1, effect: 20 })
    expect(files[0]?.reason.split('; ')[0]).toBe('owned by me, really')
    expect(files.slice(1).some(({ evidence = [] }) => evidence.some(({ signal: s }) => s === 'mine'))).toBe(
      false,
    )
  })

  it('that speaks against a file lowers it and is evidence, but no reason to show it', async () => {
    const [{ path: best } = { path: '' }] = (await ask()).files
    const { files } = await ask({ signals: [only(best, { effect: -20 })], explain: true })
    const lowered = files.find(({ path }) => path === best)
    expect(lowered?.relevance).toBe(0.0001)
    expect(lowered?.evidence?.[0]).toEqual({ signal: 'mine', value: 1, effect: -20 })
    expect(lowered?.reason).not.toContain('mine')
  })

  it('counts for files of every cycle, also those that only a later one or a judgement brought in', async () => {
    const found = await ask({ signals: [signal({ effect: 0.01 })], explain: true })
    const judged = await ask({ signals: [signal({ effect: 0.01 })], explain: true, judgements: JUDGED })
    for (const { files } of [found, judged]) {
      for (const { path, evidence = [] } of files)
        expect(evidence, path).toContainEqual({ signal: 'mine', value: 1, effect: 0.01 })
    }
    expect(judged.files[0]?.path).toBe('src/far/near.ts')
    expect(judged.files.map(({ path }) => path)).toContain('src/far/away.ts')
  })

  it('leads the loop: a file it raises is added by the cycle that found it', async () => {
    const plain = await ask({ maxCycles: 2 })
    const raised = await ask({ maxCycles: 2, signals: [only('src/far/near.ts', { effect: 30 })] })
    expect(plain.files[0]?.path).not.toBe('src/far/near.ts')
    expect(raised.files[0]).toMatchObject({ path: 'src/far/near.ts', cycle: 1 })
    expect(plain.cycles[0]?.added).not.toContain('src/far/near.ts')
    expect(raised.cycles[0]?.added).toContain('src/far/near.ts')
  })

  it('does not touch what was judged: confirmed files stay certain, rejected ones stay out', async () => {
    const signals = [
      only('src/far/near.ts', { name: 'against', effect: -30 }),
      only('README.md', { name: 'for', effect: 30 }),
    ]
    const answer = await ask({ signals, judgements: JUDGED })
    expect(relevanceOf(answer, 'src/far/near.ts')).toBe(0.9999)
    expect(answer.files.map(({ path }) => path)).not.toContain('README.md')
  })

  it('keeps the shape of the answer and the order by relevance and path', async () => {
    const signals = [signal({ value: ({ path }) => path.length % 3, effect: 1.5 })]
    const answer = await ask({ signals, explain: true })
    expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
    expect(bytesOf(await ask({ signals, explain: true }))).toBe(bytesOf(answer))
  })
})

describe('what a signal is told', () => {
  it('is each file once, with its facts, its lines and the task', async () => {
    const told: SignalFile[] = []
    await ask({
      judgements: JUDGED,
      signals: [signal({ value: (file) => told.push(file) * 0, name: 'listening' })],
    })
    const paths = told.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    const test = told.find(({ path }) => path === 'test/session.test.ts')
    expect(test).toMatchObject({ task: TASK, isTest: true, isDocument: false, chunks: 1, commits: 0 })
    expect(test?.lines()?.[0]).toBe("import { Session } from '../src/session.js'")
  })
})

describe('signals of an index', () => {
  it('count for every question, beside those of one question, also after a refresh', async () => {
    const own = await openIndex({ root: sample.root, signals: [signal({ name: 'of-index' })] })
    put(sample.root, 'src/later.ts', 'export class SessionLater {}\n')
    expect(await own.refresh()).toBe(0)
    const { files } = await own.retrieve({
      task: TASK,
      minRelevance: 0,
      explain: true,
      signals: [signal({ name: 'of-question' })],
    })
    const later = files.find(({ path }) => path === 'src/later.ts')
    const names = later?.evidence?.map(({ signal: name }) => name)
    expect(names).toEqual(expect.arrayContaining(['of-index', 'of-question']))
    own.close()
  })

  it('are part of an explanation, with what they mean', async () => {
    const path = 'src/session.ts'
    const options = { path, task: TASK, signals: [signal({ meaning: 'owned by me' })] }
    const { rating } = await sample.index.explain(options)
    expect(rating?.evidence).toContainEqual({ signal: 'mine', meaning: 'owned by me', value: 1, effect: 1 })
    const { rating: outside } = await sample.index.explain({ ...options, path: 'src/far/away.ts' })
    expect(outside?.evidence).toContainEqual(expect.objectContaining({ signal: 'mine' }))
  })
})

describe('a bad signal', () => {
  const bad: readonly (readonly [what: string, value: () => unknown, said: RegExp])[] = [
    ['NaN', () => NaN, /NaN/],
    ['Infinity', () => Infinity, /Infinity/],
    ['-Infinity', () => -Infinity, /-Infinity/],
    ['nothing', () => undefined, /type undefined/],
    ['a text', () => '1', /type string/],
    ['a promise', () => Promise.resolve(1), /type object/],
    [
      'an error',
      () => {
        throw new Error('no owner known')
      },
      /no owner known/,
    ],
    ['more than a number can hold', () => Number.MAX_VALUE, /too much/],
  ]

  it.each(bad)('that gives %s is an error that names the signal and the file', async (_, value, said) => {
    const wrong = signal({
      name: 'owner',
      effect: 2,
      value: ({ path }) => (path === 'src/session.ts' ? (value() as number) : 0),
    })
    const asked = ask({ signals: [signal({ value: () => 0 }), wrong] })
    await expect(asked).rejects.toMatchObject({
      name: 'HoneError',
      code: 'SIGNAL_INVALID',
      message: expect.stringMatching(/"owner".*src\/session\.ts/) as string,
    })
    await expect(ask({ signals: [wrong] })).rejects.toThrow(said)
    await expect(ask()).resolves.toMatchObject({ schema: 1 })
  })

  it.each<readonly [what: string, signals: readonly CustomSignal[], said: RegExp]>([
    ['without a name', [signal({ name: ' ' })], /name/],
    ['with a name of two lines', [signal({ name: 'a\nb' })], /one line/],
    ['with a meaning that holds control characters', [signal({ meaning: '\u001b[2J' })], /meaning/],
    ["with a name of one of hone's own", [signal({ name: 'body.raw' })], /another/],
    ['whose effect is no number', [signal({ effect: NaN })], /effect/],
    ['whose value is no function', [signal({ value: 1 as unknown as () => number })], /function/],
    ['of a name given twice', [signal(), signal()], /two signals/],
  ])('%s is refused where it is given', async (_, signals, said) => {
    const refused = { code: 'SIGNAL_INVALID', message: expect.stringMatching(said) as string }
    await expect(openIndex({ root: sample.root, signals })).rejects.toMatchObject(refused)
    await expect(ask({ signals })).rejects.toMatchObject(refused)
    expect(() => sample.index.start({ task: TASK, signals })).toThrow(said)
  })

  it('of the index and of a question by one name are refused', async () => {
    const own = await openIndex({ root: sample.root, signals: [signal()] })
    await expect(own.retrieve({ task: TASK, signals: [signal()] })).rejects.toMatchObject({
      code: 'SIGNAL_INVALID',
    })
    own.close()
  })
})
