import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathFacts } from '../../src/rank/path-facts.js'
import { reasonOf, type ReasonFacts } from '../../src/rank/reasons.js'
import { HAND_SET, rate, type RelevanceModel } from '../../src/rank/relevance.js'
import { SIGNALS, type FileView, type QueryView } from '../../src/rank/signals.js'

const score = fc
  .tuple(fc.double({ min: 0, max: 40, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([best, share]) => ({ best, second: best * share, sum: best * (1 + share / 2) }))
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const names = fc.array(fc.constantFrom('login', 'Session.refresh', 'x'), { maxLength: 5 })
const paths = fc.constantFrom(
  'src/a.ts',
  'test/a.test.ts',
  'README.md',
  'dist/a.min.js',
  'index.ts',
  'x.json',
)

const fileViews: fc.Arbitrary<FileView> = fc
  .record({
    path: paths,
    body: score,
    names: score,
    comment: score,
    fileName: fc.double({ min: 0, max: 20, noNaN: true }),
    folder: fc.double({ min: 0, max: 20, noNaN: true }),
    cosine: fc.record({ best: unit, second: unit, sum: fc.double({ min: 0, max: 2, noNaN: true }) }),
    coverage: unit,
    nameCoverage: unit,
    chunkCoverage: unit,
    definedSymbols: names,
    isNamed: fc.boolean(),
    pointedAtBy: names,
    chunks: fc.nat(500),
    past: fc.record({
      sum: fc.double({ min: 0, max: 20, noNaN: true }),
      best: fc.double({ min: 0, max: 20, noNaN: true }),
      commit: fc.integer({ min: -1, max: 9 }),
    }),
    commits: fc.nat(500),
  })
  .map((view) => ({ ...view, facts: pathFacts(view.path) }))

const queryViews: fc.Arbitrary<QueryView> = fc.record({
  totalIdf: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 60, noNaN: true })),
  knownTerms: fc.nat(20),
  best: fc.record({
    body: fc.constantFrom(0, 40, 80),
    names: fc.constantFrom(0, 40, 80),
    comment: fc.constantFrom(0, 40, 80),
    fileName: fc.constantFrom(0, 20),
    folder: fc.constantFrom(0, 20),
    cosine: unit,
    cosineSum: fc.constantFrom(0, 2),
    pastSum: fc.constantFrom(0, 20),
    pastBest: fc.constantFrom(0, 20),
  }),
  hasPast: fc.boolean(),
  pastIdf: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 60, noNaN: true })),
})

const models: fc.Arbitrary<RelevanceModel> = fc.oneof(
  fc.constant(HAND_SET),
  fc.record({
    bias: fc.integer({ min: -8, max: 2 }),
    weights: fc.dictionary(
      fc.constantFrom(...SIGNALS.map(({ name }) => name)),
      fc.constantFrom(-2, 0, 0.5, 1, 3),
    ),
  }),
)

describe('the signals', () => {
  it('have names of their own, and every weight of the model is of one of them', () => {
    const known = SIGNALS.map(({ name }) => name)
    expect(new Set(known).size).toBe(known.length)
    expect(known).toEqual(expect.arrayContaining(Object.keys(HAND_SET.weights)))
  })

  it('are finite numbers from 0 up for any file and query, also where the best candidate has nothing', () => {
    fc.assert(
      fc.property(queryViews, fileViews, (query, file) => {
        for (const { name, value } of SIGNALS) {
          expect(Number.isFinite(value(query, file)), name).toBe(true)
          expect(value(query, file), name).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

describe('a rating', () => {
  it('is the logistic function of the bias and the evidence, which leaves nothing out', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, (model, query, file) => {
        const { relevance, evidence } = rate(model, query, file)
        const logit = evidence.reduce((sum, { effect }) => sum + effect, model.bias)
        expect(relevance).toBeCloseTo(1 / (1 + Math.exp(-logit)), 3)
        expect(relevance).toBeGreaterThanOrEqual(0)
        expect(relevance).toBeLessThanOrEqual(1)
        for (const { signal, value, effect } of evidence)
          expect(effect, signal).toBeCloseTo(value * (model.weights[signal] ?? NaN), 2)
      }),
    )
  })

  it('lists evidence by size of its effect, ties by name, each signal once, none without effect', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, (model, query, file) => {
        const { evidence } = rate(model, query, file)
        const sorted = [...evidence].sort(
          (a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.signal < b.signal ? -1 : 1),
        )
        expect(evidence).toEqual(sorted)
        expect(new Set(evidence.map(({ signal }) => signal)).size).toBe(evidence.length)
        for (const { signal } of evidence) {
          expect(model.weights[signal], signal).toBeTruthy()
        }
      }),
    )
  })

  it('takes a weight of 0 as 0, and a signal without a weight as not there', () => {
    const file = fc.sample(fileViews, { numRuns: 1, seed: 1 })[0]!
    const query = fc.sample(queryViews, { numRuns: 1, seed: 1 })[0]!
    expect(rate({ bias: 0, weights: {} }, query, file)).toEqual({ relevance: 0.5, evidence: [] })
    expect(rate({ bias: 0, weights: { coverage: 0 } }, query, file).evidence).toEqual([])
  })

  it('is the same for the same file and query', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, (model, query, file) => {
        expect(rate(model, query, file)).toEqual(rate(model, query, file))
      }),
      { numRuns: 20 },
    )
  })
})

describe('the reason of a rating', () => {
  const facts: fc.Arbitrary<ReasonFacts> = fc
    .record({
      model: models,
      query: queryViews,
      view: fileViews,
      words: fc.array(fc.constantFrom('token', 'expiry', 'refresh', 'rate', 'limit'), { maxLength: 6 }),
      symbol: fc.option(fc.constant('Session.refresh'), { nil: undefined }),
      subject: fc.constantFrom('', 'Add a limit; drop the other', 'x'.repeat(200)),
      bridges: fc.array(fc.constant({ word: 'throttle', to: 'limit' }), { maxLength: 2 }),
      ranges: fc.nat(4),
    })
    .map(({ model, query, ...rest }) => ({ ...rest, evidence: rate(model, query, rest.view).evidence }))

  it('is never empty: one line of up to three different phrases', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const reason = reasonOf(given)
        const phrases = reason.split('; ')
        expect(reason).not.toBe('')
        expect(reason).not.toMatch(/\n|undefined|(about|best match|defines) *($|;)/)
        expect(phrases.length).toBeLessThanOrEqual(3)
        expect(new Set(phrases).size).toBe(phrases.length)
      }),
    )
  })

  it('is there even when nothing speaks for a file', () => {
    const view = fc.sample(fileViews, { numRuns: 1, seed: 3 })[0]!
    const none = { view, evidence: [], words: [], symbol: undefined, subject: '', bridges: [], ranges: 0 }
    expect(reasonOf(none)).not.toBe('')
    expect(reasonOf({ ...none, evidence: [{ signal: 'file.test', value: 1, effect: -2 }] })).not.toBe('')
  })
})
