/**
 * What every query on one state of an index shares: readers, vocabulary, encoder. Holds caches, no state of a query.
 */
import type { Embedder } from '../embed/embedder.js'
import type { StaticTable } from '../embed/static-table.js'
import type { RelevanceModel } from '../rank/relevance.js'
import type { IndexReader } from '../store/index-reader.js'
import { indexMeans, type IndexMeans } from './scoring.js'
import { Vocabulary } from './vocabulary.js'

export interface EngineParts {
  readonly index: IndexReader
  readonly embedder: Embedder
  /** Word vectors for bridging; undefined where the encoder has none. */
  readonly words: StaticTable | undefined
  /** Lines of a file as they are on disk now, or undefined when it cannot be read. Path relative to the root. */
  readonly linesOf: (path: string) => readonly string[] | undefined
  readonly model: RelevanceModel
}

export class Engine {
  readonly index: IndexReader
  readonly embedder: Embedder
  readonly linesOf: EngineParts['linesOf']
  readonly model: RelevanceModel
  readonly vocabulary: Vocabulary
  readonly means: IndexMeans

  constructor(parts: EngineParts) {
    this.index = parts.index
    this.embedder = parts.embedder
    this.linesOf = parts.linesOf
    this.model = parts.model
    this.vocabulary = new Vocabulary(this.index, parts.words)
    this.means = indexMeans(this.index)
  }
}
