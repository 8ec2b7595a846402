/** From the repository around a root to the history its index holds. */
import { headStamp } from '../history/head-stamp.js'
import { readHistory } from '../history/read-history.js'
import type { IndexWriter } from '../store/index-writer.js'
import type { History } from '../store/past-writer.js'
import type { HistoryRecord, IndexSettings } from '../store/records.js'
import { repositoryAround } from '../walk/repository.js'

type HistorySettings = Pick<IndexSettings, 'root' | 'history'>

/** Whether the history that an index holds may be another by now. Reads a few small files, runs nothing. */
export function isPastStale(settings: HistorySettings, record: HistoryRecord): boolean {
  return historyStamp(settings) !== record.stamp
}

/** The history for an index, or undefined when it holds it already. Throws only on an abort. */
export async function newPast(
  writer: IndexWriter,
  settings: HistorySettings,
  signal: AbortSignal | undefined,
): Promise<History | undefined> {
  const record = writer.storedHistory
  const stamp = historyStamp(settings) // before reading: what comes in between is read again next time
  if (record?.stamp === stamp && !isPassing(record)) return undefined
  const none = { commits: [], stamp, prefix: '', isCut: false }
  if (!settings.history) return { ...none, state: { kind: 'none', why: 'off' } }
  const read = await readHistory({
    root: settings.root,
    // A cut history depends on where it was cut.
    ...(record === undefined || record.isCut ? {} : { known: writer.storedCommits() }),
    ...(signal === undefined ? {} : { signal }),
  })
  signal?.throwIfAborted()
  if (read.kind === 'none') return { ...none, state: read }
  const { commits, own, prefix, isShallow, isCut } = read
  return { commits, stamp, prefix, isCut, state: { kind: 'read', commits: own, isShallow } }
}

/** Faults that may be gone by now although the repository is as it was. */
function isPassing({ state }: HistoryRecord): boolean {
  return state.kind === 'none' && !['off', 'no-commits'].includes(state.why)
}

function historyStamp({ root, history }: HistorySettings): string {
  if (!history) return 'off'
  const repository = repositoryAround(root)
  return `${headStamp(repository)} ${repository?.prefix ?? ''}`
}
