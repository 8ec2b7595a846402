import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segment } from '../../src/embed/segment.js'

const MIN_PIECE = 3

/** All ways to cut `word` into known pieces, the longest first piece first. */
function allCuts(word: string, known: ReadonlySet<string>): readonly (readonly string[])[] {
  if (word === '') return [[]]
  const cuts: (readonly string[])[] = []
  for (let end = word.length; end >= MIN_PIECE; end--) {
    const piece = word.slice(0, end)
    if (known.has(piece)) for (const rest of allCuts(word.slice(end), known)) cuts.push([piece, ...rest])
  }
  return cuts
}

describe('cutting an unknown word', () => {
  it('gives the cut with the fewest pieces, of those the one with the longest first pieces', () => {
    // Mostly one letter, so that a word can often be cut in several ways.
    const letter = fc.constantFrom('a', 'a', 'a', 'a', 'b')
    const letters = fc.array(letter, { minLength: 6, maxLength: 14 })
    const piece = fc.array(letter, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
    const vocabulary = fc.uniqueArray(piece, { maxLength: 12 })
    fc.assert(
      fc.property(letters, vocabulary, (characters, words) => {
        const word = characters.join('')
        const known = new Set(words)
        fc.pre(!known.has(word)) // a known word is never asked for
        const cuts = allCuts(word, known)
        const fewest = Math.min(...cuts.map((cut) => cut.length))
        // allCuts lists longer first pieces first, so the first of the shortest is the one.
        const best = cuts.find((cut) => cut.length === fewest) ?? []
        expect(segment(word, (piece) => known.has(piece))).toEqual(best)
      }),
      { numRuns: 500 },
    )
  })

  const isKnown = (piece: string): boolean => ['rate', 'limit', 'limiter', 'er', 'th'].includes(piece)

  it.each([
    ['ratelimiter', ['rate', 'limiter']],
    ['ratelimit', ['rate', 'limit']],
    ['limiterx', []], // an unknown rest leaves all of it unknown
    ['thrate', []], // "th" is too short to be anything but an accident
    ['', []],
    ['rate', []], // too short to be two words
    ['rate'.repeat(10), Array.from({ length: 10 }, () => 'rate')],
    ['rate'.repeat(11), []], // longer than any word people write
  ])('%s becomes %j', (word, pieces) => {
    expect(segment(word, isKnown)).toEqual(pieces)
  })
})
