/**
 * Writes what serving would embed of each benchmark checkout, as bags of identifiers, so that any table can be scored
 * in seconds (score.py), and the shingles by which mining recognises copies of these checkouts.
 *
 * usage: node dump-checkouts.js --hone DIST --bench DIR --checkouts DIR --out DIR
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Bags, LineWriter, NOT_SOURCE, loadHone, shingles } from './bags.js'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['hone', 'bench', 'checkouts', 'out'].map((name) => [name, { type: 'string' }]),
  ),
})
const hone = await loadHone(args.hone)
const repos = JSON.parse(readFileSync(join(args.bench, 'repos.json'), 'utf8'))
const lines = (name) =>
  readFileSync(join(args.bench, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
mkdirSync(args.out, { recursive: true })
const copies = new Set()

for (const layout of readdirSync(args.checkouts).sort()) {
  for (const name of readdirSync(join(args.checkouts, layout)).sort()) {
    const repo = repos.find((candidate) => candidate.name === name)
    const checkout = join(args.checkouts, layout, name)
    if (layout === 'queries' || layout === 'commits')
      await dump(layout, name, join(checkout, layout === 'queries' ? (repo?.root ?? '') : '')) // as scripts/bench/run.ts does
    await remember(checkout)
  }
}
writeFileSync(join(args.out, 'shingles.f64'), Buffer.from(Float64Array.from(copies).buffer))
console.log(`${copies.size} shingles`)

async function analysed(root) {
  const { files } = await hone.walk({
    root,
    include: [],
    exclude: [],
    maxFileBytes: hone.DEFAULTS.maxFileBytes,
  })
  const analyser = await hone.Analyser.create(hone.DEFAULTS.maxFileBytes)
  const found = []
  for (const file of files) {
    const analysis = await analyser.analyse(file, undefined)
    if (analysis.kind === 'file') found.push(analysis.file)
  }
  return found
}

async function remember(checkout) {
  for (const file of await analysed(checkout)) {
    const text = file.chunks.map((chunk) => chunk.text).join('\n')
    if (NOT_SOURCE.has(file.record.language) && !['markdown', 'rst'].includes(file.record.language)) continue
    for (const hash of shingles(text, hone.identifiersIn)) copies.add(hash)
  }
}

async function dump(layout, name, root) {
  const bags = new Bags(hone)
  const out = new LineWriter(join(args.out, `${layout}-${name}.jsonl`))
  for (const file of await analysed(root)) {
    if (NOT_SOURCE.has(file.record.language)) continue
    const { path, language } = file.record
    const chunks = hone.textsOf(file).map((text, i) => {
      const chunk = file.chunks[i]
      return { text: bags.of(text), head: bags.of(headOf(path, chunk)), comment: bags.of(chunk.comment) }
    })
    out.write({ path, language, chunks })
  }
  for (const task of tasksOf(layout, name)) {
    const labels = [...new Set([...task.relevant, ...(task.secondary ?? [])])]
    out.write({
      set: task.set,
      query: bags.of(task.query),
      labels,
      category: task.category ?? task.kind ?? '',
    })
  }
  await out.close()
  bags.write(join(args.out, `${layout}-${name}.idents`), hone)
}

function headOf(path, chunk) {
  return hone.embeddingText(path, { ...chunk, text: '' })
}

function tasksOf(layout, name) {
  const of = (set) => (task) => ({ ...task, set })
  if (layout === 'commits')
    return lines('commits.jsonl')
      .filter(({ repo }) => repo === name)
      .map(of('commits'))
  const labelled = JSON.parse(readFileSync(join(args.bench, 'queries', `${name}.json`), 'utf8'))
  const plain = lines('plain.jsonl').filter(({ repo }) => repo === name)
  return [...labelled.map(of('queries')), ...plain.map(of('plain'))]
}
