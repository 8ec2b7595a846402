/**
 * The whole loop, judged by whoever calls: after each cycle hone shows what it found, the judge says what of it the task
 * needs, and the next cycle looks for more like that. Here the "agent" is a function that reads the ranges and looks for
 * one word; yours would ask a model.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIndex, openIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

const root = folderToAsk()
await buildIndex({ root })
const index = await openIndex({ root })

/** What an agent would answer after reading the ranges of a file. */
function verdict({ path, ranges }) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const text = ranges.map(({ start, end }) => lines.slice(start - 1, end).join('\n')).join('\n')
  return /webhook|delivery/i.test(text)
}

const judged = new Set()
const answer = await index.retrieve({
  task: 'webhook deliveries and backoff delays',
  judge: (shown) => {
    const fresh = shown.files.filter(({ path }) => !judged.has(path))
    for (const { path } of fresh) judged.add(path)
    return fresh.map((file) => ({ path: file.path, relevant: verdict(file) }))
  },
})
for (const { path, relevance, cycle } of answer.files) console.log(`${relevance} ${path} (cycle ${cycle})`)
console.log(`${judged.size} files judged, ${answer.cycles.length} cycles, ${answer.stop}`)
index.close()
