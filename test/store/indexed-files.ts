/** Files as the store takes them, made of words. */
import type { IndexedFile } from '../../src/store/index-writer.js'
import type { IndexSettings } from '../../src/store/records.js'

export const SETTINGS: IndexSettings = {
  root: '/nowhere',
  encoder: 'test',
  fingerprint: '00',
  dimensions: 4,
  titles: { fingerprint: '01', dimensions: 3 },
  include: [],
  exclude: [],
  maxFileBytes: 1000,
  history: false,
}

/** A file of one chunk a word, each defining a symbol of that name and holding the word "common". */
export function indexedFile(
  path: string,
  words: readonly string[],
  vector: readonly number[] = [],
): IndexedFile {
  return {
    record: {
      path,
      language: 'text',
      bytes: 1,
      lines: words.length,
      mtimeMs: 1.5,
      ctimeMs: 2.25,
      inode: 3,
      hash: words.join(),
    },
    chunks: words.map((word, i) => ({
      startLine: i + 1,
      endLine: i + 1,
      kind: 'function',
      name: word,
      scope: '',
      symbols: [word],
      text: `${word} common`,
      comment: i === 0 ? word : '',
    })),
    symbols: words.map((word, i) => ({
      name: word,
      kind: 'function',
      scope: '',
      line: i + 1,
      startLine: i + 1,
      endLine: i + 1,
    })),
    titleVector: Float32Array.of(words.length, path.length, 1),
    vectors: Float32Array.from(
      { length: words.length * SETTINGS.dimensions },
      (_, i) => vector[i] ?? ((i + words.join().length) % 5) - 2,
    ),
  }
}
