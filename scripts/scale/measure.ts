/**
 * One size in a process of its own, so that its memory is its own. Prints one line of JSON.
 * usage: measure.ts build ROOT | measure.ts ask ROOT
 */
import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildIndex, openIndex, type HoneIndex } from '../../src/index.js'
import { TASKS } from './tasks.js'

export interface Spent {
  readonly seconds: number
  /** User and system time of all threads: what a shared machine distorts least. */
  readonly cpuSeconds: number
}

export interface BuildMeasures {
  readonly files: number
  readonly chunks: number
  readonly indexBytes: number
  readonly build: Spent
  readonly noop: Spent
  readonly oneFile: Spent
  /** Of building, and of it all; the only process there is. */
  readonly buildPeakMb: number
  readonly peakMb: number
}

export interface AskMeasures {
  /** Opening and the first query together. */
  readonly coldMs: number
  readonly oneCycle: Quantiles
  readonly threeCycles: Quantiles
  readonly peakMb: number
}

export interface Quantiles {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p95CpuMs: number
}

// Others work on the machine, and the first round compiles.
const ROUNDS = 5

const [what, root = ''] = process.argv.slice(2)
const measured = what === 'build' ? await measureBuild() : await measureAsking()
process.stdout.write(`${JSON.stringify(measured)}\n`)
process.exit(0)

async function measureBuild(): Promise<BuildMeasures> {
  const build = await timed(() => buildIndex({ root }))
  const buildPeakMb = peakMb()
  const noop = await timed(() => buildIndex({ root }))
  appendFileSync(firstFile(root), '\nexport function oneMore() {}\n')
  const oneFile = await timed(() => buildIndex({ root }))
  const index = await openIndex({ root })
  const { files, chunks, bytes } = index.status
  index.close()
  return { files, chunks, indexBytes: bytes, build, noop, oneFile, buildPeakMb, peakMb: peakMb() }
}

async function measureAsking(): Promise<AskMeasures> {
  const startedAt = performance.now()
  const index = await openIndex({ root })
  await index.retrieve({ task: TASKS[0] ?? '' })
  const coldMs = performance.now() - startedAt
  const oneCycle = await leastOf(index, 1)
  const threeCycles = await leastOf(index, 3)
  index.close()
  return { coldMs, oneCycle, threeCycles, peakMb: peakMb() }
}

/** Every task in so many rounds; of each the least counts. */
async function leastOf(index: HoneIndex, maxCycles: number): Promise<Quantiles> {
  const least = TASKS.map((): Spent => ({ seconds: Infinity, cpuSeconds: Infinity }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [t, task] of TASKS.entries()) {
      const spent = await timed(() => index.retrieve({ task, maxCycles }))
      const before = least[t]! // one for each
      least[t] = {
        seconds: Math.min(before.seconds, spent.seconds),
        cpuSeconds: Math.min(before.cpuSeconds, spent.cpuSeconds),
      }
    }
  }
  const ms = least.map(({ seconds }) => seconds * 1000)
  const cpuMs = least.map(({ cpuSeconds }) => cpuSeconds * 1000)
  return { p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95), p95CpuMs: quantile(cpuMs, 0.95) }
}

async function timed(action: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await action()
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 }
}

function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function firstFile(folder: string): string {
  const [name = ''] = readdirSync(folder)
    .filter((entry) => !entry.startsWith('.'))
    .sort()
  const path = join(folder, name)
  return statSync(path).isDirectory() ? firstFile(path) : path
}
