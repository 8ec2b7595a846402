/** The checks of `hone doctor`: this machine, and one index. */
import { resolve } from 'node:path'
import type { Check } from '../build/diagnose.js'
import { HoneError } from '../errors.js'
import { indexCommand } from '../store/mend.js'
import { openIndex } from './open-index.js'

/** Tries out what hone needs on this machine, and the index of `root`. Changes nothing. */
export async function diagnose(options: { readonly root: string }): Promise<readonly Check[]> {
  const { diagnose: ofMachine } = await import('../build/diagnose.js')
  return [...(await ofMachine()), await indexCheck(resolve(options.root))]
}

async function indexCheck(root: string): Promise<Check> {
  try {
    const index = await openIndex({ root })
    const { files, chunks, folder } = index.status
    const { length: stale } = await index.staleFiles()
    index.close()
    const detail = `${files} files, ${chunks} chunks, ${stale} stale, in ${folder}`
    return { name: 'index', state: 'works', detail, ...(stale === 0 ? {} : { remedy: indexCommand(root) }) }
  } catch (error) {
    if (!(error instanceof HoneError)) throw error
    const state = error.code === 'INDEX_MISSING' ? 'missing' : 'broken'
    // What mends an index of another encoder depends on the encoder: the message says it.
    const remedy = error.code === 'INDEX_ENCODER' ? {} : { remedy: indexCommand(root) }
    return { name: 'index', state, detail: error.message, ...remedy }
  }
}
