/** From a walked file to its chunks: read, decode, cut. One file in, one result out; the caller stores it. */
import { createChunker, type Chunker } from '../chunk/chunk-file.js'
import { languageOf } from '../chunk/language.js'
import type { FileRecord } from '../store/records.js'
import type { Chunk, CodeSymbol, SkipReason, WalkedFile } from '../types.js'
import { readSource } from '../walk/read-source.js'
import { stampOf, type StampedSkip } from './update-plan.js'

export interface AnalysedFile {
  readonly record: FileRecord
  readonly chunks: readonly Chunk[]
  readonly symbols: readonly CodeSymbol[]
}

export type Analysis =
  | { readonly kind: 'file'; readonly file: AnalysedFile }
  /** The content is what the index holds already; only times moved. */
  | { readonly kind: 'same'; readonly record: FileRecord }
  | { readonly kind: 'skip'; readonly skip: StampedSkip }

const PASSING: ReadonlySet<SkipReason> = new Set(['unreadable', 'vanished'])

export class Analyser {
  private constructor(
    readonly chunker: Chunker,
    readonly maxFileBytes: number,
  ) {}

  static async create(maxFileBytes: number): Promise<Analyser> {
    return new Analyser(await createChunker(), maxFileBytes)
  }

  /** knownHash: content hash the index holds for this path, if any. */
  async analyse(file: WalkedFile, knownHash: string | undefined): Promise<Analysis> {
    const stamp = stampOf(file, Date.now())
    const read = readSource(file, this.maxFileBytes)
    if (read.kind === 'skip') {
      // A passing fault is tried again next time; a rule about content holds until the content changes.
      const isPassing = PASSING.has(read.skip.reason)
      return { kind: 'skip', skip: isPassing ? read.skip : { ...read.skip, stamp } }
    }
    const { source, hash } = read
    const base = { path: file.path, lines: source.lines, hash, ...stamp }
    const language = languageOf(file.path, source.text)
    if (hash === knownHash) return { kind: 'same', record: { ...base, language } }
    await this.chunker.prepare(language)
    const { chunks, symbols } = this.chunker.chunk(file.path, source.text)
    return { kind: 'file', file: { record: { ...base, language }, chunks, symbols } }
  }
}
