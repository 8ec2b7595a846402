/** The text of a chunk that is embedded: where it stands and what it is called, then the code itself. */
import type { Chunk } from '../types.js'

export function embeddingText(path: string, chunk: Chunk): string {
  return `${path.replace(/\.[^./]+$/, '')} ${chunk.scope} ${chunk.symbols.join(' ')}\n${chunk.text}`
}

/** What is embedded of a file, one text a chunk. */
export function textsOf(file: {
  readonly record: { readonly path: string }
  readonly chunks: readonly Chunk[]
}): readonly string[] {
  return file.chunks.map((chunk) => embeddingText(file.record.path, chunk))
}
