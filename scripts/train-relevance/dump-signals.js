/**
 * Asks the first cycle of hone every task of a checkout and writes what it knows of each candidate: rows of signals
 * with a label. Indexes first. Resumes: a checkout whose rows are there is left alone.
 *
 * usage: node dump-signals.js --hone DIST --tasks FOLDER|bench|fixtures --out DIR [--part 0/2]
 *          [--bench DIR --checkouts DIR] [--indexes DIR]
 *
 * FOLDER is what lay-out.js made; "bench" takes the labelled sets of --bench on --checkouts (checkout.py). Besides the
 * given tasks, each checkout is asked for some names that it defines once (kind "name"). "fixtures" takes the
 * repositories of test/fixtures, copied to --checkouts, and notes the path of each row, for the test of parity.
 *
 * Out, for each checkout: NAME.f32 (rows x signals, little-endian) and NAME.json: {repository, language, set, signals,
 * signalsVersion, tasks: [{kind, text, rows, labels: base64 of 0/1 by row, total}]}, where `total` is the number of
 * right files and `labels` those among the candidates.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { checkoutsOf, isRight } from './checkouts.js'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['hone', 'tasks', 'out', 'part', 'bench', 'checkouts', 'indexes'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
})

const NAMES_ASKED = 20
const MIN_NAME = 5

const load = (path) => import(pathToFileURL(resolve(args.hone, path)).href)
const { buildIndex, indexFolderOf } = await load('index.js')
const { loadEncoder } = await load('build/encoders.js')
const { MODELS_FOLDER } = await load('config.js')
const { signalValues } = await load('rank/relevance.js')
const { SIGNALS, SIGNALS_VERSION } = await load('rank/signals.js')
const { dispatch } = await load('retrieve/dispatch.js')
const { Engine } = await load('retrieve/engine.js')
const { search } = await load('retrieve/search.js')
const { taskFacts } = await load('retrieve/task-facts.js')
const { parseTask } = await load('retrieve/task.js')
const { currentDatabase } = await load('store/index-location.js')
const { IndexReader } = await load('store/index-reader.js')
const { openDatabase } = await load('store/database.js')

// Nothing is rated yet: every candidate is as good as another.
const NO_MODEL = {
  trees: {
    head: { signals: SIGNALS.map(({ name }) => name) },
    sums: (rows) => new Float64Array(rows.length / SIGNALS.length),
  },
}
const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
mkdirSync(args.out, { recursive: true })
process.env.HONE_INDEX_DIR = resolve(args.indexes ?? join(args.out, 'indexes'))

const isFixture = args.tasks === 'fixtures'
for (const [i, checkout] of checkoutsOf(args).entries()) {
  if (i % parts !== part || existsSync(join(args.out, `${checkout.name}.json`))) continue
  const startedAt = Date.now()
  const { tasks, rows } = await dump(checkout)
  console.log(checkout.name, tasks, 'tasks', rows, 'rows', Date.now() - startedAt, 'ms')
}

async function dump({ name, root, repository, language, set, tasks }) {
  await buildIndex({ root, jobs: 1 })
  const database = currentDatabase(indexFolderOf(root))
  const index = new IndexReader(database)
  const embedder = await loadEncoder([MODELS_FOLDER], index.settings.encoder)
  const engine = new Engine({
    index,
    embedder,
    words: embedder,
    linesOf: () => undefined,
    model: NO_MODEL,
  })
  const asked = isFixture ? tasks : [...tasks, ...namesOf(database)]
  const rows = []
  const told = []
  for (const task of asked) {
    const { kind, text, relevant } = task
    const { rated, query } = await candidates(engine, text)
    const labels = rated.map(({ path }) => Number(isRight(path, task, { set })))
    for (const { view } of rated) rows.push(signalValues(query, view))
    told.push({
      kind,
      text,
      rows: rated.length,
      labels: Buffer.from(labels).toString('base64'),
      total: new Set(relevant).size,
      ...(isFixture ? { paths: rated.map(({ path }) => path) } : {}),
    })
  }
  index.close()
  const table = new Float32Array(rows.length * SIGNALS.length)
  rows.forEach((row, r) => table.set(row, r * SIGNALS.length))
  writeFileSync(join(args.out, `${name}.f32`), Buffer.from(table.buffer))
  const about = {
    repository,
    language,
    set,
    signalsVersion: SIGNALS_VERSION,
    signals: SIGNALS.map((signal) => signal.name),
    tasks: told,
  }
  writeFileSync(join(args.out, `${name}.part`), JSON.stringify(about))
  renameSync(join(args.out, `${name}.part`), join(args.out, `${name}.json`))
  return { tasks: asked.length, rows: rows.length }
}

/** The candidates of a first cycle; their rating means nothing. */
async function candidates(engine, text) {
  const task = parseTask(text)
  const dispatched = dispatch(task, engine.vocabulary)
  return search(engine, {
    dispatched,
    ...(await engine.taskVectors(task.prose)),
    facts: { ...taskFacts(engine.index, task), pointedAt: new Map() },
    accepts: () => true,
  })
}

/** Names defined once, the same ones every time, spread over the alphabet by their digest. */
function namesOf(database) {
  const db = openDatabase(database, 'read')
  const rows = db
    .prepare(
      `select symbols.name, files.path from symbols join files on files.id = symbols.file
       group by symbols.name having count(*) = 1`,
    )
    .all()
  db.close()
  return rows
    .filter(({ name }) => name.length >= MIN_NAME && /^[A-Za-z_][\w]*$/.test(name))
    .map((row) => ({ ...row, digest: digest(row.name) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, NAMES_ASKED)
    .map(({ name, path }) => ({ kind: 'name', text: name, relevant: [path] }))
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex')
}
