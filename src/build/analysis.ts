/**
 * Analysing many files, in this thread or in workers. Results come in the order of the files either way, so the index
 * does not depend on how many threads made it.
 */
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MODELS_FOLDER } from '../config.js'
import type { Embedder } from '../embed/embedder.js'
import type { WorkerSettings } from './analyse-worker.js'
import type { BatchResult, FileToRead } from './batch-analyser.js'
import { wordsBeside } from './encoders.js'

// A batch is a message; 16 files of source are about 190 KB, well above its cost.
const FILES_PER_BATCH = 16
// Bounds what a batch of large files holds in memory.
const BYTES_PER_BATCH = 2_000_000
// Starting a worker costs 160 ms (grammars, word table); fewer files are done before it is up.
const LEAST_FILES_FOR_WORKERS = 100
// Batches each worker has waiting, so that it never idles while results are stored.
const BATCHES_AHEAD = 3

export interface AnalysisOptions {
  readonly maxFileBytes: number
  readonly embedder: Embedder
  /** Worker threads at most; 0 analyses in this thread. */
  readonly jobs: number
  readonly signal: AbortSignal | undefined
}

/** Yields the results batch by batch, in the order of `files`. */
export async function* analyseAll(
  files: readonly FileToRead[],
  options: AnalysisOptions,
): AsyncGenerator<readonly BatchResult[]> {
  const batches = batchesOf(files)
  const worker = workerFile()
  if (options.jobs === 0 || files.length < LEAST_FILES_FOR_WORKERS || worker === undefined) {
    yield* analyseHere(batches, options)
  } else {
    yield* analyseInWorkers(batches, { ...options, worker })
  }
}

async function* analyseHere(
  batches: readonly (readonly FileToRead[])[],
  { maxFileBytes, embedder, signal }: AnalysisOptions,
): AsyncGenerator<readonly BatchResult[]> {
  // Loaded when there is something to read: a query that finds nothing changed need not load parsers (23 ms; docs/decisions/0005-bundled-command.md).
  const { BatchAnalyser } = await import('./batch-analyser.js')
  const words = wordsBeside(embedder)
  const analyser = await BatchAnalyser.create(maxFileBytes, { words, isEmbedding: words === embedder })
  for (const batch of batches) {
    await nextTurn() // nothing below waits for anything, so Ctrl-C and timers get their turn here
    signal?.throwIfAborted()
    yield await analyser.analyse(batch)
  }
}

async function* analyseInWorkers(
  batches: readonly (readonly FileToRead[])[],
  options: AnalysisOptions & { readonly worker: string },
): AsyncGenerator<readonly BatchResult[]> {
  const { jobs, embedder, maxFileBytes } = options
  const words = wordsBeside(embedder)
  const settings: WorkerSettings = {
    maxFileBytes,
    modelsFolder: MODELS_FOLDER,
    words: words.name,
    isEmbedding: words === embedder,
  }
  const { AnalysisWorker } = await import('./analysis-worker.js')
  const workers = Array.from(
    { length: Math.min(jobs, batches.length) },
    () => new AnalysisWorker(options.worker, settings),
  )
  try {
    const pending: Promise<readonly BatchResult[]>[] = []
    let next = 0
    const send = (): void => {
      const batch = batches[next]
      if (batch === undefined) return
      // Round robin: each worker answers in order, and results are taken in order.
      const answer = workers[next % workers.length]!.analyse(batch) // the index is below the length
      answer.catch(() => undefined) // looked at when its turn comes
      pending.push(answer)
      next++
    }
    while (pending.length < workers.length * BATCHES_AHEAD && next < batches.length) send()
    while (pending.length > 0) {
      options.signal?.throwIfAborted()
      const results = await pending.shift()!
      send()
      yield results
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.close()))
  }
}

function batchesOf(files: readonly FileToRead[]): readonly (readonly FileToRead[])[] {
  const batches: FileToRead[][] = []
  let bytes = Infinity
  for (const item of files) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= FILES_PER_BATCH || bytes + item.file.bytes > BYTES_PER_BATCH) {
      batches.push([item])
      bytes = item.file.bytes
    } else {
      last.push(item)
      bytes += item.file.bytes
    }
  }
  return batches
}

/** The compiled worker beside this file or, for the bundled command, beside the bundle. Absent when run from source. */
function workerFile(): string | undefined {
  return ['./analyse-worker.js', './analyse-worker.cjs']
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((path) => existsSync(path))
}
