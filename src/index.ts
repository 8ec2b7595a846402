/**
 * hone as a library: build an index, open it, ask it. The only door: everything else is private.
 * Nothing here prints, keeps global state or reaches the network.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { buildIndex as build, type BuildProgress, type BuildSummary as Built } from './build/build-index.js'
import { loadEncoder, loadStaticEmbedder } from './build/encoders.js'
import { checkRoot, indexFolderOf } from './build/index-folder.js'
import { refresh, stalePaths } from './build/refresh.js'
import { takeWriteLock } from './build/lock.js'
import { watchIndex as watch } from './build/watch.js'
import { DEFAULTS, FEEDBACK_MODEL, MAX_CYCLES, MODELS_FOLDER, RELEVANCE_MODEL } from './config.js'
import { StaticEmbedder } from './embed/static-embedder.js'
import type { Embedder } from './embed/embedder.js'
import type { FeedbackModel } from './rank/feedback.js'
import { asAborted, HoneError, stopIfAborted } from './errors.js'
import { toAnswer } from './retrieve/answer.js'
import { Engine, type EngineParts } from './retrieve/engine.js'
import { readFeedbackModel, readRelevanceModel } from './retrieve/relevance-file.js'
import { RetrievalSession } from './retrieve/session.js'
import { CommitWatch } from './store/commit-watch.js'
import {
  currentDatabase,
  databasesIn,
  folderBytes,
  hasPointer,
  removeIndexFiles,
  removeIndexFolder,
} from './store/index-location.js'
import { IndexReader, settingsAt } from './store/index-reader.js'
import { keptSettings } from './store/kept-settings.js'
import { indexCommand } from './store/mend.js'
import type { IndexSettings } from './store/records.js'
import type { Answer, Judgement, PastState, SkippedFile, StopReason } from './types.js'
import { readSource } from './walk/read-source.js'
import { askGit, walkedFile, type WalkOptions } from './walk/walk.js'

export * from './types.js'
export { HoneError, type HoneErrorCode } from './errors.js'
export type { BuildProgress } from './build/build-index.js'
export type { Embedder } from './embed/embedder.js'
export { whyNoHistory } from './retrieve/past-notes.js'
export { indexCommand } from './store/mend.js'
export { tokensOf } from './retrieve/budget.js'
export { findIndexedRoot, defaultRoot, indexFolderOf } from './build/index-folder.js'

/** What can be set about an index. What is left out keeps the value of the existing index, else the default. */
export interface BuildOptions {
  readonly root: string
  /** Globs; only matching files are indexed. */
  readonly include?: readonly string[]
  /** Globs left out. */
  readonly exclude?: readonly string[]
  /** Larger files are skipped, and said so. Default 1,000,000. */
  readonly maxFileBytes?: number
  /** Whether past commits of the git repository around it help ranking. Default true. */
  readonly history?: boolean
  /** Name of an encoder. Default hone-static-1. */
  readonly encoder?: string
  /** Threads that read and parse. Default: the number of processors. 0 uses this thread alone. */
  readonly jobs?: number
  /** Build anew although nothing changed. */
  readonly rebuild?: boolean
  /** Allow a home folder or file system root. */
  readonly allowAnyRoot?: boolean
  readonly onProgress?: (progress: BuildProgress) => void
  readonly signal?: AbortSignal
}

export interface BuildSummary extends Built {
  /** The index before was damaged and its settings with it: this one was built with what was given, else defaults. */
  readonly areSettingsLost: boolean
}

/**
 * Builds or updates the index of `root`. Throws HoneError: ROOT_*, GLOB_INVALID, ENCODER_*, INDEX_BUSY,
 * INDEX_UNWRITABLE, ABORTED. Files that cannot be read are listed in the summary, not thrown. Whatever ends it early,
 * the index stays as it was; a first build that was stopped is taken up again by the next.
 */
export async function buildIndex(options: BuildOptions): Promise<BuildSummary> {
  const root = resolve(options.root)
  stopIfAborted(options.signal)
  checkRoot(root, { allowAny: options.allowAnyRoot ?? false })
  const folder = indexFolderOf(root)
  const known = settingsOf(folder)
  const areSettingsLost = known === undefined && hasPointer(folder)
  const embedder = await loadEncoder(MODELS_FOLDER, options.encoder ?? known?.encoder ?? DEFAULTS.encoder)
  const settings = settingsFor(root, embedder, { ...known, ...given(options) })
  try {
    const built = await build({
      settings,
      folder,
      embedder,
      jobs: options.jobs ?? availableParallelism(),
      rebuild: options.rebuild ?? false,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    return { ...built, areSettingsLost }
  } catch (error) {
    throw asAborted(error, options.signal)
  }
}

export interface WatchOptions extends BuildOptions {
  /** After every run, one that found nothing included. */
  readonly onRun?: (summary: BuildSummary) => void
  /** A later run failed for now (another process writes, the disk is full); it is tried again. */
  readonly onTrouble?: (error: HoneError) => void
  /** The file system tells no changes (limit of watched folders, @parcel/watcher missing): it is looked now and then. */
  readonly onPolling?: (why: string) => void
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/**
 * Builds or updates the index of `root`, and again after every burst of changes until `signal` is aborted, then
 * resolves; the index is usable whenever that is. Throws as `buildIndex` does when the first run fails.
 */
export async function watchIndex(options: WatchOptions): Promise<void> {
  const { onRun, onTrouble, onPolling, signal } = options
  const root = resolve(options.root)
  await watch({
    root,
    folder: indexFolderOf(root),
    // What was set is stored by the first run.
    run: (isFirst) => buildIndex(isFirst ? options : { ...options, rebuild: false }),
    onRun: (summary) => onRun?.(summary),
    onTrouble: (error) => onTrouble?.(error),
    onPolling: (why) => onPolling?.(why),
    signal,
  })
}

/** The options about an index that are set. */
function given(options: BuildOptions): Partial<IndexSettings> {
  const { include, exclude, maxFileBytes, history } = options
  return {
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
    ...(history === undefined ? {} : { history }),
  }
}

function settingsFor(root: string, embedder: Embedder, set: Partial<IndexSettings>): IndexSettings {
  return {
    root,
    encoder: embedder.name,
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    include: set.include ?? [],
    exclude: set.exclude ?? [],
    maxFileBytes: set.maxFileBytes ?? DEFAULTS.maxFileBytes,
    history: set.history ?? true,
  }
}

export interface RetrieveOptions {
  readonly task: string
  /** Files at most. Default 10. */
  readonly limit?: number
  /** 1..3. Default 3. */
  readonly maxCycles?: number
  /** 0..1. Default 0.2. */
  readonly minRelevance?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Add the signals behind each relevance. */
  readonly explain?: boolean
  /** Start no further cycle after this many milliseconds. */
  readonly timeoutMs?: number
  /** Ranges carry their lines. Default: only with a budget. */
  readonly withText?: boolean
  /** Tokens (UTF-8 bytes / 4) the answer may take when emitted; what does not fit is left out and said in a note. */
  readonly budgetTokens?: number
  /** How the answer will be written out, for the budget to count. Default: JSON.stringify. */
  readonly emit?: (answer: Answer) => string
  /** What is known about files beforehand, as `Session.judge` takes it. */
  readonly judgements?: readonly Judgement[]
  /**
   * Called after each cycle with the answer so far; what it says counts from then on, and is worth another cycle while
   * there are any left. An empty list: nothing to say, the loop goes on as it would.
   */
  readonly judge?: (shown: Answer) => readonly Judgement[] | Promise<readonly Judgement[]>
  /** Leave judged files out of the answer. Default false: relevant ones stay, irrelevant ones leave. */
  readonly onlyNew?: boolean
  readonly signal?: AbortSignal
}

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

/** A state of an index, ready to be asked. */
interface Opened {
  readonly reader: IndexReader
  readonly embedder: Embedder
  readonly engine: Engine
  readonly watch: CommitWatch
  /** What the watch said before the reader read. */
  readonly generation: string
}

/** An open index. Close it when done. */
export class HoneIndex {
  #opened: Opened
  #refreshing: Promise<number> | undefined
  /** Null until it has been looked. */
  #stale: number | null = null

  /** @internal use openIndex */
  constructor(
    readonly root: string,
    readonly folder: string,
    opened: Opened,
  ) {
    this.#opened = opened
  }

  /** @internal use openIndex */
  static async refreshed(of: {
    readonly root: string
    readonly folder: string
    readonly opened: Opened
    readonly listing: WalkOptions['listing']
  }): Promise<HoneIndex> {
    const index = new HoneIndex(of.root, of.folder, of.opened)
    try {
      await index.#refresh(of.listing)
      return index
    } catch (error) {
      index.close()
      throw error
    }
  }

  /** Takes in changed files when they are few, and what other processes built; returns how many are stale after it. */
  refresh(): Promise<number> {
    // Two at once would stand in each other's way at the lock.
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  async #refresh(listing?: WalkOptions['listing']): Promise<number> {
    await this.#followBuilds()
    const { reader, embedder } = this.#latest()
    const refreshing = refresh(reader, {
      root: this.root,
      folder: this.folder,
      embedder,
      jobs: 0,
      listing,
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
    this.#opened = await open(this.root, this.folder, this.#opened.engine)
    watch.close()
  }

  /**
   * What is committed now. A newer state has a reader of its own: sessions go on with the one they began with, which
   * the garbage collector closes after the last of them.
   */
  #latest(): Opened {
    const { watch, generation, embedder, engine } = this.#opened
    const latest = watch.generation()
    if (latest !== generation) {
      const reader = new IndexReader(watch.path)
      this.#opened = opened(this.root, engine, { reader, embedder, watch, generation: latest })
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
  staleFiles(): Promise<readonly string[]> {
    return stalePaths(this.#latest().reader, this.root)
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
    this.#opened.reader.close()
    this.#opened.watch.close()
  }
}

/** A task being answered, one cycle at a time. */
export class Session {
  readonly #session: RetrievalSession
  readonly #startedAt = performance.now()

  /** @internal use HoneIndex.start */
  constructor(
    engine: Engine,
    private readonly options: RetrieveOptions,
    private readonly stale: number | null,
  ) {
    checkOptions(options)
    const { task, timeoutMs, signal } = options
    this.#session = new RetrievalSession(engine, {
      task,
      maxCycles: options.maxCycles ?? DEFAULTS.maxCycles,
      minRelevance: options.minRelevance ?? DEFAULTS.minRelevance,
      include: options.include ?? [],
      exclude: options.exclude ?? [],
      judgements: options.judgements ?? [],
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  /** Why the loop should stop now, or undefined when another cycle is worth it. */
  get stop(): StopReason | undefined {
    return this.#session.stop
  }

  /** Runs one more cycle and returns the answer so far. */
  async next(): Promise<Answer> {
    await this.#cycle()
    return this.answer()
  }

  /** Runs the cycles that are left and returns the answer. */
  async finish(): Promise<Answer> {
    while (this.stop === undefined) await this.#cycle()
    return this.answer()
  }

  async #cycle(): Promise<void> {
    try {
      await this.#session.next()
    } catch (error) {
      throw asAborted(error, this.options.signal)
    }
    const judgements = await this.options.judge?.(this.answer())
    if (judgements !== undefined) this.judge(judgements)
  }

  /**
   * Says which files are relevant and which are not, shown ones or any other of the index. Relevant ones are certain,
   * irrelevant ones leave the answer for good (unless judged otherwise later), and the next cycle rates the rest anew by
   * what they have in common with them. Throws PATH_UNKNOWN with near paths, PATH_OUTSIDE, USAGE.
   */
  judge(judgements: readonly Judgement[]): void {
    this.#session.judge(judgements)
  }

  answer(): Answer {
    const { limit, minRelevance, explain, withText, budgetTokens, emit, onlyNew } = this.options
    return toAnswer(this.#session, this.#session.stop ?? 'max-cycles', {
      limit: limit ?? DEFAULTS.limit,
      minRelevance: minRelevance ?? DEFAULTS.minRelevance,
      explain: explain ?? false,
      withText: withText ?? budgetTokens !== undefined,
      ...(budgetTokens === undefined
        ? {}
        : { budget: { tokens: budgetTokens, emit: emit ?? JSON.stringify } }),
      stale: this.stale,
      notes: [],
      onlyNew: onlyNew ?? false,
      ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
    })
  }
}

/** Throws USAGE naming the option at fault and what it takes. */
function checkOptions(options: RetrieveOptions): void {
  const wholes = { limit: Infinity, maxCycles: MAX_CYCLES, timeoutMs: Infinity, budgetTokens: Infinity }
  for (const [name, most] of Object.entries(wholes) as [keyof typeof wholes, number][]) {
    const value = options[name]
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) continue
    const range = most === Infinity ? 'from 1 up' : `from 1 to ${most}`
    throw new HoneError('USAGE', `${name} is ${value}; it takes a whole number ${range}`)
  }
  const { minRelevance } = options
  if (minRelevance !== undefined && !(minRelevance >= 0 && minRelevance <= 1))
    throw new HoneError('USAGE', `minRelevance is ${minRelevance}; it takes a number from 0 to 1`)
}

export interface OpenOptions {
  readonly root: string
  /** Take in what changed since, as `refresh()` does. Default false. */
  readonly refresh?: boolean
  /** Folder of another model of relevance. Default: models/relevance-1 of this package. */
  readonly relevanceModel?: string
  /** Folder of another model of feedback, read with the first judgements. Default: models/feedback-1 of this package. */
  readonly feedbackModel?: string
}

/**
 * Opens the index of `root`. Throws HoneError: INDEX_MISSING, INDEX_VERSION, INDEX_CORRUPT, INDEX_ENCODER,
 * MODEL_CORRUPT.
 */
export async function openIndex(options: OpenOptions): Promise<HoneIndex> {
  const root = resolve(options.root)
  const folder = indexFolderOf(root)
  const models = modelsOf(options)
  if (options.refresh !== true) return new HoneIndex(root, folder, await open(root, folder, models))
  const stopping = new AbortController()
  const listing = askGit(root, stopping.signal) // git lists while the index is opened
  try {
    return await HoneIndex.refreshed({ root, folder, opened: await open(root, folder, models), listing })
  } catch (error) {
    stopping.abort()
    throw error
  }
}

/** What every state of an index is asked with. */
type Models = Pick<EngineParts, 'model' | 'feedback'>

function modelsOf({ relevanceModel, feedbackModel }: OpenOptions): Models {
  const folder = feedbackModel ?? join(MODELS_FOLDER, FEEDBACK_MODEL)
  let read: FeedbackModel | undefined
  return {
    model: readRelevanceModel(relevanceModel ?? join(MODELS_FOLDER, RELEVANCE_MODEL)),
    feedback: () => (read ??= readFeedbackModel(folder)),
  }
}

async function open(root: string, folder: string, models: Models): Promise<Opened> {
  const found = openReader(folder)
  if (found === undefined)
    throw new HoneError('INDEX_MISSING', `no index in ${root}; run: ${indexCommand(root)}`)
  try {
    const { encoder, fingerprint } = found.reader.settings
    const embedder = await loadEncoder(MODELS_FOLDER, encoder)
    if (embedder.fingerprint !== fingerprint) {
      throw new HoneError(
        'INDEX_ENCODER',
        `the index in ${root} was made with another version of the encoder ${embedder.name}; run: ${indexCommand(root)}`,
      )
    }
    return opened(root, models, { ...found, embedder })
  } catch (error) {
    found.reader.close()
    found.watch.close()
    throw error
  }
}

function opened(root: string, { model, feedback }: Models, parts: Omit<Opened, 'engine'>): Opened {
  const { reader, embedder } = parts
  const words =
    embedder instanceof StaticEmbedder ? embedder : loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
  const linesOf = (path: string): readonly string[] | undefined =>
    readLines(root, path, reader.settings.maxFileBytes)
  return { ...parts, engine: new Engine({ index: reader, embedder, words, linesOf, model, feedback }) }
}

type Found = Pick<Opened, 'reader' | 'watch' | 'generation'>

// A full build moves the pointer, then removes the old database: who read the pointer just before looks again.
const OPEN_ATTEMPTS = 3

/** A reader of the current database of an index folder, or undefined when there is none. */
function openReader(folder: string): Found | undefined {
  for (let attempt = 1; ; attempt++) {
    try {
      const path = currentDatabase(folder)
      return path === undefined ? undefined : found(path)
    } catch (error) {
      if (!(error instanceof HoneError) || attempt === OPEN_ATTEMPTS) throw error
    }
  }
}

function found(path: string): Found {
  const watch = new CommitWatch(path)
  try {
    return { watch, generation: watch.generation(), reader: new IndexReader(path) }
  } catch (error) {
    watch.close()
    throw error
  }
}

/**
 * Removes the index of `root`, and its folder unless something else lies in it. Returns the folder, or undefined when
 * there was no index. Throws INDEX_BUSY, INDEX_UNWRITABLE.
 */
export function removeIndex(options: { readonly root: string }): string | undefined {
  const folder = indexFolderOf(resolve(options.root))
  if (!existsSync(folder)) return undefined
  const lock = takeWriteLock(folder)
  let hadIndex: boolean
  try {
    hadIndex = removeIndexFiles(folder)
  } finally {
    lock.release()
  }
  removeIndexFolder(folder)
  return hadIndex ? folder : undefined
}

/** What was set about the index before, also by another version; of a damaged one, the copy beside it. */
function settingsOf(folder: string): IndexSettings | undefined {
  return [...databasesIn(folder).map((path) => () => settingsAt(path)), () => keptSettings(folder)]
    .map((read) => read())
    .find((settings) => settings !== undefined)
}

function readLines(root: string, path: string, maxFileBytes: number): readonly string[] | undefined {
  const file = walkedFile(root, path)
  if (file === undefined) return undefined
  const read = readSource(file, maxFileBytes)
  return read.kind === 'text' ? read.source.text.split(/\r\n|\r|\n/) : undefined
}
