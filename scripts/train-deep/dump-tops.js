/**
 * Asks the first cycle of hone every task of the development repositories, rated by the model that never saw the
 * repository, and writes what the deep step would look at: the best files with their best chunks, and the chunks' text.
 * Resumes: a checkout that is there is left alone.
 *
 * usage: node dump-tops.js --hone DIST --bench DIR --checkouts DIR --indexes DIR --out DIR [--part 0/2]
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['hone', 'bench', 'checkouts', 'indexes', 'out', 'part'].map((name) => [name, { type: 'string' }]),
  ),
})
const FILES = 24
const CHUNKS = 4

const load = (path) => import(pathToFileURL(resolve(args.hone, path)).href)
const { buildIndex, indexFolderOf } = await load('index.js')
const { loadEncoder } = await load('build/encoders.js')
const { MODELS_FOLDER, RELEVANCE_MODEL } = await load('config.js')
const { signalValues } = await load('rank/relevance.js')
const { SIGNALS } = await load('rank/signals.js')
const { dispatch } = await load('retrieve/dispatch.js')
const { Engine } = await load('retrieve/engine.js')
const { matchedChunks } = await load('retrieve/ranges.js')
const { readRelevanceModel } = await load('retrieve/relevance-file.js')
const { search } = await load('retrieve/search.js')
const { taskFacts } = await load('retrieve/task-facts.js')
const { parseTask } = await load('retrieve/task.js')
const { currentDatabase } = await load('store/index-location.js')
const { IndexReader } = await load('store/index-reader.js')
const { STOP_WORDS } = await load('text/stop-words.js')
const { stem } = await load('text/words.js')
const { readSource } = await load('walk/read-source.js')
const { walkedFile } = await load('walk/walk.js')

const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
mkdirSync(args.out, { recursive: true })
process.env.HONE_INDEX_DIR = resolve(args.indexes)
const { folds } = JSON.parse(readFileSync(join(MODELS_FOLDER, RELEVANCE_MODEL, 'trained-on.json'), 'utf8'))

for (const [i, checkout] of benchCheckouts().entries()) {
  if (i % parts !== part || existsSync(join(args.out, `${checkout.name}.json`))) continue
  const startedAt = Date.now()
  const told = await dump(checkout)
  console.log(checkout.name, told, Date.now() - startedAt, 'ms')
}

function benchCheckouts() {
  const lines = (file) =>
    readFileSync(join(args.bench, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line))
  const of = (all, name) => all.filter(({ repo }) => repo === name)
  const commits = lines('commits.jsonl')
  const plain = lines('plain.jsonl')
  return JSON.parse(readFileSync(join(args.bench, 'repos.json'), 'utf8')).flatMap(({ name, language, root }) => {
    const labelled = JSON.parse(readFileSync(join(args.bench, 'queries', `${name}.json`), 'utf8')).map(
      ({ query, relevant, secondary }) => ({ kind: 'query', text: query, relevant: [...relevant, ...(secondary ?? [])] }),
    )
    const asked = of(plain, name).map(({ query, relevant }) => ({ kind: 'plain', text: query, relevant }))
    const changed = of(commits, name).map(({ query, relevant }) => ({ kind: 'commit', text: query, relevant }))
    const folder = (layout) => join(args.checkouts, layout, name)
    return [
      { name: `queries.${name}`, root: join(folder('queries'), root), tasks: [...labelled, ...asked] },
      { name: `commits.${name}`, root: folder('commits'), tasks: changed },
    ]
      .filter(({ tasks }) => tasks.length > 0)
      .map((checkout) => ({ ...checkout, repository: name, language }))
  })
}

async function dump({ name, root, repository, language, tasks }) {
  await buildIndex({ root, jobs: 1 })
  const index = new IndexReader(currentDatabase(indexFolderOf(root)))
  const embedder = await loadEncoder(MODELS_FOLDER, index.settings.encoder)
  const model = readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL, 'folds', String(folds[repository])))
  const lines = new Map()
  const linesOf = (path) => {
    if (!lines.has(path)) lines.set(path, readLines(root, path, index.settings.maxFileBytes))
    return lines.get(path)
  }
  const engine = new Engine({ index, embedder, words: embedder.table, linesOf, model })
  const reworded = rewordedBy(embedder.table)
  const chunks = new Map()
  const files = new Map()
  const told = []
  const asked = [...tasks, ...tasks.filter(({ kind }) => kind !== 'plain').flatMap(reworded)]
  for (const { kind, text, relevant } of asked) {
    const task = parseTask(text)
    const dispatched = dispatch(task, engine.vocabulary)
    const { rated, scores, query } = search(engine, {
      dispatched,
      vector: await engine.embedder.embed([task.text]),
      facts: { ...taskFacts(index, task), pointedAt: new Map() },
      accepts: () => true,
    })
    const tops = rated.map((file, rank) => {
      const label = Number(relevant.some((label) => matches(file.path, label)))
      if (rank >= FILES) return { relevance: file.relevance, label }
      const matched = matchedChunks(index, scores, { file: file.id, body: file.view.body }).slice(0, CHUNKS)
      if (!files.has(file.path)) files.set(file.path, outline(index, linesOf, file))
      for (const { chunk } of matched) if (!chunks.has(chunk.id)) chunks.set(chunk.id, chunkOf(chunk, file.path, linesOf))
      return {
        path: file.path,
        relevance: file.relevance,
        label,
        signals: [...signalValues(query, file.view)].map((v) => Math.round(v * 1e4) / 1e4),
        chunks: matched.map(({ chunk, score }) => [chunk.id, Math.round(score * 1e4) / 1e4, Math.round(scores.similarity(chunk.id) * 1e4) / 1e4]),
      }
    })
    told.push({
      kind, text, total: new Set(relevant).size,
      words: task.words.length, unknown: dispatched.unknown.length, bridged: dispatched.bridged.length, terms: dispatched.terms.length,
      files: tops,
    })
  }
  const about = { repository, language, signals: SIGNALS.map((s) => s.name), chunks: Object.fromEntries(chunks), outlines: Object.fromEntries(files), tasks: told }
  index.close()
  writeFileSync(join(args.out, `${name}.part`), JSON.stringify(about))
  renameSync(join(args.out, `${name}.part`), join(args.out, `${name}.json`))
  return `${asked.length} tasks ${chunks.size} chunks ${files.size} files`
}

function chunkOf({ startLine, endLine, kind, name, scope, symbols }, path, linesOf) {
  const text = (linesOf(path) ?? []).slice(startLine - 1, endLine).join('\n')
  return { path, kind, name, scope, symbols, text: text.slice(0, 4000) }
}

function outline(index, linesOf, file) {
  return { symbols: index.symbolsOf(file.id).map(({ name }) => name).slice(0, 200), head: (linesOf(file.path) ?? []).slice(0, 40).join('\n').slice(0, 1500) }
}

function readLines(root, path, maxFileBytes) {
  const file = walkedFile(root, path)
  return file && readSource(file, maxFileBytes).source?.text.split(/\r\n|\r|\n/)
}

function rewordedBy(table) {
  const nearest = new Map()
  const other = (word) => {
    if (!nearest.has(word)) nearest.set(word, nearestOther(table, word))
    return nearest.get(word)
  }
  return ({ text, relevant, kind }) => {
    const changed = text.replace(/(?<![\w./:-])[A-Za-z]?[a-z]{3,}(?![\w./:(-])/g, (word) =>
      STOP_WORDS.has(word.toLowerCase()) || digest(text + word).charCodeAt(0) % 2 === 0 ? word : (other(word.toLowerCase()) ?? word),
    )
    return changed === text ? [] : [{ kind: `reworded-${kind}`, text: changed, relevant }]
  }
}

function nearestOther(table, word) {
  const row = table.rowOf(word)
  if (row === undefined) return undefined
  let found
  let best = 0.45
  table.similarities(row).forEach((similarity, at) => {
    if (similarity <= best || at === row) return
    const candidate = table.word(at)
    if (!/^[a-z]{3,}$/.test(candidate) || stem(candidate) === stem(word)) return
    found = candidate
    best = similarity
  })
  return found
}

function digest(text) { return createHash('sha256').update(text).digest('hex') }
function matches(path, label) { return path === label || path.endsWith(`/${label}`) || label.endsWith(`/${path}`) }
