import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_SCORE } from '../../src/rank/aggregate.js'
import { NOT_TOGETHER } from '../../src/rank/changed-together.js'
import { feedbackReason } from '../../src/rank/feedback-reasons.js'
import {
  FEEDBACK_SIGNALS,
  feedbackScores,
  type FeedbackQuery,
  type FeedbackView,
} from '../../src/rank/feedback-signals.js'
import { feedbackValues } from '../../src/rank/feedback.js'
import { pathFacts } from '../../src/rank/path-facts.js'
import { NO_PLACE } from '../../src/rank/places.js'

const view = (change: Partial<FeedbackView> = {}): FeedbackView => ({
  path: 'src/a.ts',
  facts: pathFacts('src/a.ts'),
  relevance: 0.1,
  chunks: 3,
  commits: 2,
  body: 0,
  names: 0,
  cosine: 0,
  past: 0,
  coverage: 0,
  wordsShared: 0,
  together: NOT_TOGETHER,
  togetherRejected: NOT_TOGETHER,
  like: 0,
  likeOne: 0,
  likeRejected: 0,
  likeFocus: NO_SCORE,
  moved: NO_SCORE,
  told: NO_SCORE,
  toldFocus: NO_SCORE,
  usedByConfirmed: 0,
  usesConfirmed: 0,
  isMentioned: false,
  mentions: false,
  place: NO_PLACE,
  placeRejected: NO_PLACE,
  confirmedBeside: 0,
  rejectedBeside: 0,
  beside: 1,
  isTestPair: false,
  sameEnding: 0,
  grounds: {
    changedWith: undefined,
    likest: undefined,
    sameStem: undefined,
    beside: undefined,
    used: undefined,
    uses: undefined,
  },
  ...change,
})

const query = (files: readonly FeedbackView[]): FeedbackQuery => ({
  confirmed: 1,
  rejected: 4,
  confirmedRelevance: 0.5,
  rejectedRelevance: 0.2,
  files: 10,
  hasPast: true,
  knownTerms: 3,
  pastIdf: 0,
  candidates: feedbackScores(files),
})

const valueOf = (name: string, file: FeedbackView, files = [file]): number =>
  FEEDBACK_SIGNALS.find((signal) => signal.name === name)!.value(query(files), file)

describe('the signals of feedback', () => {
  it('have names of their own', () => {
    expect(new Set(FEEDBACK_SIGNALS.map(({ name }) => name)).size).toBe(FEEDBACK_SIGNALS.length)
  })

  it('are finite numbers for any file, also where nothing is confirmed and no file has anything', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const relevance = fc.double({ min: 0.0001, max: 0.9999, noNaN: true })
    fc.assert(
      fc.property(relevance, share, share, fc.nat(3), (odds, like, sum, confirmed) => {
        const file = view({ relevance: odds, like, together: { ...NOT_TOGETHER, sum } })
        const values = feedbackValues({ ...query([file]), confirmed }, file)
        expect(values.every((value) => Number.isFinite(value))).toBe(true)
      }),
    )
    expect(feedbackValues({ ...query([]), confirmed: 0, rejected: 0 }, view()).every(Number.isFinite)).toBe(
      true,
    )
  })

  it('compare a file with the best of those that were not judged', () => {
    const [little, much] = [0.2, 0.8].map((sum) => view({ together: { ...NOT_TOGETHER, sum } })) as [
      FeedbackView,
      FeedbackView,
    ]
    expect(valueOf('together.share', little, [little, much])).toBeCloseTo(0.25)
    expect(valueOf('together.rank', little, [little, much])).toBe(1 / 2)
    expect(valueOf('together.rank', much, [little, much])).toBe(1)
    expect(valueOf('together.rank', view(), [little, much])).toBe(0)
  })

  it('tell what is like a confirmed file from what is like a rejected one', () => {
    expect(valueOf('rejected.unlike', view({ likeOne: 0.9, likeRejected: 0.2 }))).toBeGreaterThan(0)
    expect(valueOf('rejected.unlike', view({ likeOne: 0.2, likeRejected: 0.9 }))).toBeLessThan(0)
  })
})

describe('the reason of a rating by feedback', () => {
  const evidence = (...signals: readonly string[]): { signal: string; value: number; effect: number }[] =>
    signals.map((signal) => ({ signal, value: 1, effect: 1 }))
  const { grounds } = view()
  const said = (own: string): Parameters<typeof feedbackReason>[2] => ({
    own,
    meanings: new Map([['mine', 'owned by my team']]),
  })

  it('names the confirmed file, strongest evidence first, and what the loop has to say last', () => {
    const file = view({
      together: { ...NOT_TOGETHER, commits: 5 },
      grounds: { ...grounds, changedWith: 'src/b.ts', likest: 'src/c.ts' },
    })
    expect(
      feedbackReason(file, evidence('moved.rank', 'together.share', 'together.raw'), said('about lease')),
    ).toBe('like src/c.ts, which you confirmed; changed together with src/b.ts 5 times; about lease')
  })

  it.each([
    ['references.used', { used: { name: 'Clock', path: 'b.ts' } }, {}, 'defines Clock, used by b.ts'],
    ['references.uses', { uses: { name: 'Lease', path: 'b.ts' } }, {}, 'uses Lease of b.ts'],
    ['references.rank', { uses: { name: 'Lease', path: 'b.ts' } }, {}, 'uses Lease of b.ts'],
    [
      'together.raw',
      { changedWith: 'b.ts' },
      { together: { ...NOT_TOGETHER, commits: 1 } },
      'changed together with b.ts once',
    ],
    ['place.stem', { sameStem: 'a.h' }, {}, 'named like a.h'],
    ['place.test', { sameStem: 'a.test.ts' }, { isTestPair: true }, 'tested by a.test.ts'],
    ['place.name', { sameStem: 'a.ts' }, { isTestPair: true, facts: pathFacts('test/a.ts') }, 'tests a.ts'],
    ['place.beside', { beside: 'src/b.ts' }, {}, 'beside src/b.ts'],
  ] as const)('says of %s what it means', (signal, ground, change, expected) => {
    const file = view({ grounds: { ...grounds, ...ground }, ...change })
    expect(feedbackReason(file, evidence(signal), said('own')).split('; ')[0]).toBe(expected)
  })

  it('says what a signal of the caller means, where its effect places it', () => {
    const file = view({ grounds: { ...grounds, likest: 'src/c.ts' } })
    expect(feedbackReason(file, evidence('mine', 'like.raw'), said('own'))).toBe(
      'owned by my team; like src/c.ts, which you confirmed; own',
    )
  })

  it('does not mention what speaks against the file, nor evidence that no confirmed file is behind', () => {
    const file = view({ grounds: { ...grounds, likest: 'src/c.ts' } })
    expect(feedbackReason(file, [{ signal: 'like.raw', value: 1, effect: -1 }], said('own'))).toBe('own')
    const unfounded = evidence('together.raw', 'references.used', 'place.stem')
    expect(feedbackReason(view(), unfounded, said('own'))).toBe('own')
  })
})
