/** Opening one indexed repository for all methods. */
import { loadEncoder } from '../../src/build/encoders.js'
import { MODELS_FOLDER } from '../../src/config.js'
import { openIndex } from '../../src/index.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { tokensOf } from './metrics.js'
import type { Corpus } from './rankings/ranking.js'

export async function openCorpus(root: string, relevanceModel?: string): Promise<Corpus> {
  const index = await openIndex({ root, ...(relevanceModel === undefined ? {} : { relevanceModel }) })
  const database = currentDatabase(index.folder)
  if (database === undefined) throw new Error(`no index in ${index.folder}`)
  const reader = new IndexReader(database)
  const embedder = await loadEncoder(MODELS_FOLDER, reader.settings.encoder)
  const lines = new Map<string, readonly string[]>()
  const linesOf = (path: string): readonly string[] => {
    const known = lines.get(path)
    if (known !== undefined) return known
    const read = index.linesOf(path) ?? []
    lines.set(path, read)
    return read
  }
  return {
    root,
    index,
    reader,
    embedder,
    tokens: (path, range) => {
      const all = linesOf(path)
      const shown = range === undefined ? all : all.slice(range.start - 1, range.end)
      return tokensOf(shown.join('\n'))
    },
  }
}
