/**
 * Scores the table that hone loads through hone's own encoder, to check score.py against it.
 *
 * usage: node verify.js --hone DIST --model FOLDER --bench DIR --checkouts DIR [--set queries] [NAME ...]
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { NOT_SOURCE, loadHone } from './bags.js'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    ['hone', 'model', 'bench', 'checkouts'].map((name) => [name, { type: 'string' }]),
  ),
})
const hone = await loadHone(args.hone)
const load = (path) => import(pathToFileURL(join(args.hone, path)).href)
const { StaticTable, isIntact } = await load('embed/static-table.js')
const { StaticEmbedder } = await load('embed/static-embedder.js')
const file = join(args.model, 'words.bin')
const embedder = new StaticEmbedder('candidate', new StaticTable(file))
console.log(`intact: ${isIntact(file)}, ${embedder.table.size} words x ${embedder.dimensions}`)
const repos = JSON.parse(readFileSync(join(args.bench, 'repos.json'), 'utf8'))
const means = []
for (const name of readdirSync(join(args.checkouts, 'queries')).sort()) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  means.push(...(await scored(name, repos.find((repo) => repo.name === name)?.root ?? '')))
}
console.log(`${mean(means).toFixed(4)} over ${means.length} queries`)

async function scored(name, folder) {
  const root = join(args.checkouts, 'queries', name, folder)
  const { files } = await hone.walk({
    root,
    include: [],
    exclude: [],
    maxFileBytes: hone.DEFAULTS.maxFileBytes,
  })
  const analyser = await hone.Analyser.create(hone.DEFAULTS.maxFileBytes)
  const embedded = []
  for (const walked of files) {
    const analysis = await analyser.analyse(walked, undefined)
    if (analysis.kind !== 'file' || NOT_SOURCE.has(analysis.file.record.language)) continue
    embedded.push({ path: walked.path, vectors: embedder.embedNow(hone.textsOf(analysis.file)) })
  }
  const labelled = JSON.parse(readFileSync(join(args.bench, 'queries', `${name}.json`), 'utf8'))
  const own = labelled.map(({ query, relevant, secondary }) => {
    const vector = embedder.embedNow([query])
    const ranked = embedded
      .map(({ path, vectors }) => ({ path, score: nearest(vector, vectors) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    return ndcg(
      ranked.slice(0, 10).map(({ path }) => path),
      [...new Set([...relevant, ...(secondary ?? [])])],
    )
  })
  console.log(`${name} ${mean(own).toFixed(4)}`)
  return own
}

function nearest(query, vectors) {
  let best = 0
  for (let at = 0; at < vectors.length; at += query.length) {
    let sum = 0
    for (let d = 0; d < query.length; d++) sum += query[d] * vectors[at + d]
    if (sum > best) best = sum
  }
  return best
}

/** As scripts/bench/metrics.ts has it. */
function ndcg(paths, labels) {
  const matches = (path, label) => path === label || path.endsWith(`/${label}`) || label.endsWith(`/${path}`)
  const open = new Set(labels)
  let sum = 0
  let ideal = 0
  paths.forEach((path, i) => {
    const label = open.has(path) ? path : [...open].find((candidate) => matches(path, candidate))
    if (label === undefined) return
    open.delete(label)
    sum += 1 / Math.log2(i + 2)
  })
  for (let i = 0; i < Math.min(10, labels.length); i++) ideal += 1 / Math.log2(i + 2)
  return sum / ideal
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
