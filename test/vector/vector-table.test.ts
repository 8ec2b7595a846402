import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ExactIndex } from '../../src/store/vectors.js'
import { encodeVector, VectorTable, vectorRowBytes } from '../../src/vector/vector-table.js'

const vectors = fc
  .integer({ min: 1, max: 40 })
  .chain((dimensions) =>
    fc.array(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions }),
      { minLength: 1, maxLength: 30 },
    ),
  )

/** Vectors of any size in which no entry is lost to rounding: like those encoders make. */
const smooth = fc
  .integer({ min: 1, max: 400 })
  .chain((dimensions) =>
    fc.array(
      fc.array(fc.integer({ min: -100, max: 100 }), { minLength: dimensions, maxLength: dimensions }),
      { minLength: 2, maxLength: 12 },
    ),
  )

function unitOf(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
  return Float32Array.from(vector, (x) => (length === 0 ? 0 : x / length))
}

function tableOf(rows: readonly (readonly number[])[]): VectorTable {
  const dimensions = rows[0]?.length ?? 0
  const rowBytes = vectorRowBytes(dimensions)
  const bytes = new Uint8Array(rows.length * rowBytes)
  rows.forEach((row, i) => {
    encodeVector(Float32Array.from(row), bytes.subarray(i * rowBytes, (i + 1) * rowBytes))
  })
  return new VectorTable([bytes], dimensions)
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0)
  const norm = Math.sqrt(dot(a, a) * dot(b, b))
  return norm === 0 ? 0 : dot(a, b) / norm
}

describe('the vector table', () => {
  it('gives cosines within 0.02 of exact arithmetic, the same singly as for all rows', () => {
    fc.assert(
      fc.property(vectors, (rows) => {
        const table = tableOf(rows)
        const query = rows[0] ?? []
        const length = Math.sqrt(query.reduce((sum, x) => sum + x * x, 0))
        fc.pre(length > 1e-3)
        const unit = Float32Array.from(query, (x) => x / length)
        const all = table.similarities(unit)
        rows.forEach((row, i) => {
          fc.pre(row.every((x) => Math.abs(x) < 1e-300) || row.some((x) => Math.abs(x) > 1e-3))
          expect(all[i]).toBe(table.similarityTo(unit)(i))
          expect(Math.abs((all[i] ?? 0) - cosine(query, row))).toBeLessThan(0.02)
        })
      }),
    )
  })

  it('gives the cosine within 0.01, whatever the number of dimensions', () => {
    fc.assert(
      fc.property(smooth, (rows) => {
        const table = tableOf(rows)
        const query = rows[0] ?? []
        const all = table.similarities(unitOf(query))
        expect(all).toHaveLength(rows.length)
        rows.forEach((row, i) => {
          expect(Math.abs((all[i] ?? NaN) - cosine(query, row))).toBeLessThan(0.01)
          expect(table.similarityTo(unitOf(query))(i)).toBe(all[i])
        })
      }),
    )
  })

  it.each([15, 16, 17, 31, 256, 257, 384])(
    'does not mix neighbouring rows at %i dimensions',
    (dimensions) => {
      const rows = Array.from({ length: 5 }, (_, r) =>
        Array.from({ length: dimensions }, (_, d) => (d === (r === 0 ? 0 : dimensions - r) ? 1 : 0)),
      )
      const table = tableOf(rows)
      rows.forEach((row, i) => {
        const expected = rows.map((_, j) => (j === i ? 1 : 0))
        expect([...table.similarities(unitOf(row))].map((x) => Math.round(x * 1000) / 1000)).toEqual(expected)
      })
    },
  )

  it.each([2064, 2065, 3072, 4096])('does not overflow at %i dimensions, all of them at their peak', (n) => {
    const row = Array.from({ length: n }, (_, d) => (d % 2 === 0 ? 1 : -1))
    const opposite = row.map((x) => -x)
    const [same, other] = tableOf([row, opposite]).similarities(unitOf(row))
    expect(same).toBeCloseTo(1, 3)
    expect(other).toBeCloseTo(-1, 3)
  })

  it('compares from a row on as it compares with all', () => {
    fc.assert(
      fc.property(smooth, fc.nat(14), (rows, first) => {
        const table = tableOf(rows)
        const query = unitOf(rows[1] ?? [])
        expect([...table.similarities(query, first)]).toEqual([...table.similarities(query)].slice(first))
      }),
    )
  })

  it('gives rows back as vectors of length 1', () => {
    const table = tableOf([
      [3, 4, 0],
      [0, 0, 0],
      [1e-30, 0, 0],
    ])
    expect([...table.vector(0)].map((x) => Math.round(x * 100) / 100)).toEqual([0.6, 0.8, 0])
    expect([...table.vector(1)]).toEqual([0, 0, 0])
    expect([...table.vector(2)]).toEqual([1, 0, 0])
  })

  it('may hold no rows, and knows nothing of rows that it does not hold', () => {
    const none = new VectorTable([new Uint8Array(0)], 16)
    expect(none.rows).toBe(0)
    expect(none.similarities(new Float32Array(16))).toHaveLength(0)
    expect(none.similarityTo(new Float32Array(16))(0)).toBe(0)
    expect(new ExactIndex(none).search(new Float32Array(16), 5, () => true).nearest).toEqual([])
  })

  it('is not changed by what its callers do to results and to the bytes it was made of', () => {
    const bytes = new Uint8Array(vectorRowBytes(2))
    encodeVector(Float32Array.of(1, 0), bytes)
    const table = new VectorTable([bytes], 2)
    bytes.fill(0)
    table.similarities(Float32Array.of(1, 0)).fill(7)
    table.vector(0).fill(7)
    expect(table.similarityTo(Float32Array.of(1, 0))(0)).toBeCloseTo(1, 5)
  })

  it('a zero vector is near to nothing, as a row and as a query', () => {
    const table = tableOf([
      [0, 0, 0],
      [1, 0, 0],
    ])
    expect([...table.similarities(Float32Array.of(1, 0, 0))]).toEqual([0, expect.closeTo(1, 3)])
    expect([...table.similarities(Float32Array.of(0, 0, 0))]).toEqual([0, 0])
  })

  it('the kernel is the one its source describes', () => {
    const script = fileURLToPath(new URL('../../scripts/kernels/build.js', import.meta.url))
    expect(() => execFileSync(process.execPath, [script, '--check'])).not.toThrow()
  })
})

describe('exact search', () => {
  it('filters before it cuts: what is accepted is found however far down it is', () => {
    const table = tableOf(Array.from({ length: 50 }, (_, i) => [50 - i, i]))
    const { nearest } = new ExactIndex(table).search(Float32Array.of(1, 0), 3, (id) => id >= 40)
    expect(nearest.map(({ chunk }) => chunk)).toEqual([40, 41, 42])
  })

  it('knows the similarity of every chunk, found or not', () => {
    const table = tableOf([
      [1, 0],
      [0, 1],
      [1, 1],
    ])
    const query = Float32Array.of(1, 0)
    for (const from of [0, 2]) {
      const { similarity } = new ExactIndex(table, { first: from }).search(query, 1, () => true)
      for (const chunk of [0, 1, 2, 3]) expect(similarity(chunk)).toBe(table.similarityTo(query)(chunk))
    }
  })

  it('breaks ties at the border by the order it was given', () => {
    const table = tableOf(Array.from({ length: 20 }, () => [1, 1]))
    const backwards = new ExactIndex(table, { tieOrder: (a, b) => b - a })
    const { nearest } = backwards.search(Float32Array.of(1, 0), 3, (id) => id !== 18)
    expect(nearest.map(({ chunk }) => chunk)).toEqual([19, 17, 16])
  })

  it('is the sorted list of accepted similarities, ties by id, cut at k', () => {
    fc.assert(
      fc.property(vectors, fc.nat(35), fc.integer({ min: 1, max: 3 }), (rows, k, every) => {
        const table = tableOf([...rows, ...rows]) // each twice: ties
        const query = table.vector(0)
        const accepts = (id: number): boolean => id % every === 0
        const all = table.similarities(query)
        const isZero = query.every((x) => x === 0) // near to nothing
        const naive = [...(isZero ? [] : all.keys())]
          .filter(accepts)
          .map((chunk) => ({ chunk, similarity: all[chunk] }))
          .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0) || a.chunk - b.chunk)
        expect(new ExactIndex(table).search(query, k, accepts).nearest).toEqual(naive.slice(0, k))
      }),
    )
  })
})
