/** Finding and opening the index a command should use, building it first where that is allowed. */
import { HoneError } from '../errors.js'
import { openIndex, type HoneIndex } from '../index.js'
import { buildWithProgress, summaryLine } from './index-command.js'
import { rootFor } from './root.js'

export interface OpenFlags {
  readonly repo?: string
  /** False after --no-build. */
  readonly build: boolean
  /** False after --no-refresh. */
  readonly refresh: boolean
}

export async function openForQuery(flags: OpenFlags): Promise<HoneIndex> {
  const { repo, build, refresh } = flags
  const root = rootFor(repo)
  try {
    return await openIndex({ root, refresh })
  } catch (error) {
    const isMissing = error instanceof HoneError && error.code === 'INDEX_MISSING'
    if (!isMissing || !build) throw error
    process.stderr.write(`no index in ${root} yet, building one\n`)
    const summary = await buildWithProgress(root, {})
    process.stderr.write(`${summaryLine(summary)}\n`)
    return openIndex({ root, refresh }) // what changed while it was built
  }
}
