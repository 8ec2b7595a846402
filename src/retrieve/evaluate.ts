/**
 * EVALUATE: candidates from the scores, signals for each, a relevance and its reasons.
 */
import { aggregate, NO_SCORE, type FileScore } from '../rank/aggregate.js'
import { NO_PAST } from '../rank/past-scores.js'
import { pathFacts } from '../rank/path-facts.js'
import { rate, type Rating, type RelevanceModel } from '../rank/relevance.js'
import type { FileView, QueryView } from '../rank/signals.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import type { QueryTerm } from './dispatch.js'
import type { Scores } from './scoring.js'

// Recall of the pool stops growing at about 60 files a signal (docs/design.md) ...
const POOL = 60
// ... and in a small repository a sixth of it is plenty, but never fewer than five.
const POOL_SHARE = 1 / 6
const POOL_LEAST = 5
// Files that only the past points at are guesses: more of them crowd out nothing, and find nothing.
const POOL_OF_PAST = 10

/** What is known about the task besides its words. */
export interface TaskFacts {
  /** Files that define a name the task spells out -> those names. */
  readonly definers: ReadonlyMap<FileId, readonly string[]>
  /** Files whose path the task names. */
  readonly named: ReadonlySet<FileId>
  /** Files that define a symbol a confirmed file uses -> those symbols. */
  readonly pointedAt: ReadonlyMap<FileId, readonly string[]>
}

export interface RatedFile extends Rating {
  readonly id: FileId
  readonly path: string
  readonly view: FileView
  /** Terms of the query found in the file, in query order. */
  readonly matched: readonly QueryTerm[]
}

interface FileSums {
  readonly id: FileId
  readonly body: FileScore
  readonly names: FileScore
  readonly comment: FileScore
}

export interface EvaluateOptions {
  readonly terms: readonly QueryTerm[]
  readonly facts: TaskFacts
  readonly model: RelevanceModel
  readonly accepts: (file: FileId) => boolean
}

export interface Evaluation {
  /** Best first, ties by path. */
  readonly rated: readonly RatedFile[]
  /** What values are relative to; later cycles rate on the same scale. */
  readonly query: QueryView
  readonly sums: ReadonlyMap<FileId, FileSums>
}

/** Finds the candidates and rates them. */
export function evaluate(index: IndexReader, scores: Scores, options: EvaluateOptions): Evaluation {
  const sums = fileSums(index, scores)
  const pool = candidates(index, scores, { sums, facts: options.facts, accepts: options.accepts })
  const views = pool.map((id) => ({
    id,
    view: fileView(index, scores, { id, sums: sums.get(id), facts: options.facts }),
  }))
  const query = queryView(
    scores,
    views.map(({ view }) => view),
    sums,
  )
  return { rated: rateAll(index, scores, { views, query, options }), query, sums }
}

/** Rates given files with new facts about them, on the scale of an earlier evaluation. */
export function rateAgain(
  index: IndexReader,
  scores: Scores,
  options: EvaluateOptions & Omit<Evaluation, 'rated'> & { readonly files: readonly FileId[] },
): readonly RatedFile[] {
  const { sums } = options
  const views = options.files
    .filter((id) => options.accepts(id))
    .map((id) => ({ id, view: fileView(index, scores, { id, sums: sums.get(id), facts: options.facts }) }))
  return rateAll(index, scores, { views, query: options.query, options })
}

function rateAll(
  index: IndexReader,
  scores: Scores,
  of: {
    readonly views: readonly { readonly id: FileId; readonly view: FileView }[]
    readonly query: QueryView
    readonly options: EvaluateOptions
  },
): readonly RatedFile[] {
  return of.views
    .map(({ id, view }): RatedFile => {
      const matched = matchedTerms(index, scores, of.options.terms, id)
      return { id, path: view.path, view, matched, ...rate(of.options.model, of.query, view) }
    })
    .sort((a, b) => b.relevance - a.relevance || (a.path < b.path ? -1 : 1))
}

function fileSums(index: IndexReader, scores: Scores): ReadonlyMap<FileId, FileSums> {
  const { fileOf, firstChunk, chunkCount } = index.documents
  const sums = new Map<FileId, FileSums>()
  for (let chunk = 0; chunk < scores.mask.length; chunk++) {
    if (scores.mask[chunk] === 0) continue
    const id = fileOf[chunk] as FileId
    const first = firstChunk[id]!
    const count = chunkCount[id]! // a live chunk belongs to a live file
    sums.set(id, {
      id,
      body: aggregate(scores.body, first, count),
      names: aggregate(scores.names, first, count),
      comment: aggregate(scores.comment, first, count),
    })
    chunk = first + count - 1
  }
  return sums
}

function candidates(
  index: IndexReader,
  scores: Scores,
  options: {
    readonly sums: ReadonlyMap<FileId, FileSums>
    readonly facts: TaskFacts
    readonly accepts: (file: FileId) => boolean
  },
): readonly FileId[] {
  const size = Math.max(POOL_LEAST, Math.min(POOL, Math.ceil(index.liveFiles * POOL_SHARE)))
  const pathOf = (id: FileId): string => index.pathOf(id)
  const sums = [...options.sums.values()]
  const pool = new Set<FileId>()
  for (const value of [
    (s: FileSums) => s.body.sum,
    (s: FileSums) => s.names.sum,
    (s: FileSums) => s.comment.sum,
  ]) {
    const positive = sums.filter((file) => value(file) > 0)
    for (const { id } of top(positive, value, { size, pathOf })) pool.add(id)
  }
  const paths = [...scores.pathMask.keys()]
    .filter((id) => scores.pathMask[id] !== 0)
    .map((id) => ({ id: id as FileId }))
  const pathScore = ({ id }: { readonly id: FileId }): number => scores.fileName[id]! + scores.folder[id]!
  for (const { id } of top(paths, pathScore, { size, pathOf })) pool.add(id)
  for (const id of nearestFiles(index, scores, size)) pool.add(id)
  const past = [...scores.past.files].map(([id, { sum }]) => ({ id, sum }))
  for (const { id } of top(past, ({ sum }) => sum, { size: Math.min(size, POOL_OF_PAST), pathOf }))
    pool.add(id)
  for (const id of [
    ...options.facts.definers.keys(),
    ...options.facts.named,
    ...options.facts.pointedAt.keys(),
  ]) {
    if (options.accepts(id)) pool.add(id)
  }
  return [...pool].sort((a, b) => a - b)
}

function nearestFiles(index: IndexReader, scores: Scores, size: number): readonly FileId[] {
  const nearness = new Map<FileId, number>()
  for (const { chunk, similarity } of scores.nearest) {
    const id = index.documents.fileOf[chunk] as FileId
    if (!nearness.has(id)) nearness.set(id, similarity)
  }
  const files = [...nearness].map(([id, similarity]) => ({ id, similarity }))
  const nearest = top(files, ({ similarity }) => similarity, { size, pathOf: (id) => index.pathOf(id) })
  return nearest.map(({ id }) => id)
}

/**
 * The `size` largest. Ties at the border are decided by path: ids tell in what order files were indexed, and
 * an updated index must answer as a new one does.
 */
function top<T extends { readonly id: FileId }>(
  items: readonly T[],
  value: (item: T) => number,
  options: { readonly size: number; readonly pathOf: (id: FileId) => string },
): readonly T[] {
  const { size, pathOf } = options
  const sorted = [...items].sort((a, b) => value(b) - value(a))
  const last = sorted[size - 1]
  if (last === undefined) return sorted
  const border = value(last)
  const above = sorted.filter((item) => value(item) > border)
  const tied = sorted.filter((item) => value(item) === border)
  tied.sort((a, b) => (pathOf(a.id) < pathOf(b.id) ? -1 : 1)) // paths are unique
  return [...above, ...tied.slice(0, size - above.length)]
}

function fileView(
  index: IndexReader,
  scores: Scores,
  options: {
    readonly id: FileId
    readonly sums: FileSums | undefined
    readonly facts: TaskFacts
  },
): FileView {
  const { id, sums, facts } = options
  const first = index.documents.firstChunk[id]!
  const chunks = index.documents.chunkCount[id]! // candidates are live files
  const path = index.pathOf(id)
  const masks = fileMasks(scores, id, first, chunks)
  const similarities = Float64Array.from({ length: chunks }, (_, i) =>
    Math.max(0, scores.similarity(first + i)),
  )
  return {
    path,
    facts: pathFacts(path),
    body: sums?.body ?? NO_SCORE,
    names: sums?.names ?? NO_SCORE,
    comment: sums?.comment ?? NO_SCORE,
    fileName: scores.fileName[id]!,
    folder: scores.folder[id]!,
    cosine: aggregate(similarities, 0, chunks),
    coverage: covered(scores, masks.any),
    nameCoverage: covered(scores, masks.names),
    chunkCoverage: masks.bestChunk,
    definedSymbols: facts.definers.get(id) ?? [],
    isNamed: facts.named.has(id),
    pointedAtBy: facts.pointedAt.get(id) ?? [],
    chunks,
    past: scores.past.files.get(id) ?? NO_PAST,
    commits: index.past.commitsOf(id),
  }
}

function fileMasks(
  scores: Scores,
  id: FileId,
  first: number,
  count: number,
): { readonly any: number; readonly names: number; readonly bestChunk: number } {
  const path = scores.pathMask[id]!
  let any = path
  let names = path
  let bestChunk = 0
  for (let chunk = first; chunk < first + count; chunk++) {
    const mask = scores.mask[chunk]!
    any |= mask
    names |= scores.nameMask[chunk]!
    if (mask !== 0) bestChunk = Math.max(bestChunk, covered(scores, mask))
  }
  return { any, names, bestChunk }
}

/** Share of the query's weight in the terms of a mask, 0..1. */
function covered({ termIdf, totalIdf }: Scores, mask: number): number {
  if (totalIdf === 0) return 0
  let sum = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += termIdf[31 - Math.clz32(rest & -rest)]!
  return sum / totalIdf
}

function queryView(
  scores: Scores,
  views: readonly FileView[],
  sums: ReadonlyMap<FileId, FileSums>,
): QueryView {
  const best = (value: (view: FileView) => number): number => Math.max(0, ...views.map(value))
  const bestSum = (value: (sum: FileSums) => number): number => {
    let largest = 0
    for (const sum of sums.values()) largest = Math.max(largest, value(sum))
    return largest
  }
  const past = [...scores.past.files.values()]
  return {
    totalIdf: scores.totalIdf,
    knownTerms: scores.termIdf.length,
    pastIdf: scores.past.totalIdf,
    hasPast: scores.past.isKnown,
    best: {
      pastSum: past.reduce((most, { sum }) => Math.max(most, sum), 0),
      pastBest: past.reduce((most, { best }) => Math.max(most, best), 0),
      body: bestSum((s) => s.body.sum),
      names: bestSum((s) => s.names.sum),
      comment: bestSum((s) => s.comment.sum),
      fileName: best((v) => v.fileName),
      folder: best((v) => v.folder),
      cosine: best((v) => v.cosine.best),
      cosineSum: best((v) => v.cosine.sum),
    },
  }
}

function matchedTerms(
  index: IndexReader,
  scores: Scores,
  terms: readonly QueryTerm[],
  id: FileId,
): readonly QueryTerm[] {
  const first = index.documents.firstChunk[id]!
  const { any } = fileMasks(scores, id, first, index.documents.chunkCount[id]!)
  return terms.filter((_, t) => (any & (1 << t)) !== 0)
}
