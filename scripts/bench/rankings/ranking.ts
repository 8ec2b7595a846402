/** What every method of the table is: a way to rank the files of one repository for a task. */
import type { BuildOptions, HoneIndex } from '../../../src/index.js'
import type { Embedder } from '../../../src/embed/embedder.js'
import type { IndexReader } from '../../../src/store/index-reader.js'
import type { RankedFile } from '../metrics.js'

/** One indexed repository, opened once for all methods. */
export interface Corpus {
  readonly root: string
  readonly index: HoneIndex
  /** The same index from inside, for rankings that the product does not offer. */
  readonly reader: IndexReader
  readonly embedder: Embedder
  /** The same repository indexed in another way, built on first use and kept with the index. */
  readonly variant: (name: string, options: Pick<BuildOptions, 'history' | 'encoder'>) => Promise<HoneIndex>
  /** Tokens of lines start..end (from 1, ends included) of a file; of all lines without a range. */
  readonly tokens: (path: string, range?: { readonly start: number; readonly end: number }) => number
}

/** Best first; at most `limit` files. */
export type Rank = (corpus: Corpus, task: string, limit: number) => Promise<readonly RankedFile[]>

export interface Method {
  /** Short and stable: names the result files. */
  readonly id: string
  readonly title: string
  /** Whether anything in it was learned from repositories (see provenance.ts). */
  readonly isLearned: boolean
  /** Whether `relevance` is meant as a probability. */
  readonly isCalibrated: boolean
  /** Why the method cannot run here, or undefined. */
  readonly unavailable?: (corpus: Corpus) => string | undefined
  readonly rank: Rank
}

/** The `limit` best by score; ties by path. Files without a positive score are left out. */
export function best<T extends { readonly path: string; readonly score: number }>(
  files: readonly T[],
  limit: number,
): readonly T[] {
  return files
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
}
