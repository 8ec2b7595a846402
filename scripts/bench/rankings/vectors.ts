/** Cosine of the task and each chunk; a file is as near as its nearest chunk. Only source files compete, as in keyword.ts. */
import type { ChunkScores } from './chunk-scores.js'
import { byChunks } from './keyword.js'
import { best, type Corpus, type Rank } from './ranking.js'

export async function chunkCosines({ reader, embedder }: Corpus, task: string): Promise<ChunkScores> {
  const similarity = reader.vectors.similarityTo(await embedder.embed([task]))
  return Float64Array.from(reader.documents.fileOf, (file, chunk) => (file > 0 ? similarity(chunk) : 0))
}

export const rankByVectors: Rank = async (corpus, task, limit) => {
  const scored = byChunks(corpus, await chunkCosines(corpus, task), { chunks: 1 })
  return best(scored, limit).map((file) => file.toRanked(corpus))
}
