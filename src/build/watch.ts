/**
 * Keeping an index fresh for as long as one likes: an index run after every burst of changes. Which files changed is
 * left to the run, so a missed, doubled or late event costs time and never an answer.
 */
import { join } from 'node:path'
import { HoneError } from '../errors.js'
import { currentDatabase } from '../store/index-location.js'
import { IndexReader } from '../store/index-reader.js'
import { repositoryAround } from '../walk/repository.js'
import { Bell } from './bell.js'
import type { BuildSummary } from './build-index.js'
import { watchTrees, type TreeWatch, type WatchedTree } from './tree-watcher.js'
import { unwatchedFolders } from './unwatched-folders.js'

// A save is a few events within milliseconds; a branch switch, thousands without so long a pause ...
const QUIET_MS = 200
// ... and a tool that writes all the time is followed all the same.
const LONGEST_BURST_MS = 2000
// Without events: a run that finds nothing takes a tenth of the time at most.
const POLL_LEAST_MS = 2000
const POLL_TIMES_RUN = 10
// Another process indexes, or the disk is full: tried again after so long, if no change comes first.
const RETRY_MS = 2000
const NEVER_MS = 2 ** 31 - 1

export interface WatchRequest<Summary extends BuildSummary> {
  readonly root: string
  /** Folder of the index. */
  readonly folder: string
  /** One index run; `isFirst` once. */
  readonly run: (isFirst: boolean) => Promise<Summary>
  readonly onRun: (summary: Summary) => void
  /** What goes wrong without ending the watch. */
  readonly onTrouble: (error: HoneError) => void
  /** Told once, when there are no events of the file system and why. */
  readonly onPolling: (why: string) => void
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/** Resolves when the signal says so. Throws what the first run throws, and what no later run can get over. */
export async function watchIndex<Summary extends BuildSummary>(
  request: WatchRequest<Summary>,
): Promise<void> {
  const { signal } = request
  const watch = new Watch(request)
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const waitMs = await runOnce(request, isFirst)
      // What changed before it was watched is taken in by another run.
      if (!(await watch.isNew())) await watch.change(waitMs)
    }
  } finally {
    await watch.close()
  }
}

/** How long to wait for a change at most: so long that polling costs little, or until a passing trouble may be over. */
async function runOnce<Summary extends BuildSummary>(
  { run, onRun, onTrouble, signal }: WatchRequest<Summary>,
  isFirst: boolean,
): Promise<{ readonly pollMs: number; readonly eventsMs: number }> {
  const startedAt = performance.now()
  try {
    onRun(await run(isFirst))
    const pollMs = Math.max(POLL_LEAST_MS, (performance.now() - startedAt) * POLL_TIMES_RUN)
    return { pollMs, eventsMs: NEVER_MS }
  } catch (error) {
    if (signal.aborted) return { pollMs: 0, eventsMs: 0 }
    if (isFirst || !(error instanceof HoneError) || !PASSING.has(error.code)) throw error
    onTrouble(error)
    return { pollMs: RETRY_MS, eventsMs: RETRY_MS }
  }
}

const PASSING: ReadonlySet<string> = new Set(['INDEX_BUSY', 'INDEX_UNWRITABLE'])

/** The events of one root, with what is left out following what the index leaves out. */
class Watch {
  readonly #bell = new Bell({ quietMs: QUIET_MS, longestMs: LONGEST_BURST_MS })
  #trees = ''
  #watch: TreeWatch | undefined
  #isPollingTold = false

  constructor(
    readonly request: Pick<WatchRequest<BuildSummary>, 'root' | 'folder' | 'signal' | 'onPolling'>,
  ) {}

  /** Watches other folders when the index leaves out others; returns whether it does. */
  async isNew(): Promise<boolean> {
    if (this.request.signal.aborted) return false
    const trees = this.#treesNow()
    const described = JSON.stringify(trees)
    if (described === this.#trees) return false
    this.#trees = described
    const before = this.#watch
    this.#watch = await watchTrees(trees, () => {
      this.#bell.ring()
    })
    await before?.close()
    const { failure } = this.#watch
    if (failure !== undefined && !this.#isPollingTold) this.request.onPolling(failure)
    this.#isPollingTold ||= failure !== undefined
    return true
  }

  change({ pollMs, eventsMs }: { readonly pollMs: number; readonly eventsMs: number }): Promise<void> {
    const atLatestMs = this.#watch?.failure === undefined ? eventsMs : pollMs
    return this.#bell.burst({ signal: this.request.signal, atLatestMs })
  }

  async close(): Promise<void> {
    await this.#watch?.close()
  }

  #treesNow(): readonly WatchedTree[] {
    const { root, folder } = this.request
    const own = { folder: root, ignored: [...unwatchedFolders(root, seenBy(folder))], counts: () => true }
    const repository = repositoryAround(root)
    return repository === undefined
      ? [own]
      : [own, ...[...new Set([repository.gitFolder, repository.commonFolder])].map(gitTree)]
  }
}

/** Commits, switches and pulls move `HEAD` or what it names; the rest of the folder is git's own business. */
function gitTree(folder: string): WatchedTree {
  const ignored = ['objects', 'lfs', 'modules', 'worktrees', 'hooks'].map((name) => join(folder, name))
  const isRef = /^(HEAD|packed-refs|shallow|refs\/heads\/.*|reftable\/tables\.list)$/
  return {
    folder,
    ignored,
    counts: (path) => !path.endsWith('.lock') && isRef.test(path.slice(folder.length + 1)),
  }
}

function seenBy(indexFolder: string): readonly string[] {
  const database = currentDatabase(indexFolder)
  if (database === undefined) return []
  const reader = new IndexReader(database)
  try {
    return [...reader.files(), ...reader.skipped()].map(({ path }) => path)
  } finally {
    reader.close()
  }
}
