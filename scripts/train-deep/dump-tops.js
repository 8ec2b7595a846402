/**
 * Asks the first cycle of hone every task of the development repositories, rated by the model that never saw the
 * repository, and writes what the deep step would look at. Resumes: a checkout that is there is left alone.
 *
 * usage: node dump-tops.js --hone DIST --bench DIR --checkouts DIR --indexes DIR --out DIR [--part 0/2]
 *
 * Out, for each checkout: NAME.json: {repository, texts, tasks: [{kind, text, total, files: [{relevance, label,
 * texts}]}]}, files best first; `texts` of a file are numbers in the list of the checkout, and none for one that
 * would not be looked at.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { benchCheckouts, matches } from '../train-relevance/bench-tasks.js'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['hone', 'bench', 'checkouts', 'indexes', 'out', 'part'].map((name) => [name, { type: 'string' }]),
  ),
})
const load = (path) => import(pathToFileURL(resolve(args.hone, path)).href)
const { buildIndex, indexFolderOf, openIndex } = await load('index.js')
const { loadEncoder } = await load('build/encoders.js')
const { MODELS_FOLDER, RELEVANCE_MODEL } = await load('config.js')
const { DEEP_FILES, lookedAt } = await load('retrieve/deep.js')
const { dispatch } = await load('retrieve/dispatch.js')
const { Engine } = await load('retrieve/engine.js')
const { matchedChunks } = await load('retrieve/ranges.js')
const { readRelevanceModel } = await load('retrieve/relevance-file.js')
const { search } = await load('retrieve/search.js')
const { taskFacts } = await load('retrieve/task-facts.js')
const { parseTask } = await load('retrieve/task.js')
const { currentDatabase } = await load('store/index-location.js')
const { IndexReader } = await load('store/index-reader.js')

const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
mkdirSync(args.out, { recursive: true })
process.env.HONE_INDEX_DIR = resolve(args.indexes)
const { folds } = JSON.parse(readFileSync(join(MODELS_FOLDER, RELEVANCE_MODEL, 'trained-on.json'), 'utf8'))

for (const [i, checkout] of benchCheckouts(args.bench, args.checkouts).entries()) {
  if (i % parts !== part || existsSync(join(args.out, `${checkout.name}.json`))) continue
  console.log(checkout.name, await dump(checkout))
}

async function dump({ name, root, repository, tasks }) {
  await buildIndex({ root, jobs: 1 })
  const opened = await openIndex({ root })
  const index = new IndexReader(currentDatabase(indexFolderOf(root)))
  const embedder = await loadEncoder([MODELS_FOLDER], index.settings.encoder)
  const engine = new Engine({
    index,
    embedder,
    words: embedder,
    linesOf: remembered((path) => opened.linesOf(path)),
    model: readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL, 'folds', String(folds[repository]))),
  })
  const texts = new Map()
  const told = []
  for (const task of tasks) told.push({ ...task, files: await tops(engine, task, texts) })
  index.close()
  opened.close()
  const about = {
    repository,
    texts: [...texts.keys()],
    tasks: told.map(({ kind, text, relevant, files }) => ({
      kind,
      text,
      total: new Set(relevant).size,
      files,
    })),
  }
  writeFileSync(join(args.out, `${name}.part`), JSON.stringify(about))
  renameSync(join(args.out, `${name}.part`), join(args.out, `${name}.json`))
  return `${tasks.length} tasks ${texts.size} texts`
}

/** All candidates of a first cycle, best first. */
async function tops(engine, { text, relevant }, texts) {
  const task = parseTask(text)
  const { rated, scores } = search(engine, {
    dispatched: dispatch(task, engine.vocabulary),
    ...(await engine.taskVectors(task.prose)),
    facts: { ...taskFacts(engine.index, task), pointedAt: new Map() },
    accepts: () => true,
  })
  const found = rated.slice(0, DEEP_FILES).map((file) => ({
    rated: file,
    matched: matchedChunks(engine.index, scores, { file: file.id, body: file.view.body }),
  }))
  const read = new Map(lookedAt(engine, found).map((file) => [file.rated.path, file.texts]))
  return rated.map(({ path, relevance }) => ({
    relevance,
    label: Number(relevant.some((label) => matches(path, label))),
    texts: (read.get(path) ?? []).map((text) => numberOf(text, texts)),
  }))
}

function numberOf(text, texts) {
  if (!texts.has(text)) texts.set(text, texts.size)
  return texts.get(text)
}

function remembered(read) {
  const known = new Map()
  return (path) => {
    if (!known.has(path)) known.set(path, read(path))
    return known.get(path)
  }
}
