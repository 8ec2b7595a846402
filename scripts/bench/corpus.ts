/** Opening one indexed repository for all methods. */
import { join } from 'node:path'
import { loadEncoder } from '../../src/build/encoders.js'
import { MODELS_FOLDER } from '../../src/config.js'
import { buildIndex, openIndex, type HoneIndex } from '../../src/index.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { tokensOf } from './metrics.js'
import type { Corpus } from './rankings/ranking.js'

/** Folders of learned parts; undefined for those that ship. */
export type ModelFolders = Readonly<
  Partial<Record<'relevanceModel' | 'feedbackModel' | 'deepModel', string | undefined>>
>

export async function openCorpus(
  root: string,
  models: ModelFolders = {},
): Promise<Corpus & { close(): void }> {
  const given = Object.entries(models).filter(([, folder]) => folder !== undefined)
  const model: Partial<Record<keyof ModelFolders, string>> = Object.fromEntries(given)
  const index = await openIndex({ root, ...model })
  const variants = new Map<string, HoneIndex>()
  const database = currentDatabase(index.folder)
  if (database === undefined) throw new Error(`no index in ${index.folder}`)
  const reader = new IndexReader(database)
  const embedder = await loadEncoder([MODELS_FOLDER], reader.settings.encoder)
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
    variant: async (name, options) => {
      const known = variants.get(name)
      if (known !== undefined) return known
      const variant = await besides(index.folder, name, async () => {
        await buildIndex({ root, ...options })
        return openIndex({ root, ...model })
      })
      variants.set(name, variant)
      return variant
    },
    close: () => {
      reader.close()
      for (const opened of [index, ...variants.values()]) opened.close()
    },
    tokens: (path, range) => {
      const all = linesOf(path)
      const shown = range === undefined ? all : all.slice(range.start - 1, range.end)
      return tokensOf(shown.join('\n'))
    },
  }
}

/** Runs something with the folder of indexes of its own, next to that of the corpus. */
async function besides<T>(folder: string, name: string, action: () => Promise<T>): Promise<T> {
  const before = process.env['HONE_INDEX_DIR']
  process.env['HONE_INDEX_DIR'] = join(folder, '..', `variant-${name}`)
  try {
    return await action()
  } finally {
    if (before === undefined) delete process.env['HONE_INDEX_DIR']
    else process.env['HONE_INDEX_DIR'] = before
  }
}
