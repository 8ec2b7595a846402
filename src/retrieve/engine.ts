/**
 * What every query on one state of an index shares: readers, vocabulary, encoder. Holds caches, no state of a query.
 */
import type { Embedder } from '../embed/embedder.js'
import type { StaticEmbedder } from '../embed/static-embedder.js'
import type { RelevanceModel } from '../rank/relevance.js'
import type { IndexReader } from '../store/index-reader.js'
import type { DeepTools } from './deep-tools.js'
import { indexMeans, type IndexMeans } from './scoring.js'
import { Vocabulary } from './vocabulary.js'

export interface EngineParts {
  readonly index: IndexReader
  readonly embedder: Embedder
  /** Word vectors, whatever encoder the index has: for bridging, and for how near a name is. */
  readonly words: StaticEmbedder
  /** Lines of a file as they are on disk now, or undefined when it cannot be read. Path relative to the root. */
  readonly linesOf: (path: string) => readonly string[] | undefined
  readonly model: RelevanceModel
  /** Absent where nothing looks deeper. */
  readonly deep?: DeepTools | undefined
}

export class Engine {
  readonly index: IndexReader
  readonly embedder: Embedder
  readonly words: StaticEmbedder
  readonly linesOf: EngineParts['linesOf']
  readonly model: RelevanceModel
  readonly deep: DeepTools | undefined
  readonly vocabulary: Vocabulary
  readonly means: IndexMeans

  constructor(parts: EngineParts) {
    this.index = parts.index
    this.embedder = parts.embedder
    this.words = parts.words
    this.linesOf = parts.linesOf
    this.model = parts.model
    this.deep = parts.deep
    this.vocabulary = new Vocabulary(this.index, parts.words.table)
    this.means = indexMeans(this.index)
  }
}
