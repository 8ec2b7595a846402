/**
 * hone as a library: build an index, open it, ask it. The only door: everything else is private.
 * Nothing here prints, keeps global state or reaches the network.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { changedPlaces } from './build/changed-places.js'
import { buildIndex as build, type BuildProgress, type BuildSummary as Built } from './build/build-index.js'
import type { Check } from './build/diagnose.js'
import { loadEncoder, loadStaticEmbedder } from './build/encoders.js'
import { checkRoot, indexFolderOf } from './build/index-folder.js'
import { refresh, stalePaths } from './build/refresh.js'
import { takeWriteLock } from './build/lock.js'
import { watchIndex as watch } from './build/watch.js'
import {
  DEFAULTS,
  FEEDBACK_MODEL,
  MAX_CYCLES,
  modelHub,
  MODELS_FOLDER,
  modelsFolders,
  RELEVANCE_MODEL,
  userModelsFolder,
} from './config.js'
import { modelsAtHand, type ModelFolder } from './embed/model-folder.js'
import { StaticEmbedder } from './embed/static-embedder.js'
import type { Embedder } from './embed/embedder.js'
import type { FeedbackModel } from './rank/feedback.js'
import { asAborted, HoneError, stopIfAborted } from './errors.js'
import { toAnswer } from './retrieve/answer.js'
import { deepTools } from './retrieve/deep-tools.js'
import { relatedAnswer } from './retrieve/related-answer.js'
import { Engine } from './retrieve/engine.js'
import { explain } from './retrieve/explain.js'
import { readFeedbackModel, readRelevanceModel } from './retrieve/relevance-file.js'
import { RetrievalSession } from './retrieve/session.js'
import { CommitWatch } from './store/commit-watch.js'
import {
  currentDatabase,
  databasesIn,
  folderBytes,
  nextDatabase,
  hasPointer,
  removeIndexFiles,
  removeIndexFolder,
} from './store/index-location.js'
import { IndexReader, settingsAt } from './store/index-reader.js'
import { keptSettings } from './store/kept-settings.js'
import { indexCommand } from './store/mend.js'
import type { IndexSettings } from './store/records.js'
import type {
  Answer,
  DeepMode,
  Explanation,
  Judgement,
  Note,
  PastState,
  Place,
  RelatedAnswer,
  SkippedFile,
  StopReason,
} from './types.js'
import { readSource } from './walk/read-source.js'
import { askGit, walkedFile, type WalkOptions } from './walk/walk.js'

export * from './types.js'
export type { Check } from './build/diagnose.js'
export type { ModelFolder, EncoderKind } from './embed/model-folder.js'
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
  /**
   * Asked now and then during a full build: true stores what has been read, for `openIndex({ allowPartial: true })`.
   * Costs time; answer true when somebody waits. The finished index is the same.
   */
  readonly isWanted?: () => boolean
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
  const embedder = await loadEncoder(modelsFolders(), options.encoder ?? known?.encoder ?? DEFAULTS.encoder)
  const settings = settingsFor(root, embedder, { ...known, ...given(options) })
  try {
    const built = await build({
      settings,
      folder,
      embedder,
      jobs: options.jobs ?? availableParallelism(),
      rebuild: options.rebuild ?? false,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.isWanted === undefined ? {} : { isWanted: options.isWanted }),
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
  /**
   * Whether a transformer rates the best files anew, about a second more: always, only where the first cycle is unsure,
   * or never. Default never. Where it is not installed the answer says so.
   */
  readonly deep?: DeepMode
  /** Whether words the index does not hold are taken for near ones that it does. Default true. */
  readonly bridging?: boolean
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

/** What to look for around a place, and how the answer should be. */
export interface RelatedToOptions {
  /** Files at most. Default 10. */
  readonly limit?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Ranges carry their lines. Default: only with a budget. */
  readonly withText?: boolean
  /** Tokens (UTF-8 bytes / 4) the answer may take when emitted. */
  readonly budgetTokens?: number
  /** How the answer will be written out, for the budget to count. Default: JSON.stringify. */
  readonly emit?: (answer: RelatedAnswer) => string
  readonly signal?: AbortSignal
}

export interface RelatedOptions extends RelatedToOptions {
  /** An indexed file, relative to the root, with "/". */
  readonly path: string
  /** A line of it, from 1; without, the whole file is meant. */
  readonly line?: number
}

/** A query, and the file it is about. */
export interface ExplainRequest extends Pick<
  RetrieveOptions,
  'task' | 'limit' | 'maxCycles' | 'minRelevance' | 'include' | 'exclude' | 'judgements' | 'deep' | 'signal'
> {
  /** Relative to the root, or absolute and below it. */
  readonly path: string
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
    const { places, notIndexed } = await changedPlaces(reader, { root, linesOf: engine.linesOf, signal })
    stopIfAborted(signal)
    if (places.length === 0) {
      throw new HoneError(
        'USAGE',
        notIndexed.length > 0
          ? `of what is changed nothing is indexed (${notIndexed.slice(0, 3).join(', ')}); run: hone index ${root}`
          : `nothing is changed in ${root} since its last commit; name a file instead: hone related FILE`,
      )
    }
    const notes: readonly Note[] =
      notIndexed.length === 0
        ? []
        : [{ code: 'NOT_INDEXED', message: `changed, but not indexed: ${notIndexed.join(', ')}` }]
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
    const { path, task, signal } = options
    try {
      return await explain(this.#latest().engine, {
        path,
        task,
        limit: options.limit ?? DEFAULTS.limit,
        maxCycles: options.maxCycles ?? DEFAULTS.maxCycles,
        minRelevance: options.minRelevance ?? DEFAULTS.minRelevance,
        include: options.include ?? [],
        exclude: options.exclude ?? [],
        judgements: options.judgements ?? [],
        deep: options.deep ?? DEFAULTS.deep,
        bridging: true,
        ...(signal === undefined ? {} : { signal }),
      })
    } catch (error) {
      throw asAborted(error, signal)
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
    this.#opened.engine.deep?.vectors.close()
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
      deep: options.deep ?? DEFAULTS.deep,
      bridging: options.bridging ?? true,
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

/** Throws USAGE for the first of the named options that is given and is no whole number from 1 to the most it takes. */
function checkWholes(options: object, most: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(most)) {
    const value = (options as Readonly<Record<string, number | undefined>>)[name]
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= limit)) continue
    const range = limit === Infinity ? 'from 1 up' : `from 1 to ${limit}`
    throw new HoneError('USAGE', `${name} is ${value}; it takes a whole number ${range}`)
  }
}

/** Throws USAGE naming the option at fault and what it takes. */
function checkOptions(options: RetrieveOptions): void {
  checkWholes(options, {
    limit: Infinity,
    maxCycles: MAX_CYCLES,
    timeoutMs: Infinity,
    budgetTokens: Infinity,
  })
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
  /** Folder of another model of the deep step. Default: models/deep-1 of this package. */
  readonly deepModel?: string
  /** Folder of another model of feedback, read with the first judgements. Default: models/feedback-1 of this package. */
  readonly feedbackModel?: string
  /**
   * Where there is no index, open what an unfinished first build has stored so far (its first files, by path). Such an
   * index does not grow, cannot be refreshed and has no history; open again for more. Default false.
   */
  readonly allowPartial?: boolean
}

/**
 * Opens the index of `root`. Throws HoneError: INDEX_MISSING, INDEX_VERSION, INDEX_CORRUPT, INDEX_ENCODER,
 * MODEL_CORRUPT.
 */
export async function openIndex(options: OpenOptions): Promise<HoneIndex> {
  const root = resolve(options.root)
  const folder = indexFolderOf(root)
  const { allowPartial = false } = options
  const tools = {
    model: readRelevanceModel(options.relevanceModel ?? join(MODELS_FOLDER, RELEVANCE_MODEL)),
    feedback: feedbackReader(options.feedbackModel ?? join(MODELS_FOLDER, FEEDBACK_MODEL)),
    deep: deepTools({ models: MODELS_FOLDER, index: folder, model: options.deepModel }),
  }
  if (options.refresh !== true)
    return new HoneIndex(root, folder, await open(root, folder, { ...tools, allowPartial }))
  const stopping = new AbortController()
  const listing = askGit(root, stopping.signal) // git lists while the index is opened
  try {
    return await HoneIndex.refreshed({ root, folder, opened: await open(root, folder, tools), listing })
  } catch (error) {
    stopping.abort()
    throw error
  }
}

/** Reads the model once, when it is first wanted. */
function feedbackReader(folder: string): () => FeedbackModel {
  let read: FeedbackModel | undefined
  return () => (read ??= readFeedbackModel(folder))
}

async function open(
  root: string,
  folder: string,
  tools: Tools & { readonly allowPartial?: boolean },
): Promise<Opened> {
  const found = openReader(folder) ?? (tools.allowPartial === true ? openUnfinished(folder) : undefined)
  if (found === undefined)
    throw new HoneError('INDEX_MISSING', `no index in ${root}; run: ${indexCommand(root)}`)
  try {
    const { encoder, fingerprint } = found.reader.settings
    const embedder = await loadEncoder(modelsFolders(), encoder)
    if (embedder.fingerprint !== fingerprint) {
      throw new HoneError(
        'INDEX_ENCODER',
        `the index in ${root} was made with another version of the encoder ${embedder.name}; run: ${indexCommand(root)}`,
      )
    }
    return opened(root, tools, { ...found, embedder })
  } catch (error) {
    found.reader.close()
    found.watch.close()
    throw error
  }
}

/** What every state of an index is asked with. */
type Tools = Pick<Engine, 'model' | 'feedback' | 'deep'>

function opened(root: string, { model, feedback, deep }: Tools, parts: Omit<Opened, 'engine'>): Opened {
  const { reader, embedder } = parts
  const words =
    embedder instanceof StaticEmbedder ? embedder : loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
  const linesOf = (path: string): readonly string[] | undefined =>
    readLines(root, path, reader.settings.maxFileBytes)
  return { ...parts, engine: new Engine({ index: reader, embedder, words, linesOf, model, feedback, deep }) }
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

/** A reader of what an unfinished first build has stored, or undefined where that is nothing yet. */
function openUnfinished(folder: string): Found | undefined {
  const path = nextDatabase(folder)
  if (!existsSync(path)) return undefined
  try {
    const unfinished = found(path)
    if (unfinished.reader.liveFiles > 0) return unfinished
    unfinished.reader.close()
    unfinished.watch.close()
  } catch (error) {
    if (!(error instanceof HoneError)) throw error // a database without its first commit yet
  }
  return undefined
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

/** Encoders that `hone index --encoder` takes, sorted by name. */
export function encodersAtHand(): readonly ModelFolder[] {
  return modelsAtHand(modelsFolders())
}

export interface AddEncoderOptions {
  /** "owner/model" on the hub; with `from`, any name. */
  readonly name: string
  /** Folder that holds its files: nothing is downloaded. */
  readonly from?: string
  /** Called before each file that is downloaded. */
  readonly onFile?: (file: string) => void
  readonly signal?: AbortSignal
}

/**
 * Adds an encoder to the user's models. The only function that uses the network, unless `from` is given.
 * Throws HoneError: ENCODER_UNKNOWN, ENCODER_UNUSABLE, MODEL_CORRUPT, ABORTED.
 */
export async function addEncoder(options: AddEncoderOptions): Promise<ModelFolder> {
  const { addModel } = await import('./embed/add-model.js') // nobody else needs it
  return addModel({ ...options, modelsFolder: userModelsFolder(), hub: modelHub() })
}

/** Tries out what hone needs on this machine, and the index of `root`. Changes nothing. */
export async function diagnose(options: { readonly root: string }): Promise<readonly Check[]> {
  const { diagnose: ofMachine } = await import('./build/diagnose.js')
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
    return { name: 'index', state, detail: error.message, remedy: indexCommand(root) }
  }
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
