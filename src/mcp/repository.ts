/**
 * One served repository: its index, opened when first asked for, built in the background where there is none. A
 * question waits for the build a while, then is answered from what is there.
 */
import { HoneError } from '../errors.js'
import {
  buildIndex,
  indexFolderOf,
  openIndex,
  type BuildProgress,
  type HoneIndex,
  type Note,
} from '../index.js'

export interface Waiting {
  /** What is asked: a build that it starts reads first what is likely to answer it. */
  readonly question: string
  /** Stops the waiting, not the build, which the next question needs. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: BuildProgress) => void
}

/** An index to ask, and what the answer must say about it. `release` when done with it. */
export interface Asked {
  readonly index: HoneIndex
  readonly notes: readonly Note[]
  readonly release: () => void
}

/** How far a build is; of one in another process nothing is known. */
export type Progress = BuildProgress | 'elsewhere'

interface Build {
  readonly done: Promise<void>
  progress: Progress
  readonly listeners: Set<(progress: BuildProgress) => void>
  /** When the next question will want what is there, by performance.now(). */
  wantedAt: number
}

// Of the time a question waits: later what is there is stored, so that it can be answered from.
const STORED_AFTER = 0.6

// Of the same, what is waited at least: asked again and again, a build must get on.
const LEAST_WAIT = 0.3

// Between two looks whether the process that builds this index is done.
const BUSY_POLL_MS = 500

export class Repository {
  #index: HoneIndex | undefined
  #opening: Promise<HoneIndex> | undefined
  #build: Build | undefined
  /** What the last answer from an unfinished index took: a larger one takes longer, and patience is for both. */
  #answeringMs = 0
  readonly #closing = new AbortController()

  constructor(
    readonly root: string,
    /** How long a question waits for a build and is answered. */
    private readonly patienceMs: number,
  ) {}

  /** Throws what openIndex and buildIndex throw, and INDEX_BUSY while nothing is there to answer from. */
  async ask(waiting: Waiting): Promise<Asked> {
    const index = await this.#current()
    if (index !== undefined) return { index, notes: [], release: () => undefined }
    const build = (this.#build ??= this.#startBuild(waiting.question))
    if (await this.#isDoneInTime(build, waiting)) return this.ask(waiting)
    return this.#askUnfinished(build)
  }

  /** The index as it is, without building one; undefined where there is none. */
  async peek(): Promise<HoneIndex | undefined> {
    return this.#current()
  }

  get progress(): Progress | undefined {
    return this.#build?.progress
  }

  get folder(): string {
    return indexFolderOf(this.root)
  }

  /** Waits for a build to stop in good order: its threads must not be in a parser when the process ends. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#build?.done.catch(() => undefined)
    this.#index?.close()
  }

  /** The open index, up to date; undefined where there is none. */
  async #current(): Promise<HoneIndex | undefined> {
    try {
      if (this.#index === undefined) {
        // Not twice at once: the second would stay open for good.
        this.#opening ??= openIndex({ root: this.root, refresh: true })
        this.#index = await this.#opening
      } else await this.#index.refresh()
      return this.#index
    } catch (error) {
      if (!(error instanceof HoneError) || error.code !== 'INDEX_MISSING') throw error
      this.#index?.close() // somebody removed it
      this.#index = undefined
      return undefined
    } finally {
      this.#opening = undefined
    }
  }

  #startBuild(question: string): Build {
    const build: Build = {
      progress: { phase: 'walk', done: 0, total: 0 },
      listeners: new Set(),
      wantedAt: Infinity,
      done: this.#buildOrWait({
        question,
        onProgress: (progress) => {
          build.progress = progress
          if (progress !== 'elsewhere') for (const listener of build.listeners) listener(progress)
        },
        isWanted: () => {
          if (performance.now() < build.wantedAt) return false
          build.wantedAt = Infinity
          return true
        },
      }).finally(() => (this.#build = undefined)),
    }
    build.done.catch(() => undefined) // who waits is told
    return build
  }

  /** Builds; while another process does, waits for it. */
  async #buildOrWait(hooks: {
    readonly question: string
    readonly onProgress: (progress: Progress) => void
    readonly isWanted: () => boolean
  }): Promise<void> {
    const { signal } = this.#closing
    for (;;) {
      try {
        await buildIndex({ root: this.root, ...hooks, signal })
        return
      } catch (error) {
        if (!(error instanceof HoneError) || error.code !== 'INDEX_BUSY') throw error
        hooks.onProgress('elsewhere')
        await passed(BUSY_POLL_MS, signal)
      }
    }
  }

  async #isDoneInTime(build: Build, { signal, onProgress }: Waiting): Promise<boolean> {
    const waiting = new AbortController()
    build.listeners.add(onProgress)
    const waitMs = Math.max(LEAST_WAIT * this.patienceMs, this.patienceMs - this.#answeringMs)
    build.wantedAt = Math.min(build.wantedAt, performance.now() + STORED_AFTER * waitMs)
    if (build.progress !== 'elsewhere') onProgress(build.progress)
    try {
      const timeIsUp = passed(waitMs, AbortSignal.any([signal, waiting.signal])).then(() => false)
      return await Promise.race([build.done.then(() => true), timeIsUp])
    } finally {
      waiting.abort()
      build.listeners.delete(onProgress)
      if (signal.aborted) throw new HoneError('ABORTED', 'cancelled; indexing goes on')
    }
  }

  async #askUnfinished({ progress }: Build): Promise<Asked> {
    const far = howFar(progress)
    const startedAt = performance.now()
    try {
      const index = await openIndex({ root: this.root, allowPartial: true })
      const { files } = index.status
      const message = `indexing is not done (${far}): this answer knows only ${files} files, read first for the words in their paths, and no history; ask the same again for more`
      const release = (): void => {
        index.close()
        this.#answeringMs = performance.now() - startedAt
      }
      return { index, notes: [{ code: 'PARTIAL_INDEX', message }], release }
    } catch (error) {
      if (!(error instanceof HoneError) || error.code !== 'INDEX_MISSING') throw error
      throw new HoneError(
        'INDEX_BUSY',
        `${this.root} is being indexed for the first time (${far}); nothing can be answered yet. Indexing goes on: call again in a few seconds, index_status says how far it is`,
      )
    }
  }
}

/** "1200 of 17466 files, 6 %" */
export function howFar(progress: Progress): string {
  if (progress === 'elsewhere') return 'by another process'
  const { phase, done, total } = progress
  if (phase === 'walk' || total === 0) return phase === 'walk' ? 'listing files' : 'writing the index'
  const unit = phase === 'graph' ? 'vectors' : 'files'
  return `${done} of ${total} ${unit}, ${Math.floor((100 * done) / total)} %`
}

/** Resolves after a time, or at once when the signal is aborted. */
function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
