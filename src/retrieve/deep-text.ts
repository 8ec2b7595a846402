/** The text of a chunk as the encoder of the deep step reads it. */
import type { StoredChunk } from '../store/records.js'
import { identifiersIn, partsOf } from '../text/words.js'

// The encoder reads the first 64 tokens; no word is shorter than one, and this leaves room for what is no word.
const MAX_CHARACTERS = 2000

/**
 * Where a chunk stands, what it is called, then its lines, all as plain words: identifiers taken apart, marks left
 * out. A general encoder knows words, not code, and reads twice as much of it this way
 * (docs/decisions/0009-deep-step.md).
 */
export function deepText(path: string, chunk: Pick<StoredChunk, 'scope' | 'symbols'>, lines: string): string {
  const place = path.replace(/\.[^./]+$/, '')
  const text = `${place} ${chunk.scope} ${chunk.symbols.join(' ')}\n${lines.slice(0, MAX_CHARACTERS)}`
  return identifiersIn(text).flatMap(partsOf).join(' ')
}
