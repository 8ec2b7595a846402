/** Which files are looked at closely: the best of every score, and those the task or a found file points at. */
import { aggregate, type FileScore } from '../rank/aggregate.js'
import { isText, type PathFacts } from '../rank/path-facts.js'
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
  readonly id: FileId
  readonly body: FileScore
  readonly names: FileScore
  readonly comment: FileScore
}

export function fileSums(index: IndexReader, scores: Scores): ReadonlyMap<FileId, FileSums> {
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

export function candidates(
  index: IndexReader,
  scores: Scores,
  options: {
    readonly sums: ReadonlyMap<FileId, FileSums>
    readonly facts: TaskFacts
    readonly accepts: (file: FileId) => boolean
    readonly factsOf: (file: FileId) => PathFacts
    /** Files of each list at most. Default: by the size of the repository. */
    readonly most?: number
  },
): readonly FileId[] {
  const size = options.most ?? Math.max(POOL_LEAST, Math.min(POOL, Math.ceil(index.liveFiles * POOL_SHARE)))
  const by = { pathOf: (id: FileId): string => index.pathOf(id), factsOf: options.factsOf }
  const sums = [...options.sums.values()]
  const summed = (value: (sums: FileSums) => number): readonly Scored[] =>
    sums.map((file) => ({ id: file.id, score: value(file) })).filter(({ score }) => score > 0)
  const lists = [
    summed(({ body }) => body.sum),
    summed(({ names }) => names.sum),
    summed(({ comment }) => comment.sum),
    summed(({ body, names, comment }) => body.sum + names.sum + comment.sum),
    matchedPaths(scores),
    nearestFiles(index, scores), // however far: in a narrow scope nothing else may be there
  ]
  const pool = new Set(lists.flatMap((files) => top(files, { size, ...by })))
  const past = [...scores.past.files].map(([id, { sum }]) => ({ id, score: sum }))
  for (const id of top(past, { size: Math.min(size, POOL_OF_PAST), ...by })) pool.add(id)
  for (const id of [
    ...options.facts.definers.keys(),
    ...options.facts.mentions.keys(),
    ...options.facts.pointedAt.keys(),
  ]) {
    if (options.accepts(id)) pool.add(id)
  }
  return [...pool].sort((a, b) => a - b)
}

/** A file with the score it is compared by. */
interface Scored {
  readonly id: FileId
  readonly score: number
}

function matchedPaths({ pathMask, fileName, folder }: Scores): readonly Scored[] {
  const files: Scored[] = []
  for (let id = 0; id < pathMask.length; id++)
    if (pathMask[id] !== 0) files.push({ id: id as FileId, score: fileName[id]! + folder[id]! })
  return files
}

/** Files of the nearest chunks, each with its best. */
function nearestFiles(index: IndexReader, scores: Scores): readonly Scored[] {
  const nearness = new Map<FileId, number>()
  for (const { chunk, similarity } of scores.nearest) {
    const id = index.documents.fileOf[chunk] as FileId
    if (!nearness.has(id)) nearness.set(id, similarity)
  }
  return [...nearness].map(([id, score]) => ({ id, score }))
}

/**
 * The `size` files of code with the largest scores, and what documents and data stand between them, up to a
 * part of that. Ties at the border are decided by path: ids tell in what order files were indexed, and an updated index
 * must answer as a new one does.
 */
function top(
  files: readonly Scored[],
  options: {
    readonly size: number
    readonly pathOf: (id: FileId) => string
    readonly factsOf: (id: FileId) => PathFacts
  },
): readonly FileId[] {
  const { size, pathOf, factsOf } = options
  const room = { code: size, text: Math.ceil(size * POOL_OF_TEXTS) }
  const sorted = [...files].sort((a, b) => b.score - a.score)
  const taken: FileId[] = []
  for (let from = 0; from < sorted.length && room.code > 0;) {
    const tied = tiedFrom(sorted, from)
    from += tied.length
    if (tied.length > 1) tied.sort((a, b) => (pathOf(a.id) < pathOf(b.id) ? -1 : 1)) // paths are unique
    for (const { id } of tied) {
      const kind = isText(factsOf(id)) ? 'text' : 'code'
      if (room[kind]-- > 0) taken.push(id)
    }
  }
  return taken
}

function tiedFrom(sorted: readonly Scored[], from: number): Scored[] {
  let end = from + 1
  while (end < sorted.length && sorted[end]!.score === sorted[from]!.score) end++
  return sorted.slice(from, end)
}
