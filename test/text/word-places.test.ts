import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordPlaces } from '../../src/text/word-places.js'
import { identifierPlaces, identifiersIn, partPlaces, partsOf } from '../../src/text/words.js'

const found = (text: string, ...words: readonly string[]): readonly string[] =>
  wordPlaces(text, words).map(({ start, end, word }) => `${text.slice(start, end)}:${word}`)

describe('the places of words', () => {
  it.each([
    ['let limit = rateLimiter', ['limit'], ['limit:limit', 'Limiter:limit']],
    ['limits limiting Limited', ['limit'], ['limits:limit', 'limiting:limit', 'Limited:limit']],
    ['delimiter unlimited', ['limit'], []],
    ['rateLimit rate_limit RATE-LIMIT', ['rate'], ['rate:rate', 'rate:rate', 'RATE:rate']],
    ['rateLimit rate_limit rate limit', ['ratelimit'], ['rateLimit:ratelimit', 'rate_limit:ratelimit']],
    ['parseHTTPHeader', ['http', 'header'], ['HTTP:http', 'Header:header']],
    ['ﬁle straße Größe', ['file', 'größe'], ['ﬁle:file', 'Größe:größe']],
    ['登录令牌过期', ['令牌', '牌过'], ['令牌:令牌', '过:牌过']],
    ['nothing', [], []],
    ['', ['word'], []],
  ])('in %j of %j are %j', (text, words, expected) => {
    expect(found(text, ...words)).toEqual(expected)
  })

  it('are in order, and none overlaps another', () => {
    const texts = fc.array(fc.constantFrom('rate', 'Limit', '_', ' ', '令牌', '过', 'ﬁ', '9', '-'), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(
        texts,
        fc.uniqueArray(fc.constantFrom('rate', 'ratelimit', '令牌', '牌过', '9')),
        (parts, words) => {
          const text = parts.join('')
          let last = 0
          for (const { start, end, word } of wordPlaces(text, words)) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeGreaterThan(start)
            expect(words).toContain(word)
            last = end
          }
          expect(last).toBeLessThanOrEqual(text.length)
        },
      ),
    )
  })
})

describe('identifiers and their parts with places', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('get', 'URL', '_', 'x2', '日本', '語', 'ü', ' ', '$', 'ﬁ'), { maxLength: 12 })
      .map((all) => all.join('')),
  )

  it('are those without, where they are', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const places = identifierPlaces(text)
        expect(places.map(({ word }) => word)).toEqual(identifiersIn(text))
        for (const { word, at } of places) expect(text.slice(at, at + word.length)).toBe(word)
      }),
    )
  })

  it('have the parts that the index has, where the text is in its normal form', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const identifier of identifiersIn(text.normalize('NFKC'))) {
          const parts = partPlaces(identifier)
          expect(parts.map(({ word }) => word.toLowerCase()).sort()).toEqual([...partsOf(identifier)].sort())
          for (const { word, at } of parts) expect(identifier.slice(at, at + word.length)).toBe(word)
        }
      }),
    )
  })
})
