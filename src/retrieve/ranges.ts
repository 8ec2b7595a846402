/** The line ranges of a file worth reading for a task. */
import type { FileScore } from '../rank/aggregate.js'
import type { IndexReader } from '../store/index-reader.js'
import type { StoredChunk } from '../store/records.js'
import type { AnswerRange, ChunkId, FileId } from '../types.js'
import type { Scores } from './scoring.js'

// More ranges than this are a file, not a pointer into it.
const MAX_RANGES = 4
// A range is shown when it scores at least this share of the file's best.
const SHARE_OF_BEST = 0.4
// Chunks further apart than this are separate ranges.
const JOIN_GAP_LINES = 2
// How much of a chunk's score is keywords; the rest is nearness to the query vector.
const KEYWORD_SHARE = 0.7

export interface MatchedChunk {
  readonly chunk: StoredChunk
  readonly score: number
}

/** The best chunks of a file, best first; ties by line. At least one for a file with lines. */
export function matchedChunks(
  index: IndexReader,
  scores: Scores,
  options: { readonly file: FileId; readonly body: FileScore; readonly lines?: readonly number[] },
): readonly MatchedChunk[] {
  const first = index.documents.firstChunk[options.file]! // an id of this index
  const count = index.documents.chunkCount[options.file]!
  // Chunks of a file have ascending ids in line order, so ties by id are ties by line.
  const scored = Array.from({ length: count }, (_, i) => ({
    id: (first + i) as ChunkId,
    score: chunkScore(scores, first + i, options.body),
  }))
  const pointed = pointedChunks(index, options.file, options.lines ?? [])
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0)
  scored.sort(
    (a, b) => Number(pointed.has(b.id)) - Number(pointed.has(a.id)) || b.score - a.score || a.id - b.id,
  )
  return scored
    .slice(0, MAX_RANGES)
    .filter(({ id, score }, i) => i === 0 || pointed.has(id) || (best > 0 && score >= SHARE_OF_BEST * best))
    .map(({ id, score }) => ({ chunk: index.chunk(id), score: pointed.has(id) ? best + score : score }))
}

/** The chunks that hold the given lines. */
function pointedChunks(index: IndexReader, file: FileId, lines: readonly number[]): ReadonlySet<ChunkId> {
  if (lines.length === 0) return new Set()
  const holding = index
    .chunksOf(file)
    .filter(({ startLine, endLine }) => lines.some((line) => line >= startLine && line <= endLine))
  return new Set(holding.map(({ id }) => id))
}

function chunkScore(scores: Scores, chunk: number, body: FileScore): number {
  const keywords = body.best > 0 ? (scores.body[chunk]! + scores.names[chunk]!) / body.best : 0
  return KEYWORD_SHARE * keywords + (1 - KEYWORD_SHARE) * Math.max(0, scores.similarity(chunk))
}

/** Ranges in line order; neighbours are joined under the name of the better one. */
export function toRanges(matched: readonly MatchedChunk[]): readonly AnswerRange[] {
  return joined(matched).map(({ start, end, best }): AnswerRange => {
    const symbol = symbolOf(best.chunk)
    return { start, end, ...(symbol === '' ? {} : { symbol }), kind: best.chunk.kind }
  })
}

/** Indices into `toRanges` of the same chunks, best range first; ties by line. */
export function bestRanges(matched: readonly MatchedChunk[]): readonly number[] {
  const scores = joined(matched).map(({ best }) => best.score)
  return [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b) // keys are indices
}

interface JoinedRange {
  readonly start: number
  end: number
  best: MatchedChunk
}

function joined(matched: readonly MatchedChunk[]): readonly JoinedRange[] {
  const byLine = [...matched].sort((a, b) => a.chunk.startLine - b.chunk.startLine)
  const ranges: JoinedRange[] = []
  for (const item of byLine) {
    const last = ranges.at(-1)
    if (last !== undefined && item.chunk.startLine <= last.end + JOIN_GAP_LINES) {
      last.end = item.chunk.endLine
      if (item.score > last.best.score) last.best = item
    } else {
      ranges.push({ start: item.chunk.startLine, end: item.chunk.endLine, best: item })
    }
  }
  return ranges
}

/** Symbol of the best chunk that has one. */
export function bestSymbol(matched: readonly MatchedChunk[]): string | undefined {
  return matched.map(({ chunk }) => symbolOf(chunk)).find((symbol) => symbol !== '')
}

function symbolOf({ name, scope, symbols }: StoredChunk): string {
  const own = name === '' ? (symbols[0] ?? '') : name
  return scope === '' || own === '' ? own : `${scope}.${own}`
}
