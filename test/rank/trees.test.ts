import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HoneError } from '../../src/errors.js'
import { Trees } from '../../src/rank/trees.js'
import { treesFile, type Node } from './trees-file.js'

const HEAD = { signalsVersion: 1, signals: ['a', 'b'], added: {} }
const TREE: Node = {
  signal: 1,
  border: 0.5,
  left: { value: -1, rows: 3 },
  right: { signal: 0, border: 2, left: { value: 1, rows: 1 }, right: { value: 4, rows: 2 } },
}

const row = (a: number, b: number): Float32Array => Float32Array.from([a, b])

describe('trees', () => {
  const trees = new Trees(treesFile(HEAD, [TREE, { value: 0.25, rows: 6 }]), 'x')

  it('go left up to the border, right above it, and add up', () => {
    expect(trees.sums(row(9, 0.5))[0]).toBe(-0.75)
    expect(trees.sums(row(2, 0.75))[0]).toBe(1.25)
    expect(trees.sums(row(2.5, 0.75))[0]).toBe(4.25)
    expect([...trees.sums(Float32Array.from([9, 0.5, 2.5, 0.75]))]).toEqual([-0.75, 4.25])
    expect(trees.sums(new Float32Array(0))).toHaveLength(0)
  })

  it('say which signal moved a row from the mean, by how much', () => {
    // Means: root (3 * -1 + 1 + 2 * 4) / 6 = 1, right child 9 / 3 = 3, the other tree 0.25.
    expect(trees.effects(row(2, 0.75))).toEqual({ start: 1.25, effects: Float64Array.from([-2, 2]) })
    expect(trees.effects(row(2, 0))).toEqual({ start: 1.25, effects: Float64Array.from([0, -2]) })
  })
})

describe('a damaged file of trees', () => {
  const good = Buffer.from(treesFile(HEAD, [TREE]))
  const opened = (bytes: Uint8Array): Trees => new Trees(bytes, 'models/x/trees.bin')

  it('is named, at whatever length it is cut', () => {
    for (let length = 0; length < good.length; length++)
      expect(() => opened(good.subarray(0, length)), String(length)).toThrow(
        /^models\/x\/trees.bin is not a model/,
      )
  })

  it('is named, whichever byte is another', () => {
    for (let at = 0; at < good.length; at++) {
      const bytes = Buffer.from(good)
      bytes[at]! ^= 0x10
      expect(() => opened(bytes), String(at)).toThrow(HoneError)
    }
  })

  it('is named when its nodes would run in a circle, with the right checksum', () => {
    const circle = { ...TREE, right: TREE.left } as Exclude<Node, { value: number }>
    const own = treesFile(HEAD, [circle])
    expect(opened(own).sums(row(0, 0))[0]).toBe(-1)
    expect(() => opened(treesFile({ ...HEAD, signals: ['a'] }, [circle]))).toThrow(/nodes out of order/)
  })
})

describe('many rows at once', () => {
  const tree: fc.Memo<Node> = fc.memo((depth) =>
    depth <= 1 ? leaf : fc.oneof({ weight: 1, arbitrary: leaf }, { weight: 4, arbitrary: split(depth) }),
  )
  const border = fc.constantFrom(-1, 0, 0.1, 0.5, Math.fround(0.1), 2)
  const leaf = fc.record({ value: fc.double({ min: -2, max: 2, noNaN: true }), rows: fc.nat(9) })
  const split = (depth: number): fc.Arbitrary<Node> =>
    fc.record({ signal: fc.nat(2), border, left: tree(depth - 1), right: tree(depth - 1) })
  const value = fc.oneof(border, fc.float({ noNaN: true }), fc.constant(NaN))

  it('come to the leaves that each alone comes to, added up in the order of the trees', () => {
    const rows = fc.array(fc.tuple(value, value, value), { maxLength: 11 })
    fc.assert(
      fc.property(fc.array(tree(5), { maxLength: 6 }), rows, (roots, values) => {
        const trees = new Trees(treesFile({ ...HEAD, signals: ['a', 'b', 'c'] }, roots), 'x')
        const kept = values.map((row) => Float32Array.from(row))
        const expected = kept.map((row) => roots.reduce((sum, root) => sum + leafOf(root, row), 0))
        expect([...trees.sums(Float32Array.from(kept.flatMap((row) => [...row])))]).toEqual(expected)
        expect([...trees.sums(new Float32Array(0))]).toEqual([])
      }),
    )
  })

  it('are as many as there are, however many there were before', () => {
    const trees = new Trees(treesFile(HEAD, [TREE]), 'x')
    for (const count of [1, 5000, 3]) {
      const sums = trees.sums(new Float32Array(count * 2).fill(0.75))
      expect(sums).toEqual(new Float64Array(count).fill(1))
    }
  })
})

function leafOf(node: Node, row: Float32Array): number {
  if ('value' in node) return node.value
  return leafOf(row[node.signal]! <= node.border ? node.left : node.right, row)
}
