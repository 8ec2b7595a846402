import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_CYCLES } from '../../src/config.js'
import { stopReason, type LoopFacts } from '../../src/retrieve/stop-reason.js'

const FACTS: LoopFacts = {
  cyclesDone: 1,
  maxCycles: 3,
  relevances: [0.9, 0.4],
  criticalGaps: 0,
  hasNewQuery: true,
  hasNewJudgements: false,
  isDeepOpen: false,
  isOutOfBudget: false,
  minRelevance: 0.2,
}

describe('the loop stops', () => {
  it.each([
    ['never before the first cycle', { cyclesDone: 0, relevances: [] }, undefined],
    ['not while there is something new to ask', {}, undefined],
    ['sufficient: three files at 0.7 and no critical gap', { relevances: [0.9, 0.8, 0.7] }, 'sufficient'],
    ['not with a critical gap', { relevances: [0.9, 0.8, 0.7], criticalGaps: 1 }, undefined],
    ['budget: out of time', { isOutOfBudget: true }, 'budget'],
    ['nothing-new: a match, and nothing new to ask', { hasNewQuery: false }, 'nothing-new'],
    ['no-match: nothing reaches the minimum', { hasNewQuery: false, relevances: [0.1] }, 'no-match'],
    ['no-match: no candidates at all', { hasNewQuery: false, relevances: [], minRelevance: 0 }, 'no-match'],
    ['budget: out of time before anything matched', { isOutOfBudget: true, relevances: [] }, 'budget'],
    [
      'not with new judgements, however good the answer',
      { relevances: [0.9, 0.8, 0.7], hasNewJudgements: true },
      undefined,
    ],
    [
      'not with new judgements although there is no other news',
      { hasNewQuery: false, hasNewJudgements: true },
      undefined,
    ],
    [
      'not while a deeper look is wanted, however good',
      { relevances: [0.9, 0.8, 0.7], isDeepOpen: true },
      undefined,
    ],
    ['budget: out of time for a deeper look', { isDeepOpen: true, isOutOfBudget: true }, 'budget'],
    ['budget: out of time, new judgements or not', { isOutOfBudget: true, hasNewJudgements: true }, 'budget'],
    [
      'max-cycles: all cycles used, new judgements or not',
      { cyclesDone: 3, hasNewJudgements: true },
      'max-cycles',
    ],
    ['sufficient although time is up', { relevances: [0.9, 0.8, 0.7], isOutOfBudget: true }, 'sufficient'],
    ['sufficient although all cycles are used', { relevances: [0.7, 0.7, 0.7], cyclesDone: 3 }, 'sufficient'],
    [
      'no-match: all cycles used, and no file reaches the minimum',
      { cyclesDone: 3, relevances: [0.1] },
      'no-match',
    ],
    ['max-cycles: all cycles used', { cyclesDone: 3 }, 'max-cycles'],
    ['max-cycles: none allowed', { cyclesDone: 0, maxCycles: 0, relevances: [] }, 'max-cycles'],
    ['max-cycles: as many as the caller allows', { cyclesDone: 1, maxCycles: 1 }, 'max-cycles'],
  ] as const)('%s', (_, change, expected) => {
    expect(stopReason({ ...FACTS, ...change })).toBe(expected)
  })

  it('after at most three cycles, whatever the facts', () => {
    const facts = fc.record({
      cyclesDone: fc.constant(MAX_CYCLES),
      maxCycles: fc.integer({ min: 1, max: 100 }),
      relevances: fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
      criticalGaps: fc.nat(5),
      hasNewQuery: fc.boolean(),
      hasNewJudgements: fc.boolean(),
      isDeepOpen: fc.boolean(),
      isOutOfBudget: fc.boolean(),
      minRelevance: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(fc.property(facts, (f) => stopReason(f) !== undefined))
  })
})
