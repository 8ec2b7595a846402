/** What is embedded: a chunk as where it stands, what it is called and its code; a file as its path and what it defines. */
import type { Chunk, CodeSymbol } from '../types.js'

// A file that defines more is a list; its first names say of what.
const MAX_TITLE_NAMES = 200

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

/** The title of a file: its path and the names it defines, each once. */
export function titleText(path: string, symbols: readonly CodeSymbol[]): string {
  const names = [...new Set(symbols.map(({ name }) => name))].slice(0, MAX_TITLE_NAMES)
  return [path.replace(/[/._-]/g, ' '), ...names].join(' ')
}
