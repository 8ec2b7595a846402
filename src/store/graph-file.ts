/**
 * The graph as files beside the database: `index-N.hnsw`, and `index-N.hnsw.json` that says what it must be. Only a graph
 * that is bit for bit what was written is given to the library, which would not survive another.
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
import type * as Hnswlib from 'hnswlib-node'
import { sha256Hasher } from '../digest.js'
import { HoneError, messageOf } from '../errors.js'
import type { VectorTable } from '../vector/vector-table.js'
import { mendCommand } from './mend.js'
import type { TieOrder } from './vectors.js'

export type Graph = Hnswlib.HierarchicalNSW

// The library's usual values; recall@10 against exact search is held above 0.98 by a test.
export const NEIGHBOURS = 16
export const BUILD_BREADTH = 200
const DIGEST_BLOCK_BYTES = 1 << 22

/** What a graph file must match before it is loaded: the library does not check, a damaged file ends the process. */
export interface GraphHeader {
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

/** What a header says of the graph alone; the rest is the same for all. */
export type GraphFacts = Pick<GraphHeader, 'dimensions' | 'points' | 'rows' | 'numbering'>

/**
 * Writes a graph beside a database. The library does not say when a disk is full: what was written is read back before it
 * counts. Throws INDEX_UNWRITABLE; then there is no graph.
 */
export function writeGraph(database: string, graph: Graph, facts: GraphFacts): void {
  removeGraph(database) // without a header the old graph counts for nothing
  const header = {
    magic: MAGIC,
    format: FORMAT,
    neighbours: NEIGHBOURS,
    breadth: BUILD_BREADTH,
    ...facts,
  } as const
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
export function readGraph(database: string, header: GraphHeader): Graph | undefined {
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

/** Whether the graph is there bit for bit. */
export function isSound(database: string, header: GraphHeader): boolean {
  return digestOf(graphFile(database)) === header.sha256
}

/** Removes the graph beside a database. */
export function removeGraph(database: string): void {
  for (const file of [headerFile(database), graphFile(database)])
    for (const suffix of ['', '.new']) rmSync(`${file}${suffix}`, { force: true })
}

/** Whether a header is of a graph of this table. */
export function fits(header: GraphHeader, { table, numbering }: GraphSource): boolean {
  return header.numbering === numbering && header.dimensions === table.dimensions && header.rows <= table.rows
}

/** The header beside a database, when it is one of this format and its graph is there. */
export function headerOf(database: string): GraphHeader | undefined {
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
export function loadLibrary(): typeof Hnswlib | undefined {
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
