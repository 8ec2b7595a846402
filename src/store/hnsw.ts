/**
 * Approximate nearest chunks by a navigable small world graph (Malkov and Yashunin 2018), through hnswlib-node.
 * Only for very large indexes and processes that ask often (docs/decisions/0004-exact-vector-search.md).
 * The graph is a cache beside the database (graph-file.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HoneError } from '../errors.js'
import type { ChunkId } from '../types.js'
import type { VectorTable } from '../vector/vector-table.js'
import {
  BUILD_BREADTH,
  fits,
  headerOf,
  isSound,
  loadLibrary,
  NEIGHBOURS,
  readGraph,
  writeGraph,
  type Graph,
  type GraphHeader,
  type GraphSource,
} from './graph-file.js'
import { ExactIndex, type TieOrder, type VectorIndex, type VectorSearch } from './vectors.js'

/** From this many chunks on `hone index` builds a graph: below, comparing with all takes less than 60 ms. */
export const HNSW_FROM_CHUNKS = 1_000_000

// Verifying and loading the graph takes as long as about so many exact searches: a process that asks once never pays.
const LOAD_AFTER_SEARCHES = 100
const SEED = 100
const LEAST_SEARCH_BREADTH = 200
// Chunks added since are compared one by one; beyond this share of all the graph is built anew.
const MAX_TAIL_SHARE = 0.1
// A filter is tried on so many chunks ...
const SAMPLED_CHUNKS = 500
// ... and the graph left alone when it accepts fewer: the walk through what it rejects costs more than comparing all.
const LEAST_ACCEPTED_SHARE = 0.1
// Points added in one go, 15 ms at a million: whoever asks in the same process is answered between two of them.
const POINTS_PER_TURN = 16

export interface GraphBuildOptions {
  readonly onProgress?: (done: number, total: number) => void
  /** Asked when all is added: false drops it, for the index it was made for is gone. */
  readonly isWanted?: () => boolean
  readonly signal?: AbortSignal
}

class HnswIndex implements VectorIndex {
  readonly #exact: ExactIndex
  /** Chunks younger than the graph. */
  readonly #tail: ExactIndex
  #searches = 0
  #graph: Graph | 'unsound' | undefined

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
    const similarity = this.table.similarityTo(query)
    const nearest = labels.map((label) => ({ chunk: label as ChunkId, similarity: similarity(label) }))
    nearest.push(...this.#tail.search(query, k, accepts).nearest)
    nearest.sort((a, b) => b.similarity - a.similarity || this.options.tieOrder(a.chunk, b.chunk))
    return { nearest: nearest.slice(0, k), similarity }
  }

  #loaded(): Graph | undefined {
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
  return tail <= MAX_TAIL_SHARE * source.table.rows && isSound(database, header)
}

/**
 * Makes the graph beside the database one of all `chunks` (ascending): a sound one that is there takes in those younger
 * than it, else a new one all. Chunks that were deleted stay in it, and are passed over by the filter of a search.
 * Returns false where hnswlib-node is not installed, or the database was replaced meanwhile. Throws ABORTED, or
 * INDEX_UNWRITABLE when it does not fit on the disk; the index answers without it.
 */
export async function buildGraph(
  database: string,
  source: GraphSource & { readonly chunks: readonly ChunkId[] },
  options: GraphBuildOptions = {},
): Promise<boolean> {
  const { table, numbering } = source
  const start = grown(database, source) ?? empty(source)
  if (start === undefined) return false
  const { graph, points: before, rows } = start
  const chunks = source.chunks.filter((chunk) => chunk >= rows)
  const added = await addPoints(graph, { table, chunks }, options)
  if (options.isWanted?.() === false) return false
  writeGraph(database, graph, {
    dimensions: table.dimensions,
    points: before + added,
    rows: table.rows,
    numbering,
  })
  return true
}

/** A graph with the points it has, of the rows below `rows`, and room for the others. */
interface GrowingGraph {
  readonly graph: Graph
  readonly points: number
  readonly rows: number
}

type BuildSource = GraphSource & { readonly chunks: readonly ChunkId[] }

/** The graph that is there, if it is sound and of this table. */
function grown(database: string, source: BuildSource): GrowingGraph | undefined {
  const header = headerOf(database)
  if (header === undefined || !fits(header, source)) return undefined
  const graph = readGraph(database, header)
  if (graph === undefined) return undefined
  const { points, rows } = header
  graph.resizeIndex(points + source.chunks.filter((chunk) => chunk >= rows).length)
  return { graph, points, rows }
}

function empty({ table, chunks }: BuildSource): GrowingGraph | undefined {
  const library = loadLibrary()
  if (library === undefined) return undefined
  const graph = new library.HierarchicalNSW('ip', table.dimensions)
  graph.initIndex({
    maxElements: chunks.length,
    m: NEIGHBOURS,
    efConstruction: BUILD_BREADTH,
    randomSeed: SEED,
  })
  return { graph, points: 0, rows: 0 }
}

/** Chunks without a vector are near to nothing and stay out. Returns how many are in. */
async function addPoints(
  graph: Graph,
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
