/** A whole run: plans what is to be done, does what no earlier run did, and gathers the outcomes of every set. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { METHODS } from './methods.js'
import type { BenchOptions } from './options.js'
import { FEEDBACK_METHODS } from './rankings/judged.js'
import { measurePeer, readPeerTiming, type Peer, type PeerTiming } from './peer.js'
import { readTiming, runRepository, type RepositoryRun } from './repository-run.js'
import { digestOf, readResult, tasksDigest, type Timing } from './results.js'
import type { Outcome } from './summary.js'
import {
  LAYOUT_OF,
  readSet,
  type Layout,
  type Repository,
  type SetName,
  type Task,
  type TaskSet,
} from './tasks.js'

export interface MissingRepository {
  readonly name: string
  readonly why: string
}

export interface SetOutcomes {
  readonly set: SetName
  readonly missing: readonly MissingRepository[]
  /** By id of the method, one outcome a repository, in the order of the label file. */
  readonly methods: ReadonlyMap<string, readonly Outcome[]>
}

export interface RunOutcome {
  readonly sets: readonly SetOutcomes[]
  readonly timings: readonly RepositoryTiming[]
}

export interface RepositoryTiming {
  readonly layout: Layout
  readonly name: string
  readonly timing: Timing
  readonly peer: PeerTiming | undefined
}

export interface RunPlace {
  readonly projectRoot: string
  readonly digest: string
  readonly onProgress: (line: string) => void
}

/** One checkout with the sets asked on it. */
interface Checkout {
  readonly layout: Layout
  readonly repository: Repository
  readonly root: string
  readonly folder: string
  readonly sets: ReadonlyMap<SetName, readonly Task[]>
}

export function runBenchmark(options: BenchOptions, place: RunPlace): RunOutcome {
  const fixtures = join(place.projectRoot, 'test', 'fixtures')
  const sets = options.sets.map((set) =>
    narrowed(readSet(set, { labels: options.labels, fixtures }), options),
  )
  const folder = join(options.cache, `code-${place.digest}`)
  const repos = options.sets.includes('fixtures') ? copyFixtures(join(fixtures, 'repos'), options.cache) : ''
  const checkouts = checkoutsOf(sets, { options, fixtures: repos, folder })
  dropOtherIndexes(options.cache, place.digest)
  const failed = new Map<string, string>()
  for (const [i, checkout] of checkouts.entries()) {
    const title = `[${i + 1}/${checkouts.length}] ${checkout.layout}/${checkout.repository.name}`
    const why = runCheckout(checkout, options, (line) => {
      place.onProgress(`${title}: ${line}`)
    })
    if (why !== undefined) failed.set(keyOf(checkout.layout, checkout.repository.name), why)
  }
  return {
    sets: sets.map((set) => outcomesOf(set, { checkouts, failed, options })),
    timings: checkouts.flatMap((checkout) => {
      const { layout, repository, folder: own } = checkout
      const timing = readTiming(own)
      const peer = options.semble === undefined ? undefined : readPeerTiming(own)
      return timing === undefined ? [] : [{ layout, name: repository.name, timing, peer }]
    }),
  }
}

/** Why the checkout could not be scored, or undefined. */
function runCheckout(
  checkout: Checkout,
  options: BenchOptions,
  onProgress: (line: string) => void,
): string | undefined {
  if (!existsSync(checkout.root)) return `not laid out: ${checkout.root}`
  const run = toRun(checkout, options)
  const isTimed = run.timedTasks.length === 0 || readTiming(run.folder) !== undefined
  if (run.jobs.length === 0 && isTimed) {
    onProgress('done before')
    timePeer(run, options, onProgress)
    return undefined
  }
  const before = performance.now()
  try {
    runRepository(run)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    onProgress(`FAILED ${why}`)
    return why
  }
  onProgress(`${run.jobs.length} rankings, ${((performance.now() - before) / 1000).toFixed(1)} s`)
  timePeer(run, options, onProgress)
  return undefined
}

/** A peer that fails on a repository is left out there; the rest stands. */
function timePeer(
  { root, folder, timedTasks }: RepositoryRun,
  { semble, tokenizer, cache }: BenchOptions,
  onProgress: (line: string) => void,
): void {
  if (semble === undefined || timedTasks.length === 0) return
  const peer: Peer = { python: semble, tokenizer, folder: join(cache, 'semble') }
  try {
    measurePeer(peer, { root, folder, tasks: timedTasks })
  } catch (error) {
    onProgress(error instanceof Error ? error.message : String(error))
  }
}

function toRun({ sets, ...checkout }: Checkout, options: BenchOptions): RepositoryRun {
  const jobs = [...sets].flatMap(([set, tasks]) =>
    methodsOf(set, options).map(({ id }) => ({
      method: id,
      isFeedback: set === 'feedback',
      tasks,
      tasksDigest: tasksDigest(checkout.root, tasks),
      resultFile: resultFile(checkout.folder, set, id),
    })),
  )
  const open = jobs.filter((job) => {
    const known = readResult(job.resultFile, job.tasksDigest)
    return known === undefined || known.unavailable !== undefined
  })
  const timed = options.isTimed ? ([...sets.values()][0] ?? []) : []
  return { ...checkout, jobs: open, timedTasks: timed.map(({ text }) => text) }
}

function outcomesOf(
  { set, repositories, tasks }: TaskSet,
  facts: {
    readonly checkouts: readonly Checkout[]
    readonly failed: ReadonlyMap<string, string>
    readonly options: BenchOptions
  },
): SetOutcomes {
  const layout = LAYOUT_OF[set]
  const missing = repositories.flatMap(({ name }) => {
    const why = facts.failed.get(keyOf(layout, name))
    return why === undefined ? [] : [{ name, why }]
  })
  const sound = facts.checkouts.filter(
    (checkout) =>
      checkout.layout === layout &&
      checkout.sets.has(set) &&
      !facts.failed.has(keyOf(layout, checkout.repository.name)),
  )
  const outcomes = (id: string): readonly Outcome[] =>
    sound.flatMap(({ repository, folder, root }) => {
      const own = tasks.filter((task) => task.repository === repository.name)
      const result = readResult(resultFile(folder, set, id), tasksDigest(root, own))
      return result === undefined ? [] : [{ repository, tasks: own, result }]
    })
  return { set, missing, methods: new Map(methodsOf(set, facts.options).map(({ id }) => [id, outcomes(id)])) }
}

export function methodsOf(
  set: SetName,
  { methods }: Pick<BenchOptions, 'methods'>,
): readonly {
  readonly id: string
  readonly title: string
  readonly isCalibrated?: boolean
  readonly isLearned?: boolean
}[] {
  if (set === 'feedback') return FEEDBACK_METHODS
  return METHODS.filter(({ id }) => methods.length === 0 || methods.includes(id))
}

function checkoutsOf(
  sets: readonly TaskSet[],
  place: { readonly options: BenchOptions; readonly fixtures: string; readonly folder: string },
): readonly Checkout[] {
  const checkouts = new Map<string, Checkout & { readonly sets: Map<SetName, readonly Task[]> }>()
  for (const { set, repositories, tasks } of sets) {
    const layout = LAYOUT_OF[set]
    for (const repository of repositories) {
      const key = keyOf(layout, repository.name)
      const checkout = checkouts.get(key) ?? {
        layout,
        repository,
        root: rootOf(layout, repository, { ...place, repos: place.options.repos ?? '' }),
        folder: join(place.folder, layout, repository.name),
        sets: new Map<SetName, readonly Task[]>(),
      }
      checkout.sets.set(
        set,
        tasks.filter((task) => task.repository === repository.name),
      )
      checkouts.set(key, checkout)
    }
  }
  return [...checkouts.values()]
}

/** Commits touch the whole repository; labelled and plain queries are asked at its root for code. */
function rootOf(
  layout: Layout,
  { name, root }: Repository,
  place: { readonly repos: string; readonly fixtures: string },
): string {
  if (layout === 'fixtures') return join(place.fixtures, name)
  return layout === 'queries' ? join(place.repos, layout, name, root) : join(place.repos, layout, name)
}

/** A copy outside any repository, so that neither this project's history nor its ignore files reach the fixtures. */
function copyFixtures(from: string, cache: string): string {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const digest = digestOf([from, files.map((path) => [path, readText(path)])])
  const to = join(cache, `fixtures-${digest}`)
  if (existsSync(to)) return to
  const pending = `${to}.${process.pid}`
  cpSync(from, pending, { recursive: true })
  renameSync(pending, to)
  return to
}

// A run of another version may still be at work on its indexes.
const UNUSED_FOR_MS = 24 * 3600 * 1000

/** Removes indexes of other versions of the code that are a day old; their results stay. */
function dropOtherIndexes(cache: string, digest: string): void {
  if (!existsSync(cache)) return
  for (const code of readdirSync(cache)) {
    if (!code.startsWith('code-') || code === `code-${digest}`) continue
    if (Date.now() - statSync(join(cache, code)).mtimeMs < UNUSED_FOR_MS) continue
    for (const entry of readdirSync(join(cache, code), { withFileTypes: true, recursive: true })) {
      if (entry.isDirectory() && entry.name === 'index')
        rmSync(join(entry.parentPath, entry.name), { recursive: true })
    }
  }
}

function narrowed(set: TaskSet, { only }: BenchOptions): TaskSet {
  if (only.length === 0) return set
  return {
    ...set,
    repositories: set.repositories.filter(({ name }) => only.includes(name)),
    tasks: set.tasks.filter(({ repository }) => only.includes(repository)),
  }
}

function resultFile(folder: string, set: SetName, method: string): string {
  return join(folder, set, `${method}.json`)
}

function keyOf(layout: Layout, name: string): string {
  return `${layout}/${name}`
}

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}
