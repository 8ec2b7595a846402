/** The index object of the library: asks, refreshes and describes one open index. */
import { changedPlaces } from '../build/changed-places.js'
import { refresh, stalePaths } from '../build/refresh.js'
import { DEFAULTS } from '../config.js'
import { asAborted, HoneError, stopIfAborted } from '../errors.js'
import { explain } from '../retrieve/explain.js'
import { relatedAnswer } from '../retrieve/related-answer.js'
import { currentDatabase, folderBytes } from '../store/index-location.js'
import { IndexReader } from '../store/index-reader.js'
import type { Answer, Explanation, Note, PastState, Place, RelatedAnswer, SkippedFile } from '../types.js'
import type { WalkOptions } from '../walk/walk.js'
import { open, opened, type Opened, type Tools } from './opened.js'
import {
  checkOptions,
  checkWholes,
  type ExplainRequest,
  type RelatedOptions,
  type RelatedToOptions,
  type RetrieveOptions,
  loopOptions,
} from './query-options.js'
import { Session } from './session.js'
import { SharedWork } from './shared-work.js'

export interface IndexStatus {
  readonly root: string
  readonly folder: string
  readonly files: number
  readonly chunks: number
  readonly skipped: number
  readonly encoder: string
  readonly dimensions: number
  readonly vectorSearch: 'exact' | 'hnsw'
  readonly history: PastState
  readonly format: string
  /** Size of the index on disk. */
  readonly bytes: number
}

interface RefreshOptions {
  /** Of git, where it was asked before. */
  readonly listing?: WalkOptions['listing']
  readonly signal: AbortSignal
}

/** An open index. Close it when done. */
export class HoneIndex {
  readonly root: string
  readonly folder: string
  #opened: Opened
  readonly #tools: Tools
  /** Two at once would stand in each other's way at the lock. */
  readonly #refreshing = new SharedWork((signal) => this.#refresh({ signal }))
  /** Null until it has been looked. */
  #stale: number | null = null

  /** @internal use openIndex */
  constructor(of: { readonly root: string; readonly folder: string; readonly tools: Tools }, opened: Opened) {
    this.root = of.root
    this.folder = of.folder
    this.#tools = of.tools
    this.#opened = opened
  }

  /** @internal use openIndex */
  static async refreshed(
    of: { readonly root: string; readonly folder: string; readonly tools: Tools },
    opened: Opened,
    refresh: RefreshOptions,
  ): Promise<HoneIndex> {
    const index = new HoneIndex(of, opened)
    try {
      await index.#refresh(refresh)
      return index
    } catch (error) {
      index.close()
      throw error
    }
  }

  /**
   * Takes in changed files when they are few, and what other processes built; returns how many are stale after it.
   * Throws what `openIndex` throws, and ABORTED: then the index answers as before. Several calls at once share one
   * refresh, which is stopped when all of them are.
   */
  async refresh(options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return this.#refreshing.wait(options.signal)
  }

  async #refresh({ listing, signal }: RefreshOptions): Promise<number> {
    await this.#followBuilds()
    const { reader, embedder } = this.#latest()
    const refreshing = refresh(reader, {
      root: this.root,
      folder: this.folder,
      embedder,
      jobs: 0,
      listing,
      signal,
    })
    reader.loadVectors() // while git lists the files: the next query needs them
    const { stale } = await refreshing
    this.#stale = stale
    return stale
  }

  /** A full build makes a new database; from here on it is the one that answers. */
  async #followBuilds(): Promise<void> {
    const { watch } = this.#opened
    if (currentDatabase(this.folder) === watch.path) return
    this.#opened = await open(this.root, this.folder, this.#tools)
    watch.close()
  }

  /**
   * What is committed now. A newer state has a reader of its own: sessions go on with the one they began with, which
   * the garbage collector closes after the last of them.
   */
  #latest(): Opened {
    const { watch, generation, embedder } = this.#opened
    const latest = watch.generation()
    if (latest !== generation) {
      const reader = new IndexReader(watch.path)
      this.#opened = opened(this.root, this.#tools, { reader, embedder, watch, generation: latest })
    }
    return this.#opened
  }

  /** The whole loop for one task. */
  async retrieve(options: RetrieveOptions): Promise<Answer> {
    return this.start(options).finish()
  }

  /** One cycle at a time. */
  start(options: RetrieveOptions): Session {
    return new Session(this.#latest().engine, options, this.#stale)
  }

  /**
   * Files that belong to a place: similar code, changed together before, names used either way.
   * Throws PATH_UNKNOWN for a file that is not indexed, USAGE for a line beyond its end, GLOB_INVALID, ABORTED.
   */
  related(options: RelatedOptions): RelatedAnswer {
    const { path, line } = options
    checkWholes(options, { limit: Infinity, budgetTokens: Infinity, line: Infinity })
    const place = line === undefined ? { path } : { path, lines: [{ start: line, end: line }] }
    return this.#relatedTo([place], { ...options, notes: [], startedAt: performance.now() })
  }

  /** The same for what the work tree holds and its last commit does not. Throws USAGE where nothing is changed. */
  async relatedToChanges(options: RelatedToOptions = {}): Promise<RelatedAnswer> {
    const startedAt = performance.now()
    checkWholes(options, { limit: Infinity, budgetTokens: Infinity })
    const { root, signal } = { root: this.root, signal: options.signal }
    const { reader, engine } = this.#latest()
    stopIfAborted(signal)
    const { places, notIndexed } = await changedPlaces(reader, {
      root,
      linesOf: engine.linesOf,
      signal,
    }).finally(() => {
      stopIfAborted(signal) // a git that was stopped looks as if there were none
    })
    if (places.length === 0) {
      throw new HoneError(
        'USAGE',
        notIndexed.length > 0
          ? `of what is changed nothing is indexed (${someOf(notIndexed)}); run: hone index ${root}`
          : `nothing is changed in ${root} since its last commit; name a file instead: hone related FILE`,
      )
    }
    const notes: readonly Note[] =
      notIndexed.length === 0
        ? []
        : [{ code: 'NOT_INDEXED', message: `changed, but not indexed: ${someOf(notIndexed)}` }]
    return this.#relatedTo(places, { ...options, notes, startedAt })
  }

  #relatedTo(
    places: readonly Place[],
    options: RelatedToOptions & { readonly notes: readonly Note[]; readonly startedAt: number },
  ): RelatedAnswer {
    const { limit, include, exclude, withText, budgetTokens, emit, notes, startedAt, signal } = options
    stopIfAborted(signal)
    return relatedAnswer(this.#latest().engine, places, {
      limit: limit ?? DEFAULTS.limit,
      include: include ?? [],
      exclude: exclude ?? [],
      withText: withText ?? budgetTokens !== undefined,
      ...(budgetTokens === undefined
        ? {}
        : { budget: { tokens: budgetTokens, emit: emit ?? JSON.stringify } }),
      stale: this.#stale,
      notes,
      elapsedMs: () => Math.round((performance.now() - startedAt) * 10) / 10,
    })
  }

  /**
   * Why a file ranks where it does, also when it was not returned. Throws PATH_UNKNOWN (naming near paths), PATH_OUTSIDE
   * or what `retrieve` throws.
   */
  async explain(options: ExplainRequest): Promise<Explanation> {
    checkOptions(options)
    stopIfAborted(options.signal)
    try {
      return await explain(this.#latest().engine, {
        ...loopOptions(options),
        path: options.path,
        limit: options.limit ?? DEFAULTS.limit,
      })
    } catch (error) {
      throw asAborted(error, options.signal)
    }
  }

  get status(): IndexStatus {
    const { root, folder } = this
    const { reader } = this.#latest()
    const { encoder, dimensions } = reader.settings
    return {
      root,
      folder,
      ...reader.stats,
      encoder,
      dimensions,
      vectorSearch: reader.vectorIndex.kind,
      history: reader.history.state,
      format: reader.format,
      bytes: folderBytes(folder),
    }
  }

  /** Paths that differ from the index: changed, new or gone. Sorted. */
  async staleFiles({ signal }: { readonly signal?: AbortSignal } = {}): Promise<readonly string[]> {
    stopIfAborted(signal)
    try {
      return await stalePaths(this.#latest().reader, this.root, signal)
    } catch (error) {
      throw asAborted(error, signal)
    }
  }

  /** Indexed paths, sorted. */
  files(): readonly string[] {
    return this.#latest()
      .reader.files()
      .map(({ path }) => path)
  }

  skipped(): readonly SkippedFile[] {
    return this.#latest().reader.skipped()
  }

  /** Lines of an indexed file as they are on disk now, or undefined when it cannot be read. */
  linesOf(path: string): readonly string[] | undefined {
    return this.#opened.engine.linesOf(path)
  }

  close(): void {
    this.#opened.engine.deep?.vectors.close()
    this.#opened.reader.close()
    this.#opened.watch.close()
  }
}

// Enough to see which kind they are; a checkout may hold thousands.
const SOME = 5

function someOf(paths: readonly string[]): string {
  const rest = paths.length - SOME
  return paths.slice(0, SOME).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
