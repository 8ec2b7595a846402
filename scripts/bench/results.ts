/** The files that single repositories leave in the cache, by which a killed run resumes. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RankedFile } from './metrics.js'
import type { FeedbackRun } from './rankings/judged.js'
import type { Task } from './tasks.js'

interface ResultFile {
  readonly tasksDigest: string
  /** Why the method could not run here; then there are no tasks. Asked anew by the next run. */
  readonly unavailable?: string
}

/** One entry a task, in the order of the tasks. */
export interface RankingResult extends ResultFile {
  readonly kind: 'ranking'
  readonly tasks: readonly { readonly files: readonly RankedFile[]; readonly ms: number }[]
}

export interface FeedbackResult extends ResultFile {
  readonly kind: 'feedback'
  readonly tasks: readonly FeedbackRun[]
}

export type Result = RankingResult | FeedbackResult

/** Time and memory of one repository. */
export interface Timing {
  readonly files: number
  readonly chunks: number
  readonly indexMs: number
  readonly indexPeakMb: number
  readonly openMs: number
  /** One query each, in process, after a first one. */
  readonly queryMs: readonly number[]
  readonly queryPeakMb: number
  /** Whole runs of the command, in milliseconds. */
  readonly coldMs: readonly number[]
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

/** Changes when a task, a label or the folder asked does. */
export function tasksDigest(root: string, tasks: readonly Task[]): string {
  return digestOf([root, tasks])
}

/** The result when it is there, whole, and of these tasks. */
export function readResult(path: string, digest: string): Result | undefined {
  const result = readJson(path) as Result | undefined
  return result?.tasksDigest === digest ? result : undefined
}

/** undefined when there is no such file or it was cut short. */
export function readJson(path: string): unknown {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // a file from before writes were one step; it is made anew
  }
}

/** In one step: a killed run leaves the old file or the new one. */
export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(value)}\n`)
  renameSync(`${path}.${process.pid}`, path)
}
