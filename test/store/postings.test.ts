import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PostingsWriter } from '../../src/store/postings-writer.js'
import { decodeRuns, summed, encodeRun, MAX_COUNT, packCounts } from '../../src/store/postings.js'
import { ByteWriter } from '../../src/store/varint.js'
import { identifiersIn, termsOf } from '../../src/text/words.js'

const counts = fc.tuple(fc.nat(2000), fc.nat(2000), fc.nat(2000)).filter(([a, b, c]) => a + b + c > 0)
const documents = fc.uniqueArray(fc.record({ id: fc.nat(200_000), counts }), {
  selector: ({ id }) => id,
  minLength: 1,
  maxLength: 60,
})

describe('posting lists', () => {
  it('come back as they were written, counts capped, over any number of runs', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 5 }), (docs, runs) => {
        const sorted = [...docs].sort((a, b) => a.id - b.id)
        const ids = Int32Array.from(sorted, ({ id }) => id)
        const packed = Int32Array.from(sorted, ({ counts: [a, b, c] }) => packCounts(a, b, c))
        const size = Math.ceil(sorted.length / runs)
        const bytes = new ByteWriter()
        const encoded: Buffer[] = []
        for (let from = 0; from < sorted.length; from += size) {
          encoded.push(encodeRun(bytes, ids, packed, from, Math.min(from + size, sorted.length)))
        }
        const decoded = decodeRuns(encoded, sorted.length)
        expect([...decoded.ids]).toEqual([...ids])
        for (const f of [0, 1, 2] as const) {
          expect([...decoded.counts[f]]).toEqual(sorted.map((doc) => Math.min(doc.counts[f], MAX_COUNT)))
        }
      }),
    )
  })

  it('of gaps of any size and of no gap take as many bytes as the format says', () => {
    const bytes = new ByteWriter()
    const run = (...ids: number[]): Buffer =>
      encodeRun(
        bytes,
        Int32Array.from(ids),
        Int32Array.from(ids, () => packCounts(1, 0, 0)),
        0,
        ids.length,
      )
    expect(run(0)).toHaveLength(2)
    expect(run(5, 6, 13)).toHaveLength(4) // gaps up to 7: a byte each
    expect(run(5, 13)).toHaveLength(4) // gap 8: two bytes
    const wide = [0, 1, 127, 128, 16_384, 2_097_152, 200_000_000, 268_435_455]
    expect([...decodeRuns([run(...wide)], wide.length).ids]).toEqual(wide)
  })

  it('count no more than they can tell apart', () => {
    const bytes = new ByteWriter()
    const packed = Int32Array.of(packCounts(1023, 1024, 70_000), packCounts(0, 0, 1))
    const { counts } = decodeRuns([encodeRun(bytes, Int32Array.of(1, 2), packed, 0, 2)], 2)
    expect(counts.map((column) => [...column])).toEqual([
      [1023, 0],
      [1023, 0],
      [1023, 1],
    ])
  })

  it('of no run are empty', () => {
    expect(decodeRuns([], 0)).toMatchObject({ length: 0 })
  })

  it('a run cut short gives what is whole and never reads past its end', () => {
    const bytes = new ByteWriter()
    const run = encodeRun(bytes, Int32Array.of(5, 900, 70_000), Int32Array.of(1, 7, 1 << 10), 0, 3)
    for (let end = 0; end < run.length; end++)
      expect(decodeRuns([run.subarray(0, end)], 3).length).toBeLessThan(4)
  })
})

describe('the postings writer', () => {
  function emitted(writer: PostingsWriter): Record<string, readonly number[]> {
    const lists: Record<string, readonly number[]> = {}
    writer.flush((term, count, run) => (lists[term] = [...decodeRuns([run], count).ids]))
    return lists
  }

  it('forgets what it has written, and is empty until more is added', () => {
    const writer = new PostingsWriter()
    expect(writer.isEmpty).toBe(true)
    writer.add(1, ['alpha beta', '', ''])
    expect([writer.isEmpty, writer.isFull]).toEqual([false, false])
    expect(emitted(writer)).toEqual({ alpha: [1], beta: [1] })
    expect(writer.isEmpty).toBe(true)
    expect(emitted(writer)).toEqual({})
    writer.add(2, ['beta gamma', '', ''])
    expect(emitted(writer)).toEqual({ beta: [2], gamma: [2] })
  })

  it('takes more terms than it has room for at first, and lengths that saturate', () => {
    const writer = new PostingsWriter()
    const words = Array.from({ length: 10_000 }, (_, i) => `w${i}x`)
    expect(writer.add(1, [words.join(' '), 'a '.repeat(70_000), ''])).toEqual([20_000 + 10_000, 65_535, 0])
    const lists = emitted(writer)
    expect(lists['w9999']).toEqual([1])
    expect(Object.keys(lists)).toEqual([...Object.keys(lists)].sort())
  })

  it('counts as a naive count does and emits terms in order', () => {
    const text = fc.array(fc.constantFrom('getUser', 'get', 'user_id', 'parse', 'HTTPServer', '令牌'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 8 }), (docs) => {
        const writer = new PostingsWriter()
        const naive = new Map<string, [number, number, number, number][]>()
        docs.forEach((fields, i) => {
          const lengths = writer.add(
            i + 1,
            fields.map((words) => words.join(' ')) as [string, string, string],
          )
          const tally = new Map<string, [number, number, number]>()
          fields.forEach((words, f) => {
            const terms = words.flatMap((word) => identifiersIn(word).flatMap((id) => termsOf(id)))
            expect(lengths[f]).toBe(terms.length)
            for (const term of terms) {
              const row = tally.get(term) ?? [0, 0, 0]
              row[f as 0 | 1 | 2]++
              tally.set(term, row)
            }
          })
          for (const [term, row] of tally) naive.set(term, [...(naive.get(term) ?? []), [i + 1, ...row]])
        })
        const emitted: [string, [number, number, number, number][]][] = []
        writer.flush((term, count, run) => {
          const { ids, counts: c } = decodeRuns([run], count)
          emitted.push([term, [...ids].map((id, i) => [id, c[0][i] ?? 0, c[1][i] ?? 0, c[2][i] ?? 0])])
        })
        expect(emitted).toEqual([...naive].sort(([a], [b]) => (a < b ? -1 : 1)))
      }),
    )
  })
})

describe('lists as one', () => {
  const list = fc.uniqueArray(fc.record({ id: fc.nat(50), counts: fc.tuple(count(), count(), count()) }), {
    selector: ({ id }) => id,
  })
  function count(): fc.Arbitrary<number> {
    return fc.integer({ min: 0, max: MAX_COUNT })
  }

  it('hold every document once, ascending, with the sum of its counts', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1 }), (lists) => {
        const whole = summed(
          lists.map((documents) => {
            const byId = [...documents].sort((a, b) => a.id - b.id)
            const counts = ([0, 1, 2] as const).map((f) => Uint16Array.from(byId, (one) => one.counts[f]))
            return {
              length: byId.length,
              ids: Int32Array.from(byId, ({ id }) => id),
              counts: [counts[0]!, counts[1]!, counts[2]!] as const,
            }
          }),
        )
        const all = lists.flat()
        const ids = [...new Set(all.map(({ id }) => id))].sort((a, b) => a - b)
        expect([...(whole?.ids ?? [])]).toEqual(ids)
        for (const f of [0, 1, 2] as const) {
          const sums = ids.map((id) =>
            all
              .filter((one) => one.id === id)
              .reduce((sum, one) => Math.min(MAX_COUNT, sum + one.counts[f]), 0),
          )
          expect([...(whole?.counts[f] ?? [])]).toEqual(sums)
        }
      }),
    )
    expect(summed([])).toBeUndefined()
  })
})
