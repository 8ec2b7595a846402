/**
 * Building or updating the index of one root: walk, compare, read, chunk, embed, store.
 *
 * An update of an existing index is one transaction. A full build goes into a new database that takes the old one's
 * place when it is complete; killed half-way it is taken up again.
 */
import { existsSync } from 'node:fs'
import type { Embedder } from '../embed/embedder.js'
import { StaticEmbedder } from '../embed/static-embedder.js'
import { HoneError } from '../errors.js'
import {
  currentDatabase,
  discard,
  makeIndexFolder,
  nextDatabase,
  publish,
  removeOthers,
} from '../store/index-location.js'
import { HNSW_FROM_CHUNKS } from '../store/hnsw.js'
import { IndexReader } from '../store/index-reader.js'
import { IndexWriter } from '../store/index-writer.js'
import { keepSettings } from '../store/kept-settings.js'
import type { IndexSettings } from '../store/records.js'
import type { SkippedFile } from '../types.js'
import { walk } from '../walk/walk.js'
import { analyseAll } from './analysis.js'
import type { BatchResult } from './batch-analyser.js'
import { textsOf } from './embedding-text.js'
import { likelyFirst } from './likely-first.js'
import { takeWriteLock, type WriteLock } from './lock.js'
import { newPast } from './past.js'
import { planUpdate, TOO_FRESH, type StampedSkip, type UpdatePlan } from './update-plan.js'

export interface BuildProgress {
  readonly phase: 'walk' | 'index' | 'write' | 'graph'
  readonly done: number
  readonly total: number
}

export interface BuildRequest {
  readonly settings: IndexSettings
  readonly folder: string
  readonly embedder: Embedder
  /** Worker threads for reading and parsing; 0 does it in this thread. */
  readonly jobs: number
  /** Start over although an index is there. */
  readonly rebuild: boolean
  /** A query waits for this update: what is only for later speed is left to the next. */
  readonly isHurried?: boolean
  /** Chunks from which on a graph of the vectors is built. Default: HNSW_FROM_CHUNKS (store/hnsw.ts). */
  readonly graphFrom?: number
  readonly onProgress?: (progress: BuildProgress) => void
  /** Asked now and then during a full build: true when somebody wants to read what is there already. */
  readonly isWanted?: () => boolean
  /** What somebody waits to ask: a full build reads first the files whose paths say its words. */
  readonly question?: string
  readonly signal?: AbortSignal
}

export interface BuildSummary {
  readonly files: number
  readonly chunks: number
  readonly skipped: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Files that could not be read; the reason is in their detail. */
  readonly failed: readonly SkippedFile[]
  readonly skippedByReason: Readonly<Record<string, number>>
  readonly ms: number
}

// A killed full build loses at most this many files of work ...
const FILES_PER_COMMIT = 4000
// ... or so many with a transformer: half a minute at 40 chunks a second.
const FILES_PER_COMMIT_SLOW = 128

/** Skips that are a fault of the file rather than a rule. */
const FAULTS: ReadonlySet<string> = new Set(['unreadable'])

export async function buildIndex(request: BuildRequest): Promise<BuildSummary> {
  const startedAt = performance.now()
  makeIndexFolder(request.folder)
  const lock = takeWriteLock(request.folder)
  let built: Built
  try {
    built = await buildSound(request)
  } finally {
    lock.release()
  }
  const isLarge = built.summary.chunks >= (request.graphFrom ?? HNSW_FROM_CHUNKS)
  if (isLarge && request.isHurried !== true) await buildGraph(built.path, request)
  return { ...built.summary, ms: Math.round(performance.now() - startedAt) }
}

interface Built {
  readonly path: string
  readonly summary: Omit<BuildSummary, 'ms'>
}

/** Damage that comes to light only while an index is updated is no reason to give up: it is then built anew. */
async function buildSound(request: BuildRequest): Promise<Built> {
  try {
    return await buildLocked(request)
  } catch (error) {
    const isDamaged = error instanceof HoneError && error.code === 'INDEX_CORRUPT'
    if (!isDamaged || request.rebuild || request.isHurried === true) throw error
    return buildLocked({ ...request, rebuild: true })
  }
}

async function buildLocked(request: BuildRequest): Promise<Built> {
  const target = chooseTarget(request)
  const writer = new IndexWriter(target.path, request.settings)
  try {
    const counts = await update(writer, request, target.isNew)
    keepSettings(request.folder, request.settings)
    if (target.isNew) {
      writer.tighten()
      writer.checkpoint()
      publish(request.folder, target.path)
    }
    return { path: target.path, summary: summaryOf(target.path, counts) }
  } finally {
    writer.close()
  }
}

/** The current database when it was built with the same settings, else a new one (or what a killed build left of it). */
function chooseTarget({ folder, settings, rebuild }: BuildRequest): {
  readonly path: string
  readonly isNew: boolean
} {
  const current = rebuild ? undefined : usable(() => currentDatabase(folder), settings)
  if (current !== undefined) {
    removeOthers(folder, current)
    return { path: current, isNew: false }
  }
  const next = nextDatabase(folder)
  if (rebuild || usable(() => next, settings) === undefined) discard(next)
  return { path: next, isNew: true }
}

/** The path when a database is there, sound, of this version and built with these settings, wherever the root was then. */
function usable(find: () => string | undefined, settings: IndexSettings): string | undefined {
  try {
    const path = find()
    if (path === undefined) return undefined
    const reader = new IndexReader(path)
    const isSame = JSON.stringify({ ...reader.settings, root: settings.root }) === JSON.stringify(settings)
    reader.close()
    return isSame ? path : undefined
  } catch (error) {
    if (error instanceof HoneError && error.code !== 'NATIVE_MODULE') return undefined
    throw error
  }
}

interface Counts {
  added: number
  changed: number
  removed: number
  touched: number
  skipped: StampedSkip[]
}

async function update(writer: IndexWriter, request: BuildRequest, isNew: boolean): Promise<Counts> {
  const { settings, signal, onProgress } = request
  onProgress?.({ phase: 'walk', done: 0, total: 0 })
  const { root, include, exclude, maxFileBytes } = settings
  const reading = newPast(writer, settings, signal)
  reading.catch(() => undefined) // looked at below
  const walked = await walk({
    root,
    include,
    exclude,
    maxFileBytes,
    ...(signal === undefined ? {} : { signal }),
  })
  writer.begin()
  const plan = planUpdate(walked.files, writer.storedFiles(), writer.storedSkips())
  const counts: Counts = {
    added: 0,
    changed: 0,
    removed: 0,
    touched: 0,
    skipped: [...walked.skipped, ...plan.stillSkipped],
  }
  try {
    await indexFiles(writer, request, { plan, counts, isNew })
  } catch (error) {
    if (isNew && signal?.aborted === true) writer.commit() // nobody reads it yet; the next run goes on from here
    throw error
  }
  for (const path of plan.gone) writer.removeFile(path)
  counts.removed = plan.gone.length
  const past = await reading
  const isPastNew = past !== undefined && writer.putHistory(past)
  const areSkipsNew = writer.putSkipped(counts.skipped)
  const isChanged =
    isPastNew || areSkipsNew || counts.added + counts.changed + counts.removed + counts.touched > 0
  onProgress?.({ phase: 'write', done: 0, total: 0 })
  // An update that found nothing leaves no trace, so that readers keep their caches.
  if (isChanged || isNew) writer.commit()
  else writer.rollback()
  return counts
}

async function indexFiles(
  writer: IndexWriter,
  request: BuildRequest,
  options: { readonly plan: UpdatePlan; readonly counts: Counts; readonly isNew: boolean },
): Promise<void> {
  const { settings, embedder, jobs, signal, onProgress } = request
  const { plan, counts, isNew } = options
  const total = plan.toRead.length
  if (total === 0) return
  const inOrder =
    isNew && request.question !== undefined ? likelyFirst(plan.toRead, request.question) : plan.toRead
  const files = inOrder.map((file) => ({ file, knownHash: plan.known.get(file.path)?.hash }))
  const filesPerCommit = embedder instanceof StaticEmbedder ? FILES_PER_COMMIT : FILES_PER_COMMIT_SLOW
  let done = 0
  let sinceCommit = 0
  onProgress?.({ phase: 'index', done, total })
  for await (const batch of analyseAll(files, {
    maxFileBytes: settings.maxFileBytes,
    embedder,
    jobs,
    signal,
  })) {
    for (const result of batch) await store(writer, result, { embedder, plan, counts, signal })
    done += batch.length
    sinceCommit += batch.length
    onProgress?.({ phase: 'index', done, total })
    if (!isNew || (sinceCommit < filesPerCommit && request.isWanted?.() !== true)) continue
    writer.commit()
    writer.begin()
    sinceCommit = 0
  }
}

async function store(
  writer: IndexWriter,
  result: BatchResult,
  options: {
    readonly embedder: Embedder
    readonly plan: UpdatePlan
    readonly counts: Counts
    readonly signal: AbortSignal | undefined
  },
): Promise<void> {
  const { embedder, plan, counts, signal } = options
  const isKnown = plan.known.has(result.path)
  if (result.kind === 'skip') {
    counts.skipped.push(result.skip)
    if (isKnown) writer.removeFile(result.path)
  } else if (result.kind === 'same') {
    if (result.record.ctimeMs === TOO_FRESH) return // as uncertain as before: nothing to write down
    writer.touchFile(result.record)
    counts.touched++
  } else {
    counts[isKnown ? 'changed' : 'added']++
    const { file } = result
    const vectors =
      file.vectors ?? (await embedder.embed(textsOf(file), signal === undefined ? {} : { signal }))
    writer.putFile({ ...file, vectors })
  }
}

/**
 * The graph of a very large index (store/hnsw.ts). It takes minutes: the index is there and answers by exact search, and
 * updates go on, for the write lock is free by now.
 */
async function buildGraph(path: string, request: BuildRequest): Promise<void> {
  const { folder, onProgress, signal } = request
  const build = graphWanted(path, request)
  if (build === undefined) return
  const lock = freeGraphLock(folder)
  if (lock === undefined) return // another process builds it
  try {
    await build({
      onProgress: (done, total) => onProgress?.({ phase: 'graph', done, total }),
      isWanted: () => existsSync(path), // else another full build has taken its place
      ...(signal === undefined ? {} : { signal }),
    })
  } finally {
    lock.release()
  }
}

/** The lock for the graph, or undefined where another process has it. */
function freeGraphLock(folder: string): WriteLock | undefined {
  try {
    return takeWriteLock(folder, 'graph-lock.db')
  } catch (error) {
    if (error instanceof HoneError && error.code === 'INDEX_BUSY') return undefined
    throw error
  }
}

function graphWanted(path: string, { graphFrom }: BuildRequest): ReturnType<IndexReader['graphWanted']> {
  const reader = new IndexReader(path, graphFrom === undefined ? {} : { graphFrom })
  try {
    return reader.graphWanted()
  } finally {
    reader.close()
  }
}

function summaryOf(path: string, counts: Counts): Omit<BuildSummary, 'ms'> {
  const reader = new IndexReader(path)
  const { files, chunks, skipped } = reader.stats
  reader.close()
  const skippedByReason: Record<string, number> = {}
  for (const { reason } of counts.skipped) skippedByReason[reason] = (skippedByReason[reason] ?? 0) + 1
  return {
    files,
    chunks,
    skipped,
    added: counts.added,
    changed: counts.changed,
    removed: counts.removed,
    failed: counts.skipped.filter(({ reason }) => FAULTS.has(reason)),
    skippedByReason,
  }
}
