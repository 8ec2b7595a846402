/** Analyses files a batch at a time, with vectors where the encoder is quick enough to run beside the parser. */
import type { StaticEmbedder } from '../embed/static-embedder.js'
import type { WalkedFile } from '../types.js'
import { Analyser, type AnalysedFile, type Analysis } from './analyser.js'
import { textsOf, titleText } from './embedding-text.js'
import type { StampedSkip } from './update-plan.js'

/** A file to read, with the content hash the index holds for its path, if any. */
export interface FileToRead {
  readonly file: WalkedFile
  readonly knownHash: string | undefined
}

export interface EmbeddedFile extends AnalysedFile {
  /** chunks x dimensions; undefined when the caller has to embed. */
  readonly vectors: Float32Array | undefined
  /** Of its title, by the words beside the encoder. */
  readonly titleVector: Float32Array
}

export type BatchResult =
  | { readonly kind: 'file'; readonly path: string; readonly file: EmbeddedFile }
  | { readonly kind: 'same'; readonly path: string; readonly record: AnalysedFile['record'] }
  | { readonly kind: 'skip'; readonly path: string; readonly skip: StampedSkip }

export class BatchAnalyser {
  private constructor(
    readonly analyser: Analyser,
    readonly words: StaticEmbedder,
    readonly isEmbedding: boolean,
  ) {}

  /** `words`: for titles; `isEmbedding`: for chunks too, as they are the encoder of the index. */
  static async create(
    maxFileBytes: number,
    { words, isEmbedding }: { readonly words: StaticEmbedder; readonly isEmbedding: boolean },
  ): Promise<BatchAnalyser> {
    return new BatchAnalyser(await Analyser.create(maxFileBytes), words, isEmbedding)
  }

  /** One result for each file, in order. */
  async analyse(batch: readonly FileToRead[]): Promise<readonly BatchResult[]> {
    const results: BatchResult[] = []
    for (const { file, knownHash } of batch) {
      const analysis = await this.analyser.analyse(file, knownHash)
      results.push({ path: file.path, ...this.#embedded(analysis) })
    }
    return results
  }

  #embedded(
    analysis: Analysis,
  ): Exclude<Analysis, { kind: 'file' }> | { readonly kind: 'file'; readonly file: EmbeddedFile } {
    if (analysis.kind !== 'file') return analysis
    const { file } = analysis
    const vectors = this.isEmbedding ? this.words.embedNow(textsOf(file)) : undefined
    const titleVector = this.words.embedNow([titleText(file.record.path, file.symbols)])
    return { kind: 'file', file: { ...file, vectors, titleVector } }
  }
}
