/**
 * What every query on one state of an index shares: readers, vocabulary, encoder. Holds caches, no state of a query.
 */
import { posix } from 'node:path'
import type { Embedder } from '../embed/embedder.js'
import type { StaticEmbedder } from '../embed/static-embedder.js'
import type { FeedbackModel } from '../rank/feedback.js'
import { pathFacts, type PathFacts } from '../rank/path-facts.js'
import type { RelevanceModel } from '../rank/relevance.js'
import type { IndexReader } from '../store/index-reader.js'
import type { DeepTools } from './deep-tools.js'
import type { CustomSignal, FileId } from '../types.js'
import { fileVector } from './feedback-likeness.js'
import { indexMeans, type IndexMeans, type TaskVectors } from './scoring.js'
import { Vocabulary } from './vocabulary.js'

// A kilobyte each.
const MAX_VECTORS = 10_000

export interface EngineParts {
  readonly index: IndexReader
  readonly embedder: Embedder
  /** Word vectors, whatever encoder the index has: for bridging, and for how near a name is. */
  readonly words: StaticEmbedder
  /** Lines of a file as they are on disk now, or undefined when it cannot be read. Path relative to the root. */
  readonly linesOf: (path: string) => readonly string[] | undefined
  readonly model: RelevanceModel
  /** Read when the first judgements come. Without it they count for the judged files alone. */
  readonly feedback?: (() => FeedbackModel) | undefined
  /** Absent where nothing looks deeper. */
  readonly deep?: DeepTools | undefined
  /** Signals of the caller's own, for every task. */
  readonly signals?: readonly CustomSignal[] | undefined
}

export class Engine {
  readonly index: IndexReader
  readonly embedder: Embedder
  readonly words: StaticEmbedder
  readonly linesOf: EngineParts['linesOf']
  readonly model: RelevanceModel
  readonly feedback: EngineParts['feedback']
  readonly deep: DeepTools | undefined
  readonly signals: EngineParts['signals']
  readonly vocabulary: Vocabulary
  readonly means: IndexMeans

  constructor(parts: EngineParts) {
    this.index = parts.index
    this.embedder = parts.embedder
    this.words = parts.words
    this.linesOf = parts.linesOf
    this.model = parts.model
    this.feedback = parts.feedback
    this.deep = parts.deep
    this.signals = parts.signals
    this.vocabulary = new Vocabulary(this.index, parts.words.table)
    this.means = indexMeans(this.index)
  }

  /** The task as vectors, of its prose. */
  async taskVectors(prose: string, signal?: AbortSignal): Promise<TaskVectors> {
    const vector = await this.embedder.embed([prose], signal === undefined ? {} : { signal })
    return { vector, titleVector: this.words === this.embedder ? vector : this.words.embedNow([prose]) }
  }

  readonly #pathFacts = new Map<FileId, PathFacts>()

  /** What the path of a file tells, read once. */
  readonly factsOf = (file: FileId): PathFacts => {
    const known = this.#pathFacts.get(file)
    if (known !== undefined) return known
    const facts = pathFacts(this.index.pathOf(file))
    this.#pathFacts.set(file, facts)
    return facts
  }

  readonly #vectors = new Map<FileId, Float32Array>()

  /** Mean of a file's chunk vectors, of length 1. */
  vectorOf(file: FileId): Float32Array {
    const known = this.#vectors.get(file)
    if (known !== undefined) return known
    if (this.#vectors.size >= MAX_VECTORS) this.#vectors.clear()
    const vector = fileVector(this.index, file)
    this.#vectors.set(file, vector)
    return vector
  }

  #filesByFolder: ReadonlyMap<string, number> | undefined

  /** How many files stand in each folder. */
  get filesByFolder(): ReadonlyMap<string, number> {
    this.#filesByFolder ??= countBy(this.index.allPaths().map(({ path }) => posix.dirname(path)))
    return this.#filesByFolder
  }
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
