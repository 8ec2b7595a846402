/** One repository in a process of its own: runs the methods asked for and writes one result file for each. */
import { readFileSync } from 'node:fs'
import { openCorpus, type ModelFolders } from './corpus.js'
import { METHODS } from './methods.js'
import { FEEDBACK_METHODS } from './rankings/judged.js'
import type { Corpus } from './rankings/ranking.js'
import { writeJson, type FeedbackResult, type RankingResult } from './results.js'
import type { Task } from './tasks.js'

export interface WorkerRequest {
  readonly root: string
  /** Folders of the learned parts; undefined for those that ship. */
  readonly models: ModelFolders
  readonly jobs: readonly WorkerJob[]
}

export interface WorkerJob {
  readonly method: string
  readonly isFeedback: boolean
  readonly tasks: readonly Task[]
  /** Digest of the tasks, kept with the result. */
  readonly tasksDigest: string
  readonly resultFile: string
}

// Ten are scored; judged feedback looks at fifteen.
const LIMIT = 10

const requestFile = process.argv[2]
if (requestFile !== undefined) await work(JSON.parse(readFileSync(requestFile, 'utf8')) as WorkerRequest)

async function work({ root, models, jobs }: WorkerRequest): Promise<void> {
  const corpus = await openCorpus(root, models)
  for (const job of jobs) {
    writeJson(job.resultFile, await (job.isFeedback ? feedback(corpus, job) : ranking(corpus, job)))
  }
  corpus.close()
}

async function ranking(
  corpus: Corpus,
  { method: id, tasks, tasksDigest }: WorkerJob,
): Promise<RankingResult> {
  const method = METHODS.find((known) => known.id === id)
  if (method === undefined) throw new Error(`no method ${id}`)
  const why = method.unavailable?.(corpus)
  if (why !== undefined) return { kind: 'ranking', tasksDigest, unavailable: why, tasks: [] }
  const results: RankingResult['tasks'][number][] = []
  for (const { text } of tasks) {
    const before = performance.now()
    const files = await method.rank(corpus, text, LIMIT)
    results.push({ files, ms: Math.round((performance.now() - before) * 100) / 100 })
  }
  return { kind: 'ranking', tasksDigest, tasks: results }
}

async function feedback(
  corpus: Corpus,
  { method: id, tasks, tasksDigest }: WorkerJob,
): Promise<FeedbackResult> {
  const method = FEEDBACK_METHODS.find((known) => known.id === id)
  if (method === undefined) throw new Error(`no method ${id}`)
  const results: FeedbackResult['tasks'][number][] = []
  for (const { text, labels } of tasks) results.push(await method.run(corpus, text, labels))
  return { kind: 'feedback', tasksDigest, tasks: results }
}
