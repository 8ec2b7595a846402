/** The checks of `hone doctor`: this machine, and one index. */
import { resolve } from 'node:path'
import type { Check } from '../build/diagnose.js'
import { HoneError } from '../errors.js'
import { indexFolderOf } from '../build/index-folder.js'
import { currentDatabase } from '../store/index-location.js'
import { indexCommand } from '../store/mend.js'
import { verifyIndex } from '../store/verify.js'
import { openIndex } from './open-index.js'

/** Tries out what hone needs on this machine, and the index of `root`. Changes nothing. */
export async function diagnose(options: { readonly root: string }): Promise<readonly Check[]> {
  const { diagnose: ofMachine } = await import('../build/diagnose.js')
  return [...(await ofMachine()), await indexCheck(resolve(options.root))]
}

async function indexCheck(root: string): Promise<Check> {
  try {
    verify(root)
    const index = await openIndex({ root })
    const { files, chunks, folder } = index.status
    const { length: stale } = await index.staleFiles()
    index.close()
    const detail = `${files} files, ${chunks} chunks, every row verified, ${stale} stale, in ${folder}`
    return { name: 'index', state: 'works', detail, ...(stale === 0 ? {} : { remedy: indexCommand(root) }) }
  } catch (error) {
    if (!(error instanceof HoneError)) throw error
    const state = error.code === 'INDEX_MISSING' ? 'missing' : 'broken'
    const remedy = remedyFor(error, root)
    return { name: 'index', state, detail: error.message, ...(remedy === undefined ? {} : { remedy }) }
  }
}

/** What is wrong with the machine is not mended by indexing; of another encoder, the message says what is. */
function remedyFor({ code }: HoneError, root: string): string | undefined {
  if (code === 'INDEX_ENCODER') return undefined
  if (code === 'NATIVE_MODULE') return 'first what is said above'
  return indexCommand(root, { rebuild: code === 'INDEX_CORRUPT' })
}

/** Throws INDEX_CORRUPT, also for damage that no query has come upon. */
function verify(root: string): void {
  const path = currentDatabase(indexFolderOf(root))
  if (path !== undefined) verifyIndex(path)
}
