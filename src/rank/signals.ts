/**
 * The signals: named numbers about (query, file), each one small pure function. Their order is the model's input;
 * adding, removing or changing one means a new SIGNALS_VERSION.
 */
import type { FileScore } from './aggregate.js'
import type { PastScore } from './past-scores.js'
import type { PathFacts } from './path-facts.js'

/**
 * 1: first table, hand-set weights.
 * 2: past commits.
 */
export const SIGNALS_VERSION = 2

/** What ranking knows about the query. */
export interface QueryView {
  /** Sum of idf over the query's terms. */
  readonly totalIdf: number
  /** Query terms that occur somewhere in the index. */
  readonly knownTerms: number
  /** Largest value in the pool of candidates, for relative signals. */
  readonly best: {
    readonly body: number
    readonly names: number
    readonly comment: number
    readonly fileName: number
    readonly folder: number
    readonly cosine: number
    readonly cosineSum: number
    readonly pastSum: number
    readonly pastBest: number
  }
  /** Sum of idf over the query's terms in the subjects of past commits. */
  readonly pastIdf: number
  /** Whether the index holds past commits. */
  readonly hasPast: boolean
}

/** What ranking knows about one candidate file. */
export interface FileView {
  readonly path: string
  readonly facts: PathFacts
  readonly body: FileScore
  readonly names: FileScore
  readonly comment: FileScore
  /** BM25 of the file name and of the folder names. */
  readonly fileName: number
  readonly folder: number
  /** Cosine of the query with the file's chunks, 0..1. */
  readonly cosine: FileScore
  /** Share of the query's idf found in the file's text, 0..1; and in its definition names and path. */
  readonly coverage: number
  readonly nameCoverage: number
  /** Share of the query's idf found together in the file's best chunk, 0..1. */
  readonly chunkCoverage: number
  /** Identifiers of the task (as written) that this file defines. */
  readonly definedSymbols: readonly string[]
  /** Whether the task names this path. */
  readonly isNamed: boolean
  /** Symbols a confirmed file uses and this file defines. */
  readonly pointedAtBy: readonly string[]
  readonly chunks: number
  /** What the subjects of past commits that touched it have of the query. */
  readonly past: PastScore
  /** Past commits that touched it. */
  readonly commits: number
}

export interface Signal {
  readonly name: string
  readonly value: (query: QueryView, file: FileView) => number
}

const share = (value: number, best: number): number => (best > 0 ? value / best : 0)
const flag = (is: boolean): number => (is ? 1 : 0)

/** Relative signals are in 0..1 (share of the best candidate); "raw" ones are unbounded above. */
export const SIGNALS: readonly Signal[] = [
  { name: 'bm25.body.sum', value: (q, f) => share(f.body.sum, q.best.body) },
  { name: 'bm25.body.raw', value: (q, f) => (q.totalIdf > 0 ? f.body.best / q.totalIdf : 0) },
  { name: 'bm25.names.sum', value: (q, f) => share(f.names.sum, q.best.names) },
  { name: 'bm25.comment.sum', value: (q, f) => share(f.comment.sum, q.best.comment) },
  { name: 'bm25.file-name', value: (q, f) => share(f.fileName, q.best.fileName) },
  { name: 'bm25.folder', value: (q, f) => share(f.folder, q.best.folder) },
  { name: 'cosine.best', value: (_, f) => f.cosine.best },
  { name: 'cosine.share', value: (q, f) => share(f.cosine.sum, q.best.cosineSum) },
  { name: 'coverage', value: (_, f) => f.coverage },
  { name: 'coverage.names', value: (_, f) => f.nameCoverage },
  { name: 'coverage.chunk', value: (_, f) => f.chunkCoverage },
  { name: 'defines.symbol', value: (_, f) => Math.min(f.definedSymbols.length, 2) },
  { name: 'named.path', value: (_, f) => flag(f.isNamed) },
  { name: 'pointed-at', value: (_, f) => Math.min(f.pointedAtBy.length, 3) },
  { name: 'file.test', value: (_, f) => flag(f.facts.isTest) },
  { name: 'file.document', value: (_, f) => flag(f.facts.isDocument) },
  { name: 'file.generated', value: (_, f) => flag(f.facts.isGenerated) },
  { name: 'file.data', value: (_, f) => flag(f.facts.isData) },
  { name: 'file.barrel', value: (_, f) => flag(f.facts.isBarrel) },
  { name: 'file.size', value: (_, f) => Math.log2(1 + f.chunks) / 10 },
  { name: 'past.sum', value: (q, f) => share(f.past.sum, q.best.pastSum) },
  { name: 'past.best', value: (q, f) => share(f.past.best, q.best.pastBest) },
  { name: 'past.sum.raw', value: (q, f) => share(f.past.sum, q.pastIdf) },
  { name: 'past.best.raw', value: (q, f) => share(f.past.best, q.pastIdf) },
  { name: 'past.known', value: (q) => flag(q.hasPast) },
  { name: 'past.commits', value: (_, f) => Math.log2(1 + f.commits) / 10 },
]
