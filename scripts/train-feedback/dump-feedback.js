/**
 * Asks hone tasks whose right files are known, judges what it shows by them, and writes what is then known of each file
 * that was not judged: rows of the signals of src/rank/feedback-signals.ts with a label. Resumes: a checkout whose rows
 * are there is left alone.
 *
 * usage: node dump-feedback.js --hone DIST --tasks FOLDER|bench|fixtures --models RUN --out DIR [--part 0/2]
 *          [--bench DIR --checkouts DIR] [--indexes DIR]
 *
 * RUN: models of relevance that never saw the repositories, as train.py leaves them: RUN/folds.json (repository -> fold)
 * or RUN/trained-on.json with `folds`, and RUN/folds/N/trees.bin; for a repository in none the one of RUN itself. So
 * relevance is here as honest as it is on a repository that hone has never seen.
 *
 * Ways of judging: "five" (the five best files), as the benchmark does it, and one of the others, by turns.
 * Out, for each checkout: NAME.f32 (rows x signals) and NAME.json as dump-signals.js writes them, each task with `way`,
 * `confirmed` (number) and `remaining` (right files that were not judged).
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { checkoutsOf, isRight } from '../train-relevance/checkouts.js'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['hone', 'tasks', 'models', 'out', 'part', 'bench', 'checkouts', 'indexes'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
})

const KINDS = new Set(['query', 'commit', 'change', 'body'])

const load = (path) => import(pathToFileURL(resolve(args.hone, path)).href)
const { buildIndex, indexFolderOf } = await load('index.js')
const { loadEncoder } = await load('build/encoders.js')
const { MODELS_FOLDER } = await load('config.js')
const { FEEDBACK_SIGNALS, FEEDBACK_VERSION } = await load('rank/feedback-signals.js')
const { dispatch } = await load('retrieve/dispatch.js')
const { Engine } = await load('retrieve/engine.js')
const { rateAgain } = await load('retrieve/evaluate.js')
const { gatherFeedback } = await load('retrieve/feedback.js')
const { readRelevanceModel } = await load('retrieve/relevance-file.js')
const { search } = await load('retrieve/search.js')
const { taskFacts } = await load('retrieve/task-facts.js')
const { parseTask } = await load('retrieve/task.js')
const { currentDatabase } = await load('store/index-location.js')
const { IndexReader } = await load('store/index-reader.js')

/** By name: from the candidates (best first) and which of them are right, the files that are judged, by number. */
const WAYS = {
  five: (right) => firsts(right, 5),
  three: (right) => firsts(right, 3),
  ten: (right) => firsts(right, 10),
  // An agent that says what it needs and nothing of the rest.
  confirmed: (right) => firsts(right, 10).filter((i) => right[i]),
  first: (right) =>
    firsts(right, 10)
      .filter((i) => right[i])
      .slice(0, 1),
  // Somebody who knows one of the files from elsewhere.
  given: (right) => [
    ...new Set([...firsts(right, 5), ...[...right.keys()].filter((i) => right[i]).slice(0, 1)]),
  ],
}
const OTHERS = ['three', 'ten', 'confirmed', 'first']
const firsts = (right, count) => [...right.keys()].slice(0, count)

const folds = foldsOf(args.models)
const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
const isFixture = args.tasks === 'fixtures'
mkdirSync(args.out, { recursive: true })
process.env.HONE_INDEX_DIR = resolve(args.indexes ?? join(args.out, 'indexes'))

for (const [i, checkout] of checkoutsOf(args).entries()) {
  if (i % parts !== part || existsSync(join(args.out, `${checkout.name}.json`))) continue
  const asked = tasksOf(checkout).filter(
    ({ kind, relevant }) => (isFixture || KINDS.has(kind)) && new Set(relevant).size >= 2,
  )
  if (asked.length === 0) continue
  const startedAt = Date.now()
  const { tasks, rows } = await dump({ ...checkout, tasks: asked })
  console.log(checkout.name, tasks, 'tasks', rows, 'rows', Date.now() - startedAt, 'ms')
}

/** Those of the checkout; the commits among them give way to those of lay-out-changes.js, where it made any. */
function tasksOf({ tasks, root }) {
  const changes = join(root, '..', 'changes.json')
  if (args.tasks === 'bench' || isFixture || !existsSync(changes)) return tasks
  return [...JSON.parse(readFileSync(changes, 'utf8')), ...tasks.filter(({ kind }) => kind !== 'commit')]
}

function foldsOf(models) {
  const read = (name) => JSON.parse(readFileSync(join(models, name), 'utf8'))
  return existsSync(join(models, 'folds.json')) ? read('folds.json') : read('trained-on.json').folds
}

async function dump({ name, root, repository, language, set, tasks }) {
  await buildIndex({ root, jobs: 1 })
  const index = new IndexReader(currentDatabase(indexFolderOf(root)))
  const embedder = await loadEncoder([MODELS_FOLDER], index.settings.encoder)
  const fold = folds[repository]
  const folder = fold === undefined ? args.models : join(args.models, 'folds', String(fold))
  const engine = new Engine({
    index,
    embedder,
    words: embedder,
    linesOf: (path) => linesIn(join(root, path)),
    model: readRelevanceModel(folder),
  })
  const rows = []
  const told = []
  for (const task of tasks) {
    const found = await firstCycle(engine, task.text)
    const isWanted = ({ path }) => isRight(path, task, { set })
    const other = OTHERS[createHash('sha256').update(task.text).digest()[0] % OTHERS.length]
    const right = found.rated.map(isWanted)
    const isMet = right.slice(0, 5).includes(true)
    for (const way of isFixture ? ['five'] : ['five', isMet ? other : 'given']) {
      const judged = new Map(WAYS[way](right).map((i) => [found.rated[i].id, isWanted(found.rated[i])]))
      if (judged.size === 0) continue
      const { query, candidates } = gatherFeedback(engine, { ...found, judged })
      for (const { view } of candidates) {
        rows.push(FEEDBACK_SIGNALS.map(({ value }) => value(query, view)))
      }
      const confirmed = [...judged.values()].filter(Boolean).length
      told.push({
        kind: task.kind,
        text: task.text,
        way,
        rows: candidates.length,
        confirmed,
        total: new Set(task.relevant).size - confirmed,
        labels: Buffer.from(candidates.map(({ rated }) => Number(isWanted(rated)))).toString('base64'),
        ...(isFixture
          ? { paths: candidates.map(({ rated }) => rated.path), judged: pathsOf(index, judged) }
          : {}),
      })
    }
  }
  index.close()
  const table = new Float32Array(rows.length * FEEDBACK_SIGNALS.length)
  rows.forEach((row, r) => table.set(row, r * FEEDBACK_SIGNALS.length))
  writeFileSync(join(args.out, `${name}.f32`), Buffer.from(table.buffer))
  const about = {
    repository,
    language,
    set,
    signalsVersion: FEEDBACK_VERSION,
    signals: FEEDBACK_SIGNALS.map((signal) => signal.name),
    tasks: told,
  }
  writeFileSync(join(args.out, `${name}.part`), JSON.stringify(about))
  renameSync(join(args.out, `${name}.part`), join(args.out, `${name}.json`))
  return { tasks: told.length, rows: rows.length }
}

/** What gatherFeedback takes, but for the judgements. */
async function firstCycle(engine, text) {
  const task = parseTask(text)
  const dispatched = dispatch(task, engine.vocabulary)
  const taskVector = await engine.embedder.embed([task.prose])
  const facts = { ...taskFacts(engine.index, task), pointedAt: new Map() }
  const accepts = () => true
  const first = search(engine, { dispatched, vector: taskVector, titleVector: taskVector, facts, accepts })
  const { scores, query, rated } = first
  const { model, factsOf } = engine
  const options = { terms: dispatched.terms, model, factsOf, facts, accepts, query }
  const rate = (files) => rateAgain(engine.index, scores, { ...options, files })
  return { search: first, taskVector, pastTerms: dispatched.pastTerms, rated, rate }
}

function pathsOf(index, judged) {
  return [...judged].map(([id, relevant]) => ({ path: index.pathOf(id), relevant }))
}

function linesIn(path) {
  try {
    return readFileSync(path, 'utf8').split(/\r\n|\r|\n/)
  } catch {
    return undefined // gone, or not to be read: as hone has it
  }
}
