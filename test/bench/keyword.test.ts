import { expect, it } from 'vitest'
import { queryTerms } from '../../scripts/bench/rankings/keyword.js'

it('a name is looked for by its parts and joined', () => {
  expect(queryTerms('RateLimiter reset')).toEqual(['rate', 'limit', 'reset', 'ratelimit'])
})

it('stop words and repetitions do not count', () => {
  expect(queryTerms('where is the token of the tokens')).toEqual(['token'])
})
