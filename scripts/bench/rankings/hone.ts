/** The product itself, through its public door. */
import type { Answer, AnswerFile } from '../../../src/index.js'
import { MAX_CYCLES } from '../../../src/config.js'
import type { RankedFile } from '../metrics.js'
import type { Corpus, Method, Rank } from './ranking.js'

/** The loop with at most `maxCycles` cycles and nothing held back. */
export function rankByHone(maxCycles: number): Rank {
  return async (corpus, task, limit) =>
    toRanked(corpus, await corpus.index.retrieve({ task, limit, maxCycles, minRelevance: 0 }))
}

/** One cycle that takes no word for another, for what bridging is worth. */
export const rankWithoutBridging: Rank = async (corpus, task, limit) =>
  toRanked(
    corpus,
    await corpus.index.retrieve({ task, limit, maxCycles: 1, minRelevance: 0, bridging: false }),
  )

/** All cycles, with a transformer's help where the first is unsure; helped everywhere: docs/decisions/0009-deep-step.md. */
export const rankByDeepStep: Rank = async (corpus, task, limit) =>
  toRanked(corpus, await corpus.index.retrieve({ task, limit, minRelevance: 0, deep: 'auto' }))

/** As a user gets it who sets nothing. */
export const rankByDefaults: Rank = async (corpus, task) =>
  toRanked(corpus, await corpus.index.retrieve({ task }))

/** Without past commits: what a folder gets that is no git repository. */
export const rankWithoutHistory: Rank = async (corpus, task, limit) => {
  const index = await corpus.variant('no-history', { history: false })
  return toRanked(corpus, await index.retrieve({ task, limit, minRelevance: 0 }))
}

/** Chunks that another encoder is given at most: a transformer takes half a minute a thousand. */
const MAX_ENCODED = 1200

/** All chunks embedded by another encoder, in repositories that are small enough. */
export function encodedBy(encoder: string): Pick<Method, 'rank' | 'unavailable'> {
  return {
    unavailable: ({ index }) =>
      index.status.chunks > MAX_ENCODED ? `more than ${MAX_ENCODED} chunks` : undefined,
    rank: async (corpus, task, limit) => {
      const index = await corpus.variant(encoder, { encoder })
      return toRanked(corpus, await index.retrieve({ task, limit, minRelevance: 0 }))
    },
  }
}

/** The default encoder where another one is tried, to compare with. */
export const onSmall: Pick<Method, 'rank' | 'unavailable'> = {
  ...encodedBy(''),
  rank: rankByHone(MAX_CYCLES),
}

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
