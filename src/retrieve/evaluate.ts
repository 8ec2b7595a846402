/**
 * EVALUATE: candidates from the scores, signals for each, a relevance and its reasons.
 */
import { aggregate, NO_SCORE, type FileScore } from '../rank/aggregate.js'
import { NO_PAST } from '../rank/past-scores.js'
import { isText, pathFacts } from '../rank/path-facts.js'
import { rate, type Rating, type RelevanceModel } from '../rank/relevance.js'
import { comparedScores, type FileView, type QueryView } from '../rank/signals.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import type { QueryTerm } from './dispatch.js'
import type { Scores } from './scoring.js'

// Recall of the pool stops growing at about 60 files a signal (docs/design.md) ...
const POOL = 100
// ... and in a small repository a sixth of it is plenty, but never fewer than five.
const POOL_SHARE = 1 / 2
const POOL_LEAST = 20
// Files that only the past points at are guesses: more of them crowd out nothing, and find nothing.
const POOL_OF_PAST = 10
// Documents and data come beside the files of code, not in their place: they hold the words of everything.
const POOL_OF_TEXTS = 1 / 4

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
  const views = pool.map((id) => fileView(index, scores, { id, sums: sums.get(id), facts: options.facts }))
  const query = queryView(
    index,
    scores,
    views.map(({ view }) => view),
  )
  return { rated: rateAll(views, query, options), query, sums }
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
    .map((id) => fileView(index, scores, { id, sums: sums.get(id), facts: options.facts }))
  return rateAll(views, options.query, options)
}

/** One candidate before it is rated. */
interface Candidate {
  readonly id: FileId
  readonly view: FileView
  /** Bit t: the file holds terms[t]. */
  readonly mask: number
}

function rateAll(
  candidates: readonly Candidate[],
  query: QueryView,
  { terms, model }: EvaluateOptions,
): readonly RatedFile[] {
  return candidates
    .map(({ id, view, mask }): RatedFile => {
      const matched = terms.filter((_, t) => (mask & (1 << t)) !== 0)
      return { id, path: view.path, view, matched, ...rate(model, query, view) }
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
  const take = <T extends { readonly id: FileId }>(
    items: readonly T[],
    value: (item: T) => number,
    most = size,
  ): void => {
    const positive = items.filter((item) => value(item) > 0)
    for (const { id } of top(positive, value, { size: most, pathOf })) pool.add(id)
  }
  take(sums, ({ body }) => body.sum)
  take(sums, ({ names }) => names.sum)
  take(sums, ({ comment }) => comment.sum)
  take(sums, ({ body, names, comment }) => body.sum + names.sum + comment.sum)
  take(
    [...scores.pathMask.keys()].map((id) => ({ id: id as FileId })),
    ({ id }) => scores.fileName[id]! + scores.folder[id]!,
  )
  for (const { id } of top(nearestFiles(index, scores), (file) => file.similarity, { size, pathOf }))
    pool.add(id) // however far: in a narrow scope nothing else may be there
  const past = [...scores.past.files].map(([id, { sum }]) => ({ id, sum }))
  take(past, ({ sum }) => sum, Math.min(size, POOL_OF_PAST))
  for (const id of [
    ...options.facts.definers.keys(),
    ...options.facts.named,
    ...options.facts.pointedAt.keys(),
  ]) {
    if (options.accepts(id)) pool.add(id)
  }
  return [...pool].sort((a, b) => a - b)
}

/** Files of the nearest chunks, each with its best. */
function nearestFiles(
  index: IndexReader,
  scores: Scores,
): readonly { readonly id: FileId; readonly similarity: number }[] {
  const nearness = new Map<FileId, number>()
  for (const { chunk, similarity } of scores.nearest) {
    const id = index.documents.fileOf[chunk] as FileId
    if (!nearness.has(id)) nearness.set(id, similarity)
  }
  return [...nearness].map(([id, similarity]) => ({ id, similarity }))
}

/**
 * The `size` files of code with the largest values, and what documents and data stand between them, up to a
 * part of that. Ties at the border are decided by path: ids tell in what order files were indexed, and an updated index
 * must answer as a new one does.
 */
function top<T extends { readonly id: FileId }>(
  items: readonly T[],
  value: (item: T) => number,
  options: { readonly size: number; readonly pathOf: (id: FileId) => string },
): readonly T[] {
  const { size, pathOf } = options
  const room = { code: size, text: Math.ceil(size * POOL_OF_TEXTS) }
  const sorted = [...items].sort((a, b) => value(b) - value(a))
  const taken: T[] = []
  for (let from = 0; from < sorted.length && room.code > 0;) {
    const tied = tiedFrom(sorted, from, value)
    from += tied.length
    if (tied.length > 1) tied.sort((a, b) => (pathOf(a.id) < pathOf(b.id) ? -1 : 1)) // paths are unique
    for (const item of tied) {
      const kind = isText(pathFacts(pathOf(item.id))) ? 'text' : 'code'
      if (room[kind]-- > 0) taken.push(item)
    }
  }
  return taken
}

function tiedFrom<T>(sorted: readonly T[], from: number, value: (item: T) => number): T[] {
  let end = from + 1
  while (end < sorted.length && value(sorted[end]!) === value(sorted[from]!)) end++
  return sorted.slice(from, end)
}

function fileView(
  index: IndexReader,
  scores: Scores,
  options: {
    readonly id: FileId
    readonly sums: FileSums | undefined
    readonly facts: TaskFacts
  },
): Candidate {
  const { id, sums, facts } = options
  const first = index.documents.firstChunk[id]!
  const chunks = index.documents.chunkCount[id]! // candidates are live files
  const path = index.pathOf(id)
  const masks = fileMasks(index, scores, id)
  const similarities = Float64Array.from({ length: chunks }, (_, i) =>
    Math.max(0, scores.similarity(first + i)),
  )
  const view: FileView = {
    path,
    facts: pathFacts(path),
    body: sums?.body ?? NO_SCORE,
    names: sums?.names ?? NO_SCORE,
    comment: sums?.comment ?? NO_SCORE,
    wholeFile: scores.wholeFile[id]!,
    fileName: scores.fileName[id]!,
    folder: scores.folder[id]!,
    cosine: aggregate(similarities, 0, chunks),
    coverage: covered(scores, masks.any),
    nameCoverage: covered(scores, masks.names),
    chunkCoverage: masks.bestChunk,
    rarest: rarest(scores, masks),
    matchedTerms: bits(masks.any),
    fileNameFit: fit(scores.fileNameMask[id]!, index.documents.fileLengths[0][id]!),
    nameFit: masks.nameFit,
    definedSymbols: facts.definers.get(id) ?? [],
    isNamed: facts.named.has(id),
    pointedAtBy: facts.pointedAt.get(id) ?? [],
    chunks,
    past: scores.past.files.get(id) ?? NO_PAST,
    commits: index.past.commitsOf(id),
  }
  return { id, view, mask: masks.any }
}

/** Which terms of the query a file holds, as masks, and how well they fit its names. */
interface FileMasks {
  readonly any: number
  readonly names: number
  /** Share of the query's weight in the best chunk, 0..1. */
  readonly bestChunk: number
  /** Share of the words of the best definition name that the query holds, 0..1. */
  readonly nameFit: number
}

function fileMasks(index: IndexReader, scores: Scores, id: FileId): FileMasks {
  const first = index.documents.firstChunk[id]!
  const end = first + index.documents.chunkCount[id]!
  const nameLengths = index.documents.chunkLengths[1]
  const path = scores.pathMask[id]!
  let any = path
  let names = path
  let bestChunk = 0
  let nameFit = 0
  for (let chunk = first; chunk < end; chunk++) {
    const mask = scores.mask[chunk]!
    if (mask === 0) continue
    const nameMask = scores.nameMask[chunk]!
    any |= mask
    names |= nameMask
    bestChunk = Math.max(bestChunk, covered(scores, mask))
    if (nameMask !== 0) nameFit = Math.max(nameFit, fit(nameMask, nameLengths[chunk]!))
  }
  return { any, names, bestChunk, nameFit }
}

/** Share of the words of a name that are in a mask, 0..1. */
function fit(mask: number, words: number): number {
  return words === 0 ? 0 : Math.min(1, bits(mask) / words)
}

function bits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Whether a file holds the rarest term of the query: 0 no, 1 somewhere, 2 in a name. */
function rarest({ termIdf }: Scores, { any, names }: FileMasks): 0 | 1 | 2 {
  let term = 0
  for (let t = 1; t < termIdf.length; t++) if (termIdf[t]! > termIdf[term]!) term = t
  if ((names & (1 << term)) !== 0) return 2
  return (any & (1 << term)) !== 0 ? 1 : 0
}

/** Share of the query's weight in the terms of a mask, 0..1. */
function covered({ termIdf, totalIdf }: Scores, mask: number): number {
  if (totalIdf === 0) return 0
  let sum = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += termIdf[31 - Math.clz32(rest & -rest)]!
  return sum / totalIdf
}

function queryView(index: IndexReader, scores: Scores, views: readonly FileView[]): QueryView {
  return {
    totalIdf: scores.totalIdf,
    knownTerms: scores.termIdf.length,
    pastIdf: scores.past.totalIdf,
    hasPast: scores.past.isKnown,
    files: index.liveFiles,
    candidates: comparedScores(views),
  }
}
