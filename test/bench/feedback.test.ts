import { expect, it } from 'vitest'
import { feedbackScore } from '../../scripts/bench/feedback.js'

const shown = ['a', 'x1', 'x2', 'x3', 'x4']

it('only files that were not shown count, against the labels still to be found', () => {
  const score = feedbackScore(shown, ['y1', 'b', 'y2', 'y3', 'y4', 'y5', 'c'], ['a', 'b', 'c'])
  expect(score).toEqual({ recall5: 0.5, recall10: 1, mrr: 0.5 })
})

it('a task without a right file among the shown ones does not count', () => {
  expect(feedbackScore(['x'], ['b'], ['a', 'b'])).toBeUndefined()
})

it('a task with nothing left to find does not count', () => {
  expect(feedbackScore(['a', 'b'], ['c'], ['a', 'b'])).toBeUndefined()
})

it('finding nothing more is zero', () => {
  expect(feedbackScore(shown, [], ['a', 'b'])).toEqual({ recall5: 0, recall10: 0, mrr: 0 })
})
