/**
 * Approximate nearest chunks by a navigable small world graph (Malkov and Yashunin 2018), through hnswlib-node.
 * Only for very large indexes and processes that ask often (docs/decisions/0004-exact-vector-search.md).
 * The graph is a cache beside the database: `index-N.hnsw`, and `index-N.hnsw.json` that says what it must be.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as Hnswlib from 'hnswlib-node'
import { sha256Hasher } from '../digest.js'
import { HoneError, messageOf } from '../errors.js'
import type { ChunkId } from '../types.js'
import type { VectorTable } from '../vector/vector-table.js'
import { mendCommand } from './mend.js'
import { ExactIndex, type TieOrder, type VectorIndex, type VectorSearch } from './vectors.js'

/** From this many chunks on `hone index` builds a graph: below, comparing with all takes less than 60 ms. */
export const HNSW_FROM_CHUNKS = 1_000_000

// Verifying and loading the graph takes as long as about so many exact searches: a process that asks once never pays.
const LOAD_AFTER_SEARCHES = 100
// The library's usual values; recall@10 against exact search is held above 0.98 by a test.
const NEIGHBOURS = 16
const BUILD_BREADTH = 200
const SEED = 100
const LEAST_SEARCH_BREADTH = 200
// Chunks added since are compared one by one; beyond this share of all the graph is built anew.
const MAX_TAIL_SHARE = 0.1
// A filter is tried on so many chunks ...
const SAMPLED_CHUNKS = 500
// ... and the graph left alone when it accepts fewer: the walk through what it rejects costs more than comparing all.
const LEAST_ACCEPTED_SHARE = 0.1
// Points added between two looks at the clock and at who wants to stop.
const POINTS_PER_TURN = 256
const DIGEST_BLOCK_BYTES = 1 << 22

/** What a graph file must match before it is loaded: the library does not check, a damaged file ends the process. */
interface GraphHeader {
  readonly magic: typeof MAGIC
  readonly format: typeof FORMAT
  readonly dimensions: number
  readonly neighbours: number
  readonly breadth: number
  readonly points: number
  /** Rows of the vector table when the graph was built; later ones are not in it. */
  readonly rows: number
  /** Which numbering of chunks the ids are of (see compaction.ts). Within one, an id keeps its vector for good. */
  readonly numbering: string
  /** SHA-256 of the graph file, hex. */
  readonly sha256: string
}

const MAGIC = 'hone-graph'
const FORMAT = 2

export interface GraphSource {
  readonly table: VectorTable
  readonly numbering: string
  /** Default: by id. */
  readonly tieOrder?: TieOrder
}

export interface GraphBuildOptions {
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

class HnswIndex implements VectorIndex {
  readonly #exact: ExactIndex
  /** Chunks younger than the graph. */
  readonly #tail: ExactIndex
  #searches = 0
  #graph: Hnswlib.HierarchicalNSW | 'unsound' | undefined

  constructor(
    readonly database: string,
    readonly table: VectorTable,
    readonly options: {
      readonly header: GraphHeader
      readonly loadAfter: number
      readonly tieOrder: TieOrder
    },
  ) {
    const { header, tieOrder } = options
    this.#exact = new ExactIndex(table, { tieOrder })
    this.#tail = new ExactIndex(table, { tieOrder, first: header.rows })
  }

  get kind(): 'exact' | 'hnsw' {
    return this.#graph === 'unsound' ? 'exact' : 'hnsw'
  }

  search(query: Float32Array, k: number, accepts: (chunk: ChunkId) => boolean): VectorSearch {
    const graph = this.#loaded()
    const wanted = Math.min(k, this.options.header.points)
    const isForGraph = wanted > 0 && query.some((x) => x !== 0) && this.#acceptsMany(accepts)
    if (graph === undefined || !isForGraph) return this.#exact.search(query, k, accepts)
    graph.setEf(Math.max(wanted * 2, LEAST_SEARCH_BREADTH))
    const labels = graph.searchKnn(Array.from(query), wanted, (label) => accepts(label as ChunkId)).neighbors
    if (labels.length < wanted) return this.#exact.search(query, k, accepts) // starved by the filter
    const similarity = (chunk: number): number => this.table.similarity(query, chunk)
    const nearest = labels.map((label) => ({ chunk: label as ChunkId, similarity: similarity(label) }))
    nearest.push(...this.#tail.search(query, k, accepts).nearest)
    nearest.sort((a, b) => b.similarity - a.similarity || this.options.tieOrder(a.chunk, b.chunk))
    return { nearest: nearest.slice(0, k), similarity }
  }

  #loaded(): Hnswlib.HierarchicalNSW | undefined {
    if (this.#graph === undefined && this.#searches++ >= this.options.loadAfter) {
      this.#graph = readGraph(this.database, this.options.header) ?? 'unsound'
    }
    return this.#graph === 'unsound' ? undefined : this.#graph
  }

  #acceptsMany(accepts: (chunk: ChunkId) => boolean): boolean {
    const step = Math.max(1, Math.floor(this.table.rows / SAMPLED_CHUNKS))
    let tried = 0
    let accepted = 0
    for (let chunk = 1; chunk < this.table.rows; chunk += step) {
      tried++
      if (accepts(chunk as ChunkId)) accepted++
    }
    return accepted >= tried * LEAST_ACCEPTED_SHARE
  }
}

/**
 * Search through the graph beside a database, or undefined when there is none of this numbering. The graph itself is
 * verified and read after `loadAfter` searches; until then, and when it turns out damaged, all vectors are compared.
 */
export function graphIndex(
  database: string,
  { table, numbering, tieOrder }: GraphSource,
  options: { readonly loadAfter?: number } = {},
): VectorIndex | undefined {
  const header = headerOf(database)
  if (header === undefined || !fits(header, { table, numbering }) || loadLibrary() === undefined)
    return undefined
  return new HnswIndex(database, table, {
    header,
    loadAfter: options.loadAfter ?? LOAD_AFTER_SEARCHES,
    tieOrder: tieOrder ?? ((a, b) => a - b),
  })
}

/** Whether a sound graph is there that holds nearly all chunks. */
export function hasGraph(database: string, source: GraphSource): boolean {
  const header = headerOf(database)
  if (header === undefined || !fits(header, source)) return false
  const tail = source.table.rows - header.rows
  return tail <= MAX_TAIL_SHARE * source.table.rows && digestOf(graphFile(database)) === header.sha256
}

/**
 * Builds the graph of `chunks` (ascending) and writes it beside the database. Returns false where hnswlib-node is not
 * installed. Throws ABORTED, or INDEX_UNWRITABLE when it does not fit on the disk; the index answers without it.
 */
export async function buildGraph(
  database: string,
  source: GraphSource & { readonly chunks: readonly ChunkId[] },
  options: GraphBuildOptions = {},
): Promise<boolean> {
  const library = loadLibrary()
  if (library === undefined) return false
  const { table, numbering } = source
  const graph = new library.HierarchicalNSW('ip', table.dimensions)
  graph.initIndex({
    maxElements: source.chunks.length,
    m: NEIGHBOURS,
    efConstruction: BUILD_BREADTH,
    randomSeed: SEED,
  })
  const points = await addPoints(graph, source, options)
  removeGraph(database) // without a header the old graph counts for nothing
  const header = {
    magic: MAGIC,
    format: FORMAT,
    dimensions: table.dimensions,
    neighbours: NEIGHBOURS,
    breadth: BUILD_BREADTH,
    points,
    rows: table.rows,
    numbering,
  } as const
  write(database, graph, header)
  return true
}

/** Chunks without a vector are near to nothing and stay out. Returns how many are in. */
async function addPoints(
  graph: Hnswlib.HierarchicalNSW,
  { table, chunks }: { readonly table: VectorTable; readonly chunks: readonly ChunkId[] },
  { onProgress, signal }: GraphBuildOptions,
): Promise<number> {
  let points = 0
  for (const [i, chunk] of chunks.entries()) {
    if (i % POINTS_PER_TURN === 0) {
      await nextTurn()
      if (signal?.aborted === true)
        throw new HoneError('ABORTED', 'stopped; the index is complete, without a graph for its vectors')
      onProgress?.(i, chunks.length)
    }
    const vector = table.vector(chunk)
    if (vector.every((x) => x === 0)) continue
    graph.addPoint(Array.from(vector), chunk)
    points++
  }
  return points
}

/** The library does not say when a disk is full: what was written is read back before it counts. */
function write(database: string, graph: Hnswlib.HierarchicalNSW, header: Omit<GraphHeader, 'sha256'>): void {
  const file = graphFile(database)
  const pending = `${file}.new`
  try {
    graph.writeIndexSync(pending)
    const sha256 = digestOf(pending)
    renameSync(pending, file)
    writeFileSync(`${headerFile(database)}.new`, JSON.stringify({ ...header, sha256 }))
    renameSync(`${headerFile(database)}.new`, headerFile(database))
    if (readGraph(database, { ...header, sha256 }) === undefined) throw new Error('it does not read back')
  } catch (error) {
    removeGraph(database)
    throw new HoneError(
      'INDEX_UNWRITABLE',
      `cannot write ${file}: ${messageOf(error)}; the index is complete and answers without it; free some space and run: ${mendCommand(dirname(file))}`,
      { cause: error },
    )
  }
}

/** The graph, when the file is bit for bit what the header says. */
function readGraph(database: string, header: GraphHeader): Hnswlib.HierarchicalNSW | undefined {
  const library = loadLibrary()
  if (library === undefined || digestOf(graphFile(database)) !== header.sha256) return undefined
  const graph = new library.HierarchicalNSW('ip', header.dimensions)
  try {
    graph.readIndexSync(graphFile(database))
  } catch {
    return undefined // replaced or removed by another process in this moment, or written to a full disk
  }
  return graph.getCurrentCount() === header.points ? graph : undefined
}

/** Removes the graph beside a database. */
export function removeGraph(database: string): void {
  for (const file of [headerFile(database), graphFile(database)])
    for (const suffix of ['', '.new']) rmSync(`${file}${suffix}`, { force: true })
}

function fits(header: GraphHeader, { table, numbering }: GraphSource): boolean {
  return header.numbering === numbering && header.dimensions === table.dimensions && header.rows <= table.rows
}

/** The header beside a database, when it is one of this format and its graph is there. */
function headerOf(database: string): GraphHeader | undefined {
  if (!existsSync(headerFile(database)) || !existsSync(graphFile(database))) return undefined
  try {
    const header = JSON.parse(readFileSync(headerFile(database), 'utf8')) as Partial<GraphHeader> | null
    const isOurs =
      header?.magic === MAGIC &&
      header.format === FORMAT &&
      header.neighbours === NEIGHBOURS &&
      header.breadth === BUILD_BREADTH
    return isOurs ? (header as GraphHeader) : undefined
  } catch {
    return undefined // cut short or unreadable: as good as none
  }
}

/** SHA-256, hex; "" for a file that cannot be read. In blocks: a graph may be larger than a buffer can be. */
function digestOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const hash = sha256Hasher()
      const block = Buffer.alloc(DIGEST_BLOCK_BYTES)
      for (let read = -1; read !== 0;) {
        read = readSync(file, block, 0, block.length, null)
        hash.update(block.subarray(0, read))
      }
      return hash.digest('hex')
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

function graphFile(database: string): string {
  return database.replace(/\.db$/, '.hnsw')
}

function headerFile(database: string): string {
  return `${graphFile(database)}.json`
}

/** Why there can be no graph here, or undefined where there can. */
export function whyNoGraphLibrary(): string | undefined {
  const loaded = tryLibrary()
  return 'why' in loaded ? loaded.why : undefined
}

/** The optional library, or undefined where it is not installed or does not load: exact search then serves. */
function loadLibrary(): typeof Hnswlib | undefined {
  const loaded = tryLibrary()
  return 'why' in loaded ? undefined : loaded.library
}

function tryLibrary(): { readonly library: typeof Hnswlib } | { readonly why: string } {
  try {
    return { library: createRequire(import.meta.url)('hnswlib-node') as typeof Hnswlib }
  } catch (error) {
    return { why: messageOf(error).split('\n')[0] ?? '' }
  }
}
