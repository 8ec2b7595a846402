/** Everything about one checkout: index it, run the methods that have no result yet, measure time and memory. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEEP_MODEL, FEEDBACK_MODEL, MODELS_FOLDER } from '../../src/config.js'
import { foldModel } from './provenance.js'
import { readJson, writeJson, type Timing } from './results.js'
import type { Layout, Repository } from './tasks.js'
import type { WorkerJob, WorkerRequest } from './worker.js'

export interface RepositoryRun {
  readonly layout: Layout
  readonly repository: Repository
  /** Folder that is searched. */
  readonly root: string
  /** Folder of this run in the cache: index, requests, timing. */
  readonly folder: string
  /** Only those without a result. */
  readonly jobs: readonly WorkerJob[]
  /** Tasks to measure query time with; none = do not measure. */
  readonly timedTasks: readonly string[]
}

interface Built {
  readonly files: number
  readonly chunks: number
  readonly ms: number
  readonly peakMb: number
}

interface Queried {
  readonly openMs: number
  readonly times: readonly number[]
  readonly peakMb: number
}

const HERE = fileURLToPath(new URL('./', import.meta.url))
const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const COLD_RUNS = 3

/** Throws with what the process said when one of the steps fails. */
export function runRepository(run: RepositoryRun): void {
  const built = buildOnce(run)
  if (run.jobs.length > 0) {
    const relevanceModel = foldModel(MODELS_FOLDER, run.repository.name)
    const feedbackModel = foldModel(MODELS_FOLDER, run.repository.name, FEEDBACK_MODEL)
    const deepModel = foldModel(MODELS_FOLDER, run.repository.name, DEEP_MODEL)
    const models = { relevanceModel, feedbackModel, deepModel }
    const request: WorkerRequest = { root: run.root, models, jobs: run.jobs }
    const requestFile = join(run.folder, 'request.json')
    writeJson(requestFile, request)
    node(['--import', join(HERE, 'loader.js'), join(HERE, 'worker.ts'), requestFile], run.folder)
  }
  if (run.timedTasks.length > 0 && readTiming(run.folder) === undefined) measure(run, built)
}

export function readTiming(folder: string): Timing | undefined {
  return readJson(join(folder, 'timing.json')) as Timing | undefined
}

/** Builds the index unless an earlier run of the same code did. */
function buildOnce({ root, folder }: RepositoryRun): Built {
  const file = join(folder, 'built.json')
  const known = readJson(file) as Built | undefined
  if (known !== undefined && existsSync(indexFolder(folder))) return known
  const built = JSON.parse(node([join(HERE, 'measure-child.js'), 'build', root], folder)) as Built
  writeJson(file, built)
  return built
}

function measure({ root, folder, timedTasks }: RepositoryRun, built: Built): void {
  const tasksFile = join(folder, 'tasks.json')
  writeJson(tasksFile, timedTasks)
  const queried = JSON.parse(
    node([join(HERE, 'measure-child.js'), 'query', root, tasksFile], folder),
  ) as Queried
  const timing: Timing = {
    files: built.files,
    chunks: built.chunks,
    indexMs: built.ms,
    indexPeakMb: built.peakMb,
    openMs: queried.openMs,
    queryMs: queried.times,
    queryPeakMb: queried.peakMb,
    coldMs: coldRuns(root, folder, timedTasks[0] ?? ''),
  }
  writeJson(join(folder, 'timing.json'), timing)
}

/** The whole command from start to exit, as a user runs it. */
function coldRuns(root: string, folder: string, task: string): readonly number[] {
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    bin: { hone: string }
  }
  return Array.from({ length: COLD_RUNS }, () => {
    const before = performance.now()
    node([join(PROJECT, manifest.bin.hone), 'query', task, '--repo', root], folder, [0, 1])
    return performance.now() - before
  })
}

/** Runs node and returns what it printed. */
function node(args: readonly string[], folder: string, allowed: readonly number[] = [0]): string {
  const { stdout, stderr, status, signal, error } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 256_000_000,
    env: { ...process.env, HONE_INDEX_DIR: indexFolder(folder) },
  })
  if (error !== undefined) throw error
  if (signal !== null) throw new Error(`ended by ${signal}`)
  if (status === null || !allowed.includes(status)) {
    throw new Error(`exit code ${status ?? 'unknown'}: ${stderr.trim().slice(-800)}`)
  }
  return stdout
}

function indexFolder(folder: string): string {
  return join(folder, 'index')
}
