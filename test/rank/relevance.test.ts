import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathFacts } from '../../src/rank/path-facts.js'
import { reasonOf, type ReasonFacts } from '../../src/rank/reasons.js'
import { rate, relevanceModel, signalValues, type RelevanceModel } from '../../src/rank/relevance.js'
import {
  comparedScores,
  neighbourhoodsOf,
  SIGNALS,
  SIGNALS_VERSION,
  type FileView,
  type QueryView,
} from '../../src/rank/signals.js'
import { Trees } from '../../src/rank/trees.js'
import { treesFile, type Node } from './trees-file.js'

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
    wholeFile: fc.double({ min: 0, max: 40, noNaN: true }),
    fileName: fc.double({ min: 0, max: 20, noNaN: true }),
    folder: fc.double({ min: 0, max: 20, noNaN: true }),
    titleCosine: unit,
    cosine: fc.record({ best: unit, second: unit, sum: fc.double({ min: 0, max: 2, noNaN: true }) }),
    coverage: unit,
    nameCoverage: unit,
    chunkCoverage: unit,
    rarest: fc.constantFrom(0 as const, 1 as const, 2 as const),
    matchedTerms: fc.nat(31),
    fileNameFit: unit,
    nameFit: unit,
    definedSymbols: names,
    isNamed: fc.boolean(),
    mention: fc.constantFrom('', 'named in the task'),
    mentionedLines: fc.constant([]),
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

const queryViews: fc.Arbitrary<QueryView> = fc
  .record({
    totalIdf: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 60, noNaN: true })),
    knownTerms: fc.nat(20),
    views: fc.array(fileViews, { maxLength: 6 }),
    hasPast: fc.boolean(),
    files: fc.nat(100_000),
    pastIdf: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 60, noNaN: true })),
  })
  .map(({ views, ...query }) => {
    const candidates = comparedScores(views)
    return { ...query, candidates, neighbourhoods: neighbourhoodsOf(views, candidates) }
  })

const numberOf = (name: string): number => SIGNALS.findIndex((signal) => signal.name === name)

/** A tree that asks for up to three signals. */
const trees: fc.Arbitrary<Node> = fc.letrec<{ node: Node; leaf: Node }>((tie) => ({
  leaf: fc.record({ value: fc.constantFrom(-1.5, -0.25, 0, 0.5, 2), rows: fc.integer({ min: 1, max: 90 }) }),
  node: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.record({
      signal: fc.nat(SIGNALS.length - 1),
      border: fc.constantFrom(0, 0.25, 0.5, 1, 7),
      left: tie('node'),
      right: tie('node'),
    }),
  ),
})).node

function modelOf(roots: readonly Node[], added: Readonly<Record<string, number>> = {}): RelevanceModel {
  const signals = SIGNALS.map(({ name }) => name)
  const bytes = treesFile({ signalsVersion: SIGNALS_VERSION, signals, added }, roots)
  return relevanceModel(new Trees(bytes, 'trees.bin'), 'trees.bin')
}

const models = fc
  .tuple(
    fc.array(trees, { minLength: 1, maxLength: 5 }),
    fc.dictionary(fc.constantFrom('file.test', 'pointed-at', 'coverage'), fc.constantFrom(-2, 0.5, 3)),
  )
  .map(([roots, added]) => ({ roots, added, model: modelOf(roots, added) }))

/** What the trees say, the slow way. */
function valueOf(node: Node, values: ArrayLike<number>): number {
  if ('value' in node) return node.value
  return valueOf(values[node.signal]! <= node.border ? node.left : node.right, values)
}

function logOddsOf(
  roots: readonly Node[],
  added: Readonly<Record<string, number>>,
  values: ArrayLike<number>,
): number {
  const beside = Object.entries(added).map(([name, weight]) => weight * values[numberOf(name)]!)
  return [...roots.map((root) => valueOf(root, values)), ...beside].reduce((sum, part) => sum + part, 0)
}

describe('the signals', () => {
  it('have names of their own', () => {
    const known = SIGNALS.map(({ name }) => name)
    expect(new Set(known).size).toBe(known.length)
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

  it('give the best of the candidates share 1 and rank 1, the second rank 1/2, and nothing to a score of 0', () => {
    const [base] = fc.sample(fileViews, { numRuns: 1, seed: 5 })
    const withName = (fileName: number): FileView => ({
      ...base!,
      path: 'src/a.ts',
      fileName,
      facts: pathFacts('src/a.ts'),
    })
    const files = [withName(2), withName(8), withName(0), withName(8)]
    const [query] = fc.sample(queryViews, { numRuns: 1, seed: 5 })
    const values = (file: FileView): readonly number[] => {
      const all = signalValues({ ...query!, candidates: comparedScores(files) }, file)
      return [all[numberOf('file-name.share')]!, all[numberOf('file-name.rank')]!]
    }
    expect(files.map(values)).toEqual([
      [0.25, Math.fround(1 / 3)],
      [1, 1],
      [0, 0],
      [1, 1],
    ])
  })

  it('compare with files of code: documents and data do not set the scale', () => {
    const [base] = fc.sample(fileViews, { numRuns: 1, seed: 5 })
    const at = (path: string, folder: number): FileView => ({
      ...base!,
      path,
      folder,
      facts: pathFacts(path),
    })
    expect([...comparedScores([at('a.ts', 2), at('README.md', 9), at('b.json', 9)]).folder]).toEqual([2])
    expect([...comparedScores([at('README.md', 9)]).folder]).toEqual([9])
  })
})

describe('a rating', () => {
  it('is the logistic function of what the trees say and what is added beside them', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, ({ roots, added, model }, query, file) => {
        const values = signalValues(query, file)
        const logit = logOddsOf(roots, added, values)
        const { relevance } = rate(model, query, [file])[0]!
        expect(relevance).toBeCloseTo(1 / (1 + Math.exp(-logit)), 3)
        expect(relevance).toBeGreaterThan(0)
        expect(relevance).toBeLessThan(1)
      }),
    )
  })

  it('has evidence that adds up to it, from what the trees say on average', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, ({ roots, added, model }, query, file) => {
        const values = signalValues(query, file)
        const logit = logOddsOf(roots, added, values)
        const { start } = model.trees.effects(values)
        const effects = rate(model, query, [file])[0]!.evidence()
        expect(effects.reduce((sum, { effect }) => sum + effect, start)).toBeCloseTo(logit, 2)
        for (const { signal, value } of effects) expect(value).toBeCloseTo(values[numberOf(signal)]!, 3)
      }),
    )
  })

  it('lists evidence by size of its effect, ties by name, each signal once, none without effect', () => {
    fc.assert(
      fc.property(models, queryViews, fileViews, ({ model }, query, file) => {
        const evidence = rate(model, query, [file])[0]!.evidence()
        const sorted = [...evidence].sort(
          (a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.signal < b.signal ? -1 : 1),
        )
        expect(evidence).toEqual(sorted)
        expect(new Set(evidence.map(({ signal }) => signal)).size).toBe(evidence.length)
        for (const { signal, effect } of evidence) expect(effect, signal).not.toBe(0)
      }),
    )
  })

  it('of many files is that of each', () => {
    fc.assert(
      fc.property(models, queryViews, fc.array(fileViews, { maxLength: 8 }), ({ model }, query, files) => {
        const together = rate(model, query, files)
        const alone = files.flatMap((file) => rate(model, query, [file]))
        const told = (ratings: typeof together): unknown =>
          ratings.map(({ relevance, evidence }) => [relevance, evidence()])
        expect(told(together)).toEqual(told(alone))
      }),
    )
  })

  it('needs trees of the same signals as this code computes', () => {
    const signals = SIGNALS.map(({ name }) => name)
    const leaf = { value: 0, rows: 1 }
    for (const head of [
      { signalsVersion: SIGNALS_VERSION + 1, signals, added: {} },
      { signalsVersion: SIGNALS_VERSION, signals: [...signals].reverse(), added: {} },
      { signalsVersion: SIGNALS_VERSION, signals: signals.slice(1), added: {} },
    ]) {
      const file = new Trees(treesFile(head, [leaf]), 'trees.bin')
      expect(() => relevanceModel(file, 'models/x')).toThrow(/models\/x was trained on version/)
    }
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
    .map(({ model: { model }, query, ...rest }) => ({
      ...rest,
      meanings: new Map(),
      evidence: rate(model, query, [rest.view])[0]!.evidence(),
    }))

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
    const none: ReasonFacts = {
      view,
      evidence: [],
      words: [],
      symbol: undefined,
      subject: '',
      bridges: [],
      ranges: 0,
      meanings: new Map(),
    }
    expect(reasonOf(none)).not.toBe('')
    expect(reasonOf({ ...none, evidence: [{ signal: 'file.test', value: 1, effect: -2 }] })).not.toBe('')
  })
})
