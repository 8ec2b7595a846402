import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBm25, idf, meanLength, type TermDocuments } from '../../src/rank/bm25.js'

/** counts[i] = occurrences in ids[i], all of them in field 0. */
function documentsOf(ids: readonly number[], counts: readonly number[]): TermDocuments {
  return {
    length: ids.length,
    ids: Int32Array.from(ids),
    counts: [Uint16Array.from(counts), new Uint16Array(ids.length), new Uint16Array(ids.length)],
  }
}

describe('BM25', () => {
  it('is what the formula gives by hand', () => {
    // Three documents of 2, 4 and 6 words; the term is in the first once and in the third three times.
    // idf = ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6
    expect(idf(3, 2)).toBeCloseTo(0.470_003_6, 7)
    const lengths = { lengths: Uint16Array.of(0, 2, 4, 6), mean: 4 }
    const scores = new Float64Array(4)
    addBm25(scores, documentsOf([1, 3], [1, 3]), { field: 0, weight: idf(3, 2), lengths })
    // first: 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2/4)) = 2.2 / 1.75; third: 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 6/4))
    expect([...scores]).toEqual([
      0,
      expect.closeTo((0.470_003_6 * 2.2) / 1.75, 6),
      0,
      expect.closeTo((0.470_003_6 * 6.6) / 4.65, 6),
    ])
  })

  it('counts only the field it is asked for, and adds up over terms', () => {
    const term: TermDocuments = {
      length: 1,
      ids: Int32Array.of(1),
      counts: [Uint16Array.of(0), Uint16Array.of(2), Uint16Array.of(0)],
    }
    const lengths = { lengths: Uint16Array.of(0, 2), mean: 2 }
    const scores = new Float64Array(2)
    addBm25(scores, term, { field: 0, weight: 1, lengths })
    expect([...scores]).toEqual([0, 0])
    addBm25(scores, term, { field: 1, weight: 1, lengths })
    const once = scores[1] ?? 0
    addBm25(scores, term, { field: 1, weight: 1, lengths })
    expect(scores[1]).toBe(2 * once)
  })

  it('of a field that is empty everywhere, or of a term without weight, is nothing', () => {
    const scores = new Float64Array(2)
    const term = documentsOf([1], [5])
    addBm25(scores, term, { field: 0, weight: 1, lengths: { lengths: Uint16Array.of(0, 0), mean: 0 } })
    addBm25(scores, term, { field: 0, weight: 0, lengths: { lengths: Uint16Array.of(0, 5), mean: 5 } })
    expect([...scores]).toEqual([0, 0])
  })

  it('grows with the count, shrinks with the length, and never reaches idf * 2.2', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1022 }), fc.integer({ min: 1, max: 60_000 }), (count, length) => {
        const scoreOf = (n: number, words: number): number => {
          const scores = new Float64Array(2)
          const lengths = { lengths: Uint16Array.of(0, words), mean: 100 }
          addBm25(scores, documentsOf([1], [n]), { field: 0, weight: 1, lengths })
          return scores[1] ?? 0
        }
        expect(scoreOf(count + 1, length)).toBeGreaterThan(scoreOf(count, length))
        expect(scoreOf(count, length + 1)).toBeLessThan(scoreOf(count, length))
        expect(scoreOf(count, length)).toBeLessThan(2.2)
      }),
    )
  })
})

describe('rarity', () => {
  it('is positive however common a word is, and falls as it becomes more common', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (documents) => {
        expect(idf(documents, documents)).toBeGreaterThan(0)
        expect(idf(documents, documents - 1)).toBeGreaterThan(idf(documents, documents))
        expect(idf(documents, 0)).toBeGreaterThan(idf(documents, 1))
      }),
    )
  })
})

describe('the mean length', () => {
  it('is over live documents only, and 0 where there are none', () => {
    const lengths = Uint16Array.of(0, 10, 20, 60)
    expect(meanLength(lengths, (id) => id === 1 || id === 2)).toBe(15)
    expect(meanLength(lengths, () => false)).toBe(0)
    expect(meanLength(new Uint16Array(0), () => true)).toBe(0)
  })
})
