/**
 * Boosted regression trees: the compact file that scripts/train-relevance writes, and their evaluation.
 *
 * File, little-endian: "HONETREE", u32 version, u32 trees, u32 nodes, u32 bytes of the JSON head, u32 checksum of all
 * after it; the head (TreesHead), zeros up to a multiple of 8; then by node f64 border or value, f32 mean, by tree
 * u32 root, by node u32 right child * 256 + signal. A left child stands just after its parent, a right one after that;
 * a leaf has itself as right child. So no file makes evaluation run for ever.
 */
import { HoneError } from '../errors.js'
import { TreeKernel } from './tree-kernel.js'

const MAGIC = 'HONETREE'
const VERSION = 1
const PREFIX_BYTES = 28
const SIGNAL_BITS = 8
const SIGNAL_MASK = (1 << SIGNAL_BITS) - 1

/** What the trees were trained on, from the file's head. */
export interface TreesHead {
  readonly signalsVersion: number
  /** Names of the signals, in order. */
  readonly signals: readonly string[]
  /** Log-odds added to the trees' for each unit of a signal, where data to learn from are missing. */
  readonly added: Readonly<Record<string, number>>
}

export class Trees {
  readonly head: TreesHead
  /** Weight of each signal beside the trees. */
  readonly #added: Float64Array
  /** The same of those that have one, by their places. */
  readonly #weights: readonly (readonly [number, number])[]
  readonly #roots: Uint32Array
  /** Border of a node (go left when the value is not above it), or the value of a leaf. */
  readonly #border: Float64Array
  /** What a row that comes to a node gets from the tree, on average over the training data. */
  readonly #mean: Float32Array
  /** Right child and signal in one number, as in the file. */
  readonly #split: Uint32Array
  #kernel: TreeKernel | undefined

  /** Throws HoneError MODEL_CORRUPT naming `path` when `bytes` is no such file. */
  constructor(bytes: Uint8Array, path: string) {
    const fail = (why: string): never => {
      throw new HoneError('MODEL_CORRUPT', `${path} is not a model of relevance (${why}); install hone again`)
    }
    if (bytes.length < PREFIX_BYTES || text(bytes.subarray(0, MAGIC.length)) !== MAGIC) fail('no header')
    const prefix = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES)
    const [version, trees, nodes, headBytes, checksum] = [8, 12, 16, 20, 24].map((at) =>
      prefix.getUint32(at, true),
    ) as [number, number, number, number, number]
    if (version !== VERSION) fail(`version ${version}, expected ${VERSION}`)
    const arraysAt = Math.ceil((PREFIX_BYTES + headBytes) / 8) * 8
    const expected = arraysAt + nodes * 16 + trees * 4
    if (bytes.length !== expected) fail('wrong length')
    if (checksumOf(bytes.subarray(PREFIX_BYTES)) !== checksum) fail('wrong checksum')
    const head = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headBytes)
    this.head = JSON.parse(text(head)) as TreesHead
    this.#added = Float64Array.from(this.head.signals, (name) => this.head.added[name] ?? 0)
    this.#weights = [...this.#added.entries()].filter(([, weight]) => weight !== 0)
    const arrays = new Uint8Array(bytes.subarray(arraysAt)).buffer // a copy, aligned
    this.#border = new Float64Array(arrays, 0, nodes)
    this.#mean = new Float32Array(arrays, nodes * 8, nodes)
    this.#roots = new Uint32Array(arrays, nodes * 12, trees)
    this.#split = new Uint32Array(arrays, nodes * 12 + trees * 4, nodes)
    if (!this.#isSound()) fail('nodes out of order')
  }

  #isSound(): boolean {
    const nodes = this.#border.length
    return (
      this.#roots.every((root) => root < nodes) &&
      this.#split.every((split, node) => {
        const right = split >>> SIGNAL_BITS
        return (
          right === node ||
          (right > node && right < nodes && (split & SIGNAL_MASK) < this.head.signals.length)
        )
      })
    )
  }

  /**
   * What the trees and the weights beside them say of each row of signal values: log-odds. Rows stand one after the
   * other, as many values each as there are signals.
   */
  sums(rows: Float32Array): Float64Array {
    const width = this.head.signals.length
    this.#kernel ??= new TreeKernel({
      roots: this.#roots,
      border: this.#border,
      right: (node) => this.#split[node]! >>> SIGNAL_BITS,
      signal: (node) => this.#split[node]! & SIGNAL_MASK,
    })
    const sums = this.#kernel.sums(rows, width)
    for (let row = 0, at = 0; row < sums.length; row++, at += width)
      for (const [signal, weight] of this.#weights) sums[row]! += rows[at + signal]! * weight
    return sums
  }

  /**
   * What each signal adds to the sum of one row: its weight beside the trees, and what the steps at which it was asked
   * change in the mean along the row's path through each tree (Saabas 2014). With `start` the effects add up to the sum.
   */
  effects(values: Float32Array): { readonly start: number; readonly effects: Float64Array } {
    const effects = this.#added.map((weight, s) => weight * values[s]!)
    let start = 0
    for (const root of this.#roots) {
      let node = root
      start += this.#mean[node]!
      for (let split = this.#split[node]!; split >>> SIGNAL_BITS !== node; split = this.#split[node]!) {
        const signal = split & SIGNAL_MASK
        const next = values[signal]! <= this.#border[node]! ? node + 1 : split >>> SIGNAL_BITS
        effects[signal]! += this.#mean[next]! - this.#mean[node]!
        node = next
      }
    }
    return { start, effects }
  }
}

/** FNV-1a over 32-bit words, the last one filled up with zeros. */
function checksumOf(bytes: Uint8Array): number {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  padded.set(bytes)
  let hash = 0x811c9dc5
  for (const word of new Uint32Array(padded.buffer)) hash = Math.imul(hash ^ word, 0x01000193)
  return hash >>> 0
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
