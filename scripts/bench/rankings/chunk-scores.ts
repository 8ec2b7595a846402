/** From scores of chunks to a scored file that can show its best chunks. */
import type { IndexReader } from '../../../src/store/index-reader.js'
import type { StoredFile } from '../../../src/store/records.js'
import type { RankedFile } from '../metrics.js'
import type { Corpus } from './ranking.js'

/** By chunk id. */
export type ChunkScores = ArrayLike<number>

export interface ScoredFile {
  readonly path: string
  readonly score: number
  /** With the tokens of the chunks that made the score, in line order. */
  readonly toRanked: (corpus: Corpus) => RankedFile
}

export function topChunks(
  reader: IndexReader,
  scores: ChunkScores,
  options: { readonly file: StoredFile; readonly chunks: number },
): ScoredFile {
  const { id, path } = options.file
  const first = reader.documents.firstChunk[id] ?? 0
  const count = reader.documents.chunkCount[id] ?? 0
  const top = Array.from({ length: count }, (_, i) => first + i)
    .filter((chunk) => (scores[chunk] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, options.chunks)
  return {
    path,
    score: top.reduce((sum, chunk, i) => sum + (scores[chunk] ?? 0) / (i + 1), 0),
    toRanked: (corpus) => ({ path, pieces: pieces(corpus, options.file, new Set(top)) }),
  }
}

function pieces(corpus: Corpus, file: StoredFile, shown: ReadonlySet<number>): readonly number[] {
  return corpus.reader
    .chunksOf(file.id)
    .filter(({ id }) => shown.has(id))
    .map(({ startLine, endLine }) => corpus.tokens(file.path, { start: startLine, end: endLine }))
}
