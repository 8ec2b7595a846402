/** The table of methods: every baseline and every setting of hone that is scored. Rows appear as features land. */
import { rankByFusion } from './rankings/fusion.js'
import {
  encodedBy,
  onSmall,
  rankByDeepStep,
  rankByDefaults,
  rankByHone,
  rankWithoutBridging,
  rankWithoutHistory,
} from './rankings/hone.js'
import { rankByChunks, rankByFile } from './rankings/keyword.js'
import type { Method } from './rankings/ranking.js'
import { rankByRipgrep, ripgrepVersion } from './rankings/ripgrep.js'
import { rankByVectors } from './rankings/vectors.js'

const keyword = { isLearned: false, isCalibrated: false } as const
// Calibration is of interest for what ships, and shown for the last rows that are `rated`.
const learned = { isLearned: true, isCalibrated: false } as const
const rated = { isLearned: true, isCalibrated: true } as const

export const METHODS: readonly Method[] = [
  {
    id: 'ripgrep',
    title: 'ripgrep, words OR-ed, files by matches',
    ...keyword,
    unavailable: () =>
      ripgrepVersion() === undefined ? 'no rg on the path (Debian package ripgrep)' : undefined,
    rank: rankByRipgrep,
  },
  { id: 'bm25-file', title: 'BM25 by file', ...keyword, rank: rankByFile },
  { id: 'bm25-chunk', title: 'BM25, best chunk', ...keyword, rank: rankByChunks(1) },
  { id: 'bm25-sum', title: 'BM25, sum of the best four chunks', ...keyword, rank: rankByChunks(4) },
  { id: 'vectors', title: 'vectors alone, best chunk', ...learned, rank: rankByVectors },
  {
    id: 'hybrid',
    title: 'hybrid: BM25 sum and vectors, reciprocal rank fusion',
    ...learned,
    rank: rankByFusion,
  },
  { id: 'hone-1', title: 'hone, 1 cycle', ...rated, rank: rankByHone(1) },
  { id: 'hone-2', title: 'hone, 2 cycles', ...rated, rank: rankByHone(2) },
  { id: 'hone-3', title: 'hone, 3 cycles', ...rated, rank: rankByHone(3) },
  {
    id: 'hone-no-bridging',
    title: 'hone, 1 cycle, without bridging',
    ...learned,
    rank: rankWithoutBridging,
  },
  { id: 'hone-deep-auto', title: 'hone, deep step where unsure', ...rated, rank: rankByDeepStep },
  { id: 'hone-no-history', title: 'hone, without history', ...learned, rank: rankWithoutHistory },
  { id: 'hone-small', title: 'hone, small repositories only', ...learned, ...onSmall },
  {
    id: 'hone-minilm',
    title: 'hone, small repositories only, encoder all-MiniLM-L6-v2',
    ...learned,
    ...encodedBy('all-MiniLM-L6-v2'),
  },
  { id: 'hone-defaults', title: 'hone as it comes (relevance 0.2 and more)', ...rated, rank: rankByDefaults },
]
