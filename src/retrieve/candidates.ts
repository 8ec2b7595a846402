/** Which files are looked at closely: the best of every score, and those the task or a found file points at. */
import { aggregate, sumOfBest, type FileScore } from '../rank/aggregate.js'
import { largestFirst } from '../rank/largest-first.js'
import { isText, type PathFacts } from '../rank/path-facts.js'
import type { DocumentArrays } from '../store/document-columns.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import type { Scores } from './scoring.js'
import type { TaskFacts } from './task-facts.js'

// Of the files that commits changed, 97 % are candidates with these; with 60, a sixth and five 95 % were
// (docs/decisions/0007-relevance-trees.md) ...
const POOL = 100
// ... in a small repository half of it, but never fewer than twenty.
const POOL_SHARE = 1 / 2
const POOL_LEAST = 20
// Files that only the past points at are guesses: more of them crowd out nothing, and find nothing.
const POOL_OF_PAST = 10
// Documents and data come beside the files of code, not in their place: they hold the words of everything.
const POOL_OF_TEXTS = 1 / 4

/** Scores of a file that holds a term of the query. */
export interface FileSums {
  readonly body: FileScore
  readonly names: FileScore
  readonly comment: FileScore
}

/** Those of a file, or undefined where it holds no term. */
export function sumsOf(
  { documents }: IndexReader,
  { mask, body, names, comment }: Scores,
  file: FileId,
): FileSums | undefined {
  const first = documents.firstChunk[file]!
  const count = documents.chunkCount[file]! // a file of this index, like all here
  if (!mask.subarray(first, first + count).some((bits) => bits !== 0)) return undefined
  return {
    body: aggregate(body, first, count),
    names: aggregate(names, first, count),
    comment: aggregate(comment, first, count),
  }
}

/** Files that hold a term, with what each list is ordered by. Columns: frequent words are in nearly every file. */
interface MatchedFiles {
  readonly ids: Int32Array
  readonly body: Float64Array
  readonly names: Float64Array
  readonly comment: Float64Array
  readonly all: Float64Array
}

function matchedFiles(
  { documents }: IndexReader,
  scores: Scores,
  accepts: (file: FileId) => boolean,
): MatchedFiles {
  const ids = filesWithATerm(documents, scores, accepts)
  const [body, names, comment] = [scores.body, scores.names, scores.comment].map((field) =>
    summed(documents, ids, field),
  ) as [Float64Array, Float64Array, Float64Array]
  return { ids, body, names, comment, all: body.map((sum, i) => sum + names[i]! + comment[i]!) } // as long as `body`
}

function summed(
  { firstChunk, chunkCount }: DocumentArrays,
  ids: Int32Array,
  field: Float64Array,
): Float64Array {
  const sums = new Float64Array(ids.length)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    sums[i] = sumOfBest(field, firstChunk[id]!, chunkCount[id]!)
  }
  return sums
}

function filesWithATerm(
  { fileOf, firstChunk, chunkCount }: DocumentArrays,
  { mask }: Scores,
  accepts: (file: FileId) => boolean,
): Int32Array {
  const ids = new Int32Array(firstChunk.length)
  let n = 0
  for (let chunk = 0; chunk < mask.length; chunk++) {
    if (mask[chunk] === 0) continue
    const id = fileOf[chunk]! // a scored chunk is a live one
    if (accepts(id as FileId)) ids[n++] = id
    chunk = firstChunk[id]! + chunkCount[id]! - 1
  }
  return ids.subarray(0, n)
}

export function candidates(
  index: IndexReader,
  scores: Scores,
  options: {
    readonly facts: TaskFacts
    readonly accepts: (file: FileId) => boolean
    readonly factsOf: (file: FileId) => PathFacts
    /** Files of each list at most. Default: by the size of the repository. */
    readonly most?: number
  },
): readonly FileId[] {
  const size = options.most ?? Math.max(POOL_LEAST, Math.min(POOL, Math.ceil(index.liveFiles * POOL_SHARE)))
  const by = { pathOf: (id: FileId): string => index.pathOf(id), factsOf: options.factsOf }
  const { ids, body, names, comment, all } = matchedFiles(index, scores, options.accepts)
  const lists: readonly ScoredFiles[] = [
    { ids, scores: body, above: 0 },
    { ids, scores: names, above: 0 },
    { ids, scores: comment, above: 0 },
    { ids, scores: all, above: 0 },
    matchedPaths(scores, options.accepts),
    nearestFiles(index, scores), // however far: in a narrow scope nothing else may be there
  ]
  const pool = new Set(lists.flatMap((files) => top(files, { size, ...by })))
  const past = [...scores.past.files]
  const ofPast = { ids: past.map(([id]) => id), scores: Float64Array.from(past, ([, { sum }]) => sum) }
  for (const id of top(ofPast, { size: Math.min(size, POOL_OF_PAST), ...by })) pool.add(id)
  for (const id of [
    ...options.facts.definers.keys(),
    ...options.facts.mentions.keys(),
    ...options.facts.pointedAt.keys(),
  ]) {
    if (options.accepts(id)) pool.add(id)
  }
  return [...pool].sort((a, b) => a - b)
}

/** Files with the scores they are compared by; those that are not above `above` do not count. */
interface ScoredFiles {
  readonly ids: ArrayLike<number>
  readonly scores: Float64Array
  readonly above?: number
}

function matchedPaths(
  { pathMask, fileName, folder }: Scores,
  accepts: (file: FileId) => boolean,
): ScoredFiles {
  const ids: FileId[] = []
  for (let id = 0; id < pathMask.length; id++)
    if (pathMask[id] !== 0 && accepts(id as FileId)) ids.push(id as FileId)
  return { ids, scores: Float64Array.from(ids, (id) => fileName[id]! + folder[id]!) }
}

/** Files of the nearest chunks, each with its best. */
function nearestFiles(index: IndexReader, scores: Scores): ScoredFiles {
  const nearness = new Map<FileId, number>()
  for (const { chunk, similarity } of scores.nearest) {
    const id = index.documents.fileOf[chunk] as FileId
    if (!nearness.has(id)) nearness.set(id, similarity)
  }
  return { ids: [...nearness.keys()], scores: Float64Array.from(nearness.values()) }
}

/**
 * The `size` files of code with the largest scores, and what documents and data stand between them, up to a
 * part of that. Ties at the border are decided by path: ids tell in what order files were indexed, and an updated index
 * must answer as a new one does.
 */
function top(
  { ids, scores, above }: ScoredFiles,
  options: {
    readonly size: number
    readonly pathOf: (id: FileId) => string
    readonly factsOf: (id: FileId) => PathFacts
  },
): readonly FileId[] {
  const { size, pathOf, factsOf } = options
  const room = { code: size, text: Math.ceil(size * POOL_OF_TEXTS) }
  const taken: FileId[] = []
  for (const batch of largestFirst(scores, {
    atLeast: 2 * size,
    ...(above === undefined ? {} : { above }),
  })) {
    for (let from = 0; from < batch.length && room.code > 0;) {
      const tied = tiedFrom(batch, scores, from)
      from += tied.length
      const files = tied.map((at) => ids[at] as FileId) // positions in `ids`
      if (files.length > 1) files.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)) // paths are unique
      for (const id of files) {
        const kind = isText(factsOf(id)) ? 'text' : 'code'
        if (room[kind]-- > 0) taken.push(id)
      }
    }
    if (room.code <= 0) break
  }
  return taken
}

function tiedFrom(sorted: readonly number[], scores: Float64Array, from: number): readonly number[] {
  const score = scores[sorted[from]!] // from < length
  let end = from + 1
  while (end < sorted.length && scores[sorted[end]!] === score) end++
  return sorted.slice(from, end)
}
