/** Hybrid search as most tools do it: keyword and vector lists joined by reciprocal rank (Cormack et al. 2009). */
import { byChunks, chunkBm25 } from './keyword.js'
import { best, type Rank } from './ranking.js'
import { chunkCosines } from './vectors.js'

const K = 60 // of the paper; what the tools use
const POOL = 100 // files taken from each list

/** score(path) = sum over lists of 1 / (K + rank), ranks from 1. */
export function reciprocalRankFusion(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  for (const list of lists) {
    list.forEach((path, i) => scores.set(path, (scores.get(path) ?? 0) + 1 / (K + i + 1)))
  }
  return scores
}

export const rankByFusion: Rank = async (corpus, task, limit) => {
  const keyword = best(byChunks(corpus, chunkBm25(corpus.reader, task), { chunks: 4 }), POOL)
  const nearest = best(byChunks(corpus, await chunkCosines(corpus, task), { chunks: 1 }), POOL)
  const fused = reciprocalRankFusion([keyword, nearest].map((list) => list.map(({ path }) => path)))
  const shown = new Map([...nearest, ...keyword].map((file) => [file.path, file])) // keyword's chunks where both have it
  const scored = [...fused].map(([path, score]) => ({ path, score }))
  return best(scored, limit).flatMap(({ path }) => shown.get(path)?.toRanked(corpus) ?? [])
}
