/** What the chunk tests share: chunk one text, and print symbols as lines one can compare. */
import { createChunker } from '../../src/chunk/chunk-file.js'
import { languageOf } from '../../src/chunk/language.js'
import type { ChunkedFile } from '../../src/types.js'

export async function chunked(path: string, text: string): Promise<ChunkedFile> {
  const chunker = await createChunker()
  await chunker.prepare(languageOf(path, text))
  return chunker.chunk(path, text)
}

/** "kind scope.name line startLine-endLine", one per symbol. */
export async function symbolLines(path: string, text: string): Promise<readonly string[]> {
  const { symbols } = await chunked(path, text)
  return symbols.map(({ kind, scope, name, line, startLine, endLine }) => {
    const qualified = scope === '' ? name : `${scope}/${name}`
    return `${kind} ${qualified} ${line} ${startLine}-${endLine}`
  })
}

/** Throws unless every line of the text is in exactly one chunk, in order. */
export function assertCovers(file: ChunkedFile, text: string): void {
  const joined = file.chunks.map((chunk) => chunk.text).join('')
  if (joined !== text) throw new Error('the chunks do not add up to the text')
  const lines = text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(text) || text === '' ? 1 : 0)
  let next = 1
  for (const { startLine, endLine, text: part } of file.chunks) {
    if (startLine !== next || endLine < startLine) throw new Error(`chunk at ${startLine}, expected ${next}`)
    const breaks = part.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(part) ? 1 : 0)
    if (breaks !== endLine - startLine + 1)
      throw new Error(`chunk ${startLine}-${endLine} has ${breaks} lines`)
    next = endLine + 1
  }
  if (next !== lines + 1) throw new Error(`chunks end at line ${next - 1}, the text at ${lines}`)
}
