/**
 * Boosted regression trees: the compact file that scripts/train-relevance writes, and their evaluation.
 *
 * File, little-endian: "HONETREE", u32 version, u32 trees, u32 nodes, u32 bytes of the JSON head, u32 checksum of all
 * after it; the head (TreesHead), zeros up to a multiple of 8; then by node f64 border or value, f32 mean, by tree
 * u32 root, by node u32 left child, u32 right child, u16 signal. A leaf has itself as both children. Children stand
 * after their parent, so that no file makes evaluation run for ever.
 */
import { HoneError } from '../errors.js'

const MAGIC = 'HONETREE'
const VERSION = 1
const PREFIX_BYTES = 28

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
  readonly #roots: Uint32Array
  /** Border of a node (go left when the value is not above it), or the value of a leaf. */
  readonly #border: Float64Array
  /** What a row that comes to a node gets from the tree, on average over the training data. */
  readonly #mean: Float32Array
  readonly #left: Uint32Array
  readonly #right: Uint32Array
  readonly #signal: Uint16Array

  /** Throws HoneError MODEL_CORRUPT naming `path` when `bytes` is no such file. */
  constructor(bytes: Uint8Array, path: string) {
    const fail = (why: string): never => {
      throw new HoneError('MODEL_CORRUPT', `${path} is not a model of relevance (${why}); install hone again`)
    }
    if (bytes.length < PREFIX_BYTES || ascii(bytes.subarray(0, MAGIC.length)) !== MAGIC) fail('no header')
    const prefix = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES)
    const [version, trees, nodes, headBytes, checksum] = [8, 12, 16, 20, 24].map((at) =>
      prefix.getUint32(at, true),
    ) as [number, number, number, number, number]
    if (version !== VERSION) fail(`version ${version}, expected ${VERSION}`)
    const arraysAt = Math.ceil((PREFIX_BYTES + headBytes) / 8) * 8
    const expected = arraysAt + nodes * 12 + trees * 4 + nodes * 10
    if (bytes.length !== expected) fail('wrong length')
    if (checksumOf(bytes.subarray(PREFIX_BYTES)) !== checksum) fail('wrong checksum')
    const head = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headBytes)
    this.head = JSON.parse(new TextDecoder().decode(head)) as TreesHead
    const arrays = new Uint8Array(bytes.subarray(arraysAt)).buffer // a copy, aligned
    this.#border = new Float64Array(arrays, 0, nodes)
    this.#mean = new Float32Array(arrays, nodes * 8, nodes)
    this.#roots = new Uint32Array(arrays, nodes * 12, trees)
    this.#left = new Uint32Array(arrays, nodes * 12 + trees * 4, nodes)
    this.#right = new Uint32Array(arrays, nodes * 16 + trees * 4, nodes)
    this.#signal = new Uint16Array(arrays, nodes * 20 + trees * 4, nodes)
    if (!this.#isSound()) fail('nodes out of order')
  }

  #isSound(): boolean {
    const nodes = this.#border.length
    const isChild = (child: number, parent: number): boolean => child > parent && child < nodes
    return (
      this.#roots.every((root) => root < nodes) &&
      this.#signal.every((signal) => signal < this.head.signals.length) &&
      this.#left.every((left, node) => {
        const right = this.#right[node]!
        return (left === node && right === node) || (isChild(left, node) && isChild(right, node))
      })
    )
  }

  /** Sum over the trees for one row of signal values: log-odds. */
  sum(values: Float32Array): number {
    let sum = 0
    for (const root of this.#roots) {
      let node = root
      while (this.#left[node]! !== node) node = this.#next(node, values)
      sum += this.#border[node]!
    }
    return sum
  }

  #next(node: number, values: Float32Array): number {
    return values[this.#signal[node]!]! <= this.#border[node]! ? this.#left[node]! : this.#right[node]!
  }

  /**
   * What each signal adds to `sum`: along the path of a row, what every step changes in the mean is the doing of the
   * signal asked there (Saabas 2014). With `start` the effects add up to the sum.
   */
  effects(values: Float32Array): { readonly start: number; readonly effects: Float64Array } {
    const effects = new Float64Array(this.head.signals.length)
    let start = 0
    for (const root of this.#roots) {
      let node = root
      start += this.#mean[node]!
      while (this.#left[node]! !== node) {
        const next = this.#next(node, values)
        effects[this.#signal[node]!]! += this.#mean[next]! - this.#mean[node]!
        node = next
      }
    }
    return { start, effects }
  }
}

/** FNV-1a over 32-bit words, the last one filled up with zeros. */
function checksumOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i += 4) {
    const word =
      bytes[i]! | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24)
    hash = Math.imul(hash ^ word, 0x01000193) >>> 0
  }
  return hash
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
