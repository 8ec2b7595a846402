/** Building an index as a caller asks for it: what is not set keeps the value of the existing index. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { buildIndex as build, type BuildProgress, type BuildSummary as Built } from '../build/build-index.js'
import { wordsBeside } from '../build/encoders.js'
import { checkRoot, indexFolderOf } from '../build/index-folder.js'
import { watchIndex as watch } from '../build/watch.js'
import { DEFAULTS } from '../config.js'
import type { Embedder } from '../embed/embedder.js'
import { asAborted, stopIfAborted, type HoneError } from '../errors.js'
import { databasesIn, hasPointer } from '../store/index-location.js'
import { settingsAt } from '../store/index-reader.js'
import { keptSettings } from '../store/kept-settings.js'
import type { IndexSettings } from '../store/records.js'
import { embedderToBuild } from './embedder-of.js'

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
  /**
   * An encoder of your own, instead of `encoder`. The index then opens and updates with this embedder alone: the same
   * name and fingerprint. Throws ENCODER_UNUSABLE where its vectors are not what the interface promises.
   */
  readonly embedder?: Embedder
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
  /**
   * What somebody waits to ask: a full build reads the files whose paths say its words first, so that what is stored
   * early is likely to answer it. The finished index answers the same.
   */
  readonly question?: string
  readonly signal?: AbortSignal
}

export interface BuildSummary extends Built {
  /** The index before was damaged and its settings with it: this one was built with what was given, else defaults. */
  readonly areSettingsLost: boolean
}

/**
 * Builds or updates the index of `root`. Throws HoneError: USAGE, ROOT_*, GLOB_INVALID, ENCODER_*, INDEX_ENCODER,
 * INDEX_BUSY, INDEX_UNWRITABLE, ABORTED. Files that cannot be read are listed in the summary, not thrown. Whatever ends it early,
 * the index stays as it was; a first build that was stopped is taken up again by the next.
 */
export async function buildIndex(options: BuildOptions): Promise<BuildSummary> {
  const root = resolve(options.root)
  stopIfAborted(options.signal)
  checkRoot(root, { allowAny: options.allowAnyRoot ?? false })
  const folder = indexFolderOf(root)
  const known = settingsOf(folder)
  const areSettingsLost = known === undefined && hasPointer(folder)
  const embedder = await embedderToBuild(root, options, known)
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
      ...(options.question === undefined ? {} : { question: options.question }),
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
  const words = wordsBeside(embedder)
  return {
    root,
    encoder: embedder.name,
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    titles: { fingerprint: words.fingerprint, dimensions: words.dimensions },
    include: set.include ?? [],
    exclude: set.exclude ?? [],
    maxFileBytes: set.maxFileBytes ?? DEFAULTS.maxFileBytes,
    history: set.history ?? true,
  }
}

/** What was set about the index before, also by another version; of a damaged one, the copy beside it. */
function settingsOf(folder: string): IndexSettings | undefined {
  return [...databasesIn(folder).map((path) => () => settingsAt(path)), () => keptSettings(folder)]
    .map((read) => read())
    .find((settings) => settings !== undefined)
}
