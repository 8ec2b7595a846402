/** Nearest chunks to a query vector. */
import type { ChunkId } from '../types.js'
import type { VectorTable } from '../vector/vector-table.js'

export interface Neighbour {
  readonly chunk: ChunkId
  /** Cosine, -1..1. */
  readonly similarity: number
}

export interface VectorSearch {
  /** The k accepted chunks nearest to the query, best first; ties in the order the index was given. */
  readonly nearest: readonly Neighbour[]
  /** Cosine of the query with any chunk; 0 for one without a vector. */
  readonly similarity: (chunk: number) => number
}

/** Negative when chunk a comes before chunk b among equally near ones. */
export type TieOrder = (a: number, b: number) => number

const BY_ID: TieOrder = (a, b) => a - b

/** One interface for exact and approximate search. */
export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw'
  /** query: a unit vector (or zeros, which are near to nothing). */
  search(query: Float32Array, k: number, accepts: (chunk: ChunkId) => boolean): VectorSearch
}

export interface ExactOptions {
  /** Row to begin at. Default 0. */
  readonly first?: number
  /** Default: by id. */
  readonly tieOrder?: TieOrder
}

/** Compares with every vector, or every one from row `first` on. */
export class ExactIndex implements VectorIndex {
  readonly kind = 'exact'

  constructor(
    readonly table: VectorTable,
    readonly options: ExactOptions = {},
  ) {}

  search(query: Float32Array, k: number, accepts: (chunk: ChunkId) => boolean): VectorSearch {
    const { first = 0, tieOrder = BY_ID } = this.options
    const similarities = this.table.similarities(query, first)
    let further: ((row: number) => number) | undefined // asked for rows before `first`, if at all
    const isNearAnything = query.some((x) => x !== 0) // zeros tie with all
    return {
      nearest: isNearAnything ? nearest(similarities, { first, k, accepts, tieOrder }) : [],
      similarity: (chunk) =>
        similarities[chunk - first] ?? (further ??= this.table.similarityTo(query))(chunk),
    }
  }
}

// Cosines are sorted into so many equal steps of -1..1: the k best are those of the last steps, a few more at the border.
const STEPS = 4096

/** The k largest of the accepted rows, best first. Two plain passes: faster than a heap, above all when cold. */
function nearest(
  similarities: Float64Array,
  options: {
    readonly first: number
    readonly k: number
    readonly accepts: (chunk: ChunkId) => boolean
    readonly tieOrder: TieOrder
  },
): readonly Neighbour[] {
  const { first, k, accepts, tieOrder } = options
  const counts = new Uint32Array(STEPS + 1)
  for (const similarity of similarities) counts[stepOf(similarity)]!++
  const found: Neighbour[] = []
  // Whole steps from the top until k accepted rows are found; each round, should few be accepted, takes four times more.
  let high = STEPS
  for (let wanted = k; high >= 0 && found.length < k; wanted *= 4) {
    let low = high
    for (let rows = 0; low >= 0 && rows < wanted; low--) rows += counts[low]!
    for (let i = 0; i < similarities.length; i++) {
      const step = stepOf(similarities[i]!)
      if (step <= low || step > high) continue
      const chunk = (first + i) as ChunkId
      if (accepts(chunk)) found.push({ chunk, similarity: similarities[i]! })
    }
    high = low
  }
  return found.sort((a, b) => b.similarity - a.similarity || tieOrder(a.chunk, b.chunk)).slice(0, k)
}

function stepOf(similarity: number): number {
  return Math.min(STEPS, Math.max(0, Math.floor(((similarity + 1) / 2) * STEPS)))
}
