/** The product itself, through its public door. */
import type { Answer, AnswerFile } from '../../../src/index.js'
import type { RankedFile } from '../metrics.js'
import type { Corpus, Rank } from './ranking.js'

/** The loop with at most `maxCycles` cycles and nothing held back. */
export function rankByHone(maxCycles: number): Rank {
  return async (corpus, task, limit) =>
    toRanked(corpus, await corpus.index.retrieve({ task, limit, maxCycles, minRelevance: 0 }))
}

/** As a user gets it who sets nothing. */
export const rankByDefaults: Rank = async (corpus, task) =>
  toRanked(corpus, await corpus.index.retrieve({ task }))

export function toRanked(corpus: Corpus, { files }: Answer): readonly RankedFile[] {
  return files.map((file) => ({
    path: file.path,
    relevance: file.relevance,
    pieces: pieces(corpus, file),
  }))
}

function pieces(corpus: Corpus, { path, ranges }: AnswerFile): readonly number[] {
  return ranges.map(({ start, end }) => corpus.tokens(path, { start, end }))
}
