/** Bags of identifiers as JSON writes them, hone's own modules out of a built copy, and shingles for finding copies. */
import { createHash } from 'node:crypto'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What mining and scoring use of hone, from `dist` (a folder that `npm run build` made). */
export async function loadHone(dist) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href)
  const modules = await Promise.all(
    [
      'text/words.js',
      'build/embedding-text.js',
      'build/analyser.js',
      'walk/walk.js',
      'chunk/chunk-file.js',
      'chunk/language.js',
      'chunk/comment-scan.js',
      'chunk/line-table.js',
      'chunk/languages/table.js',
      'config.js',
    ].map(load),
  )
  return Object.assign({}, ...modules)
}

/** Languages of prose, data, configuration and style; the benchmark leaves them out (scripts/bench/rankings/source-files.ts). */
export const NOT_SOURCE = new Set(
  'text markdown rst html css scss less xml json jsonc yaml toml ini properties csv diff'.split(' '),
)

/** Numbers identifiers; a bag is a flat list id, count, id, count, ... in order of first appearance. */
export class Bags {
  constructor({ identifiersIn }) {
    this.identifiersIn = identifiersIn
    this.ids = new Map()
  }

  id(identifier) {
    let id = this.ids.get(identifier)
    if (id === undefined) this.ids.set(identifier, (id = this.ids.size))
    return id
  }

  of(text) {
    const counts = new Map()
    for (const identifier of this.identifiersIn(text)) {
      const id = this.id(identifier)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return [...counts].flat()
  }

  /** `bag` without what `other` holds. */
  minus(bag, other) {
    const taken = new Map()
    for (let i = 0; i < other.length; i += 2) taken.set(other[i], other[i + 1])
    const left = []
    for (let i = 0; i < bag.length; i += 2) {
      const count = bag[i + 1] - (taken.get(bag[i]) ?? 0)
      if (count > 0) left.push(bag[i], count)
    }
    return left
  }

  /** One identifier a line with its joined form and its parts, tab-separated; the line number is the id. */
  write(path, { joinedForm, partsOf }) {
    const lines = [...this.ids.keys()].map((id) => `${id}\t${joinedForm(id)}\t${partsOf(id).join(' ')}`)
    writeFileSync(path, lines.join('\n') + '\n')
  }
}

const SHINGLE = 8
const SAMPLE = 8 // one shingle of eight is kept, chosen by its hash, alike in both texts

/** Sampled hashes of all runs of 8 identifiers of `text`, lower-cased. */
export function shingles(text, identifiersIn) {
  const words = identifiersIn(text).map((word) => word.toLowerCase())
  const found = []
  const hashes = words.map(hash32)
  for (let i = 0; i + SHINGLE <= hashes.length; i++) {
    let a = 2166136261
    let b = 5381
    for (let j = i; j < i + SHINGLE; j++) {
      a = Math.imul(a ^ hashes[j], 16777619) >>> 0
      a = (a ^ (a >>> 15)) >>> 0
      b = (Math.imul(b, 33) + hashes[j]) >>> 0
    }
    if (a % SAMPLE === 0) found.push(a * 2097152 + (b & 0x1fffff)) // 53 bits
  }
  return found
}

export function share(found, known) {
  return found.length === 0 ? 0 : found.filter((hash) => known.has(hash)).length / found.length
}

function hash32(word) {
  let hash = 2166136261
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619)
  return hash >>> 0
}

export function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Lines of JSON. */
export class LineWriter {
  constructor(path) {
    this.stream = createWriteStream(path)
  }

  write(value) {
    this.stream.write(JSON.stringify(value) + '\n')
  }

  close() {
    return new Promise((resolve) => this.stream.end(resolve))
  }
}
