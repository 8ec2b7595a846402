/** One size in a process of its own, so that its memory is its own: builds, updates, asks. Prints one line of JSON. */
import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildIndex, openIndex } from '../../src/index.js'
import { seeded } from '../torture/random.js'
import { word, zipf } from './monorepo.js'

export interface Measured {
  readonly files: number
  readonly chunks: number
  readonly textBytes: number
  readonly indexBytes: number
  readonly buildSeconds: number
  /** User and system time of all threads: what a shared machine does not distort. */
  readonly buildCpuSeconds: number
  readonly noopSeconds: number
  readonly noopCpuSeconds: number
  readonly oneFileSeconds: number
  /** Opening and the first query together. */
  readonly coldMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p95CpuMs: number
  readonly peakMegabytes: number
}

const QUERIES = 60

const [root = '', textBytes = '0'] = process.argv.slice(2)
const build = await timed(() => buildIndex({ root }))
const noop = await timed(() => buildIndex({ root }))
appendFileSync(firstFile(root), '\nexport function oneMore() {}\n')
const oneFile = await timed(() => buildIndex({ root }))
const peakMegabytes = process.resourceUsage().maxRSS / 1024
const startedAt = performance.now()
const index = await openIndex({ root })
await index.retrieve({ task: taskOf(0) })
const coldMs = performance.now() - startedAt
const times: number[] = []
const cpu: number[] = []
for (let i = 1; i <= QUERIES; i++) {
  const query = await timed(() => index.retrieve({ task: taskOf(i) }))
  times.push(query.seconds * 1000)
  cpu.push(query.cpuSeconds * 1000)
}
const { files, chunks, bytes } = index.status
index.close()
const measured: Measured = {
  files,
  chunks,
  textBytes: Number(textBytes),
  indexBytes: bytes,
  buildSeconds: build.seconds,
  buildCpuSeconds: build.cpuSeconds,
  noopSeconds: noop.seconds,
  noopCpuSeconds: noop.cpuSeconds,
  oneFileSeconds: oneFile.seconds,
  coldMs,
  p50Ms: quantile(times, 0.5),
  p95Ms: quantile(times, 0.95),
  p95CpuMs: quantile(cpu, 0.95),
  peakMegabytes,
}
process.stdout.write(`${JSON.stringify(measured)}\n`)
process.exit(0)

/** Every third of the most frequent words there are, the others as they come. */
function taskOf(n: number): string {
  const random = seeded(n)
  const ranks = Array.from({ length: 6 }, (_, i) => (n % 3 === 0 ? i + (n % 5) : zipf(random)))
  return `where is ${ranks.map(word).join(' ')} handled`
}

async function timed(action: () => Promise<unknown>): Promise<{ seconds: number; cpuSeconds: number }> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await action()
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 }
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
