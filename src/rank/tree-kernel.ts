/**
 * Sums of boosted trees for many rows, by the kernel of scripts/kernels/trees.wat: more than twice as fast as a loop
 * that branches, and the same numbers, since each row adds up the same leaves in the same order.
 */
import { kernelOf, makeRoom } from '../vector/webassembly-kernel.js'
import { TREE_KERNEL } from './tree-kernel-bytes.js'

const TREE_BYTES = 8
const NODE_BYTES = 24
// Rows go down the trees four at a time.
const STEP = 4

/** Trees as arrays: by node its border (of a leaf its value), its right child (of a leaf itself) and its signal. */
export interface TreeArrays {
  readonly roots: Uint32Array
  readonly border: Float64Array
  readonly right: (node: number) => number
  readonly signal: (node: number) => number
}

interface Kernel {
  readonly memory: WebAssembly.Memory
  readonly sums: (
    trees: number,
    count: number,
    rows: number,
    end: number,
    stride: number,
    out: number,
  ) => void
}

export class TreeKernel {
  readonly #kernel: Kernel
  readonly #trees: number
  readonly #rowsAt: number

  /** `trees` are sound: children stand after their parents and inside the arrays. */
  constructor(trees: TreeArrays) {
    this.#trees = trees.roots.length
    this.#rowsAt = this.#trees * TREE_BYTES + trees.border.length * NODE_BYTES
    this.#kernel = kernelOf(TREE_KERNEL) as Kernel
    makeRoom(this.#kernel.memory, this.#rowsAt)
    this.#write(trees)
  }

  #write({ roots, border, right, signal }: TreeArrays): void {
    const view = new DataView(this.#kernel.memory.buffer)
    const placeOf = (node: number): number => roots.length * TREE_BYTES + node * NODE_BYTES
    const heights = new Uint32Array(border.length)
    for (let node = border.length - 1; node >= 0; node--) {
      const isLeaf = right(node) === node
      if (!isLeaf) heights[node] = 1 + Math.max(heights[node + 1]!, heights[right(node)]!)
      view.setFloat64(placeOf(node), isLeaf ? NaN : border[node]!, true)
      view.setFloat64(placeOf(node) + 8, border[node]!, true)
      view.setUint32(placeOf(node) + 16, placeOf(right(node)), true)
      view.setUint32(placeOf(node) + 20, isLeaf ? 0 : signal(node) * Float32Array.BYTES_PER_ELEMENT, true)
    }
    roots.forEach((root, t) => {
      view.setUint32(t * TREE_BYTES, placeOf(root), true)
      view.setUint32(t * TREE_BYTES + 4, heights[root]!, true)
    })
  }

  /** By row the sum of the leaves it comes to. `rows`: `width` values each, one row after the other. */
  sums(rows: Float32Array, width: number): Float64Array {
    const count = rows.length / width
    const padded = Math.ceil(count / STEP) * STEP
    const stride = width * Float32Array.BYTES_PER_ELEMENT
    const end = this.#rowsAt + padded * stride
    const outAt = Math.ceil(end / 8) * 8
    const { memory, sums } = this.#kernel
    makeRoom(memory, outAt + padded * Float64Array.BYTES_PER_ELEMENT)
    new Float32Array(memory.buffer, this.#rowsAt, rows.length).set(rows)
    const out = new Float64Array(memory.buffer, outAt, padded).fill(0)
    sums(0, this.#trees, this.#rowsAt, end, stride, outAt)
    return out.slice(0, count)
  }
}
