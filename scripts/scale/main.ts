/**
 * How time, memory and size grow with a repository: synthetic monorepos of the sizes asked for.
 * usage: npm run build && node --import ./scripts/bench/loader.js scripts/scale/main.ts [FILES]... [--out FOLDER]
 * Without sizes: 1000 3000 10000 30000 100000. With --out, writes scale.json, scale.svg and the table scale.md there.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { newFolder, removeFolder } from '../torture/scene.js'
import { growthChart } from './chart.js'
import { writeMonorepo } from './monorepo.js'
import type { Measured } from './measure.js'

const SIZES = [1000, 3000, 10_000, 30_000, 100_000]
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
const all = (positionals.length > 0 ? positionals.map(Number) : SIZES).map(measure)
if (values.out !== undefined) {
  writeFileSync(join(values.out, 'scale.json'), `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(join(values.out, 'scale.svg'), growthChart(all))
  writeFileSync(join(values.out, 'scale.md'), page(all))
}

function measure(files: number): Measured {
  const root = newFolder('scale')
  try {
    const bytes = writeMonorepo(root, files)
    const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
    const args = ['--import', path('../bench/loader.js'), path('./measure.ts'), root, String(bytes)]
    const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${files} files: ${signal ?? status}\n${stderr}`)
    console.log(stdout.trim())
    return JSON.parse(stdout) as Measured
  } finally {
    removeFolder(root)
  }
}

function page(sizes: readonly Measured[]): string {
  const rows = sizes.map(
    (m) =>
      `| ${m.files} | ${m.chunks} | ${mb(m.textBytes)} | ${mb(m.indexBytes)} (${(m.indexBytes / m.textBytes).toFixed(2)}x) | ${m.buildSeconds.toFixed(1)} (${m.buildCpuSeconds.toFixed(1)}) | ${m.noopSeconds.toFixed(2)} (${m.noopCpuSeconds.toFixed(2)}) | ${m.oneFileSeconds.toFixed(2)} | ${m.coldMs.toFixed(0)} | ${m.p50Ms.toFixed(1)} | ${m.p95Ms.toFixed(1)} (${m.p95CpuMs.toFixed(1)}) | ${m.peakMegabytes.toFixed(0)} |`,
  )
  return `# How hone grows with a repository

Synthetic monorepos (scripts/scale/monorepo.ts: words by Zipf's law, three functions a file, no git), each in a process of
its own on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}. In brackets: processor seconds, user and
system of all threads, which other work on the machine distorts less than the time on the clock. A third of the queries
consist of the most frequent words there are. Memory is the peak of building, updating and all threads together.
Below 1,000,000 chunks vectors are compared exactly (docs/decisions/0004-exact-vector-search.md): no graph is built.

| files | chunks | text MB | index MB | build s | nothing changed s | one file changed s | open and first query ms | query p50 ms | query p95 ms | peak MB |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

![growth](scale.svg)

Again: \`npm run build && node --import ./scripts/bench/loader.js scripts/scale/main.ts --out docs/benchmarks\`
`
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
