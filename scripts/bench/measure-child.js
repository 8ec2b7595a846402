/**
 * One measurement in a process of its own, on the built product and nothing else, so that time and peak memory are its own.
 * usage: measure-child.js build ROOT | query ROOT TASKS.json   (HONE_INDEX_DIR says where the index lives)
 * Plain JavaScript: the hooks that compile the benchmark would count as the product's memory.
 */
import { readFileSync } from 'node:fs'
import { buildIndex, openIndex } from '../../dist/index.js'

const [mode, root, tasksFile] = process.argv.slice(2)
const result = mode === 'build' ? await build() : await query()
process.stdout.write(JSON.stringify({ ...result, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }))
process.exit(0)

async function build() {
  const startedAt = performance.now()
  const { files, chunks, failed } = await buildIndex({ root, rebuild: true })
  return { files, chunks, failed: failed.length, ms: Math.round(performance.now() - startedAt) }
}

async function query() {
  const tasks = JSON.parse(readFileSync(tasksFile, 'utf8'))
  const startedAt = performance.now()
  const index = await openIndex({ root })
  const openMs = performance.now() - startedAt
  await index.retrieve({ task: 'warm up' })
  const times = []
  for (const task of tasks) {
    const before = performance.now()
    await index.retrieve({ task })
    times.push(performance.now() - before)
  }
  index.close()
  return { openMs, times }
}
