/**
 * Whether the missing context of High files is true: asks labelled queries and commits of some repositories, samples High files that
 * report symbols, and looks each symbol up in the file it is said to be defined in, with universal-ctags (which shares
 * nothing with hone). Also counts symbols whose file is in the answer already; there must be none.
 *
 * usage: npm run build && node scripts/check-missing-context.js --labels DIR --checkouts DIR [--files 200]
 *   DIR of labels: repos.json, queries/NAME.json, commits.jsonl; of checkouts: queries/NAME and commits/NAME.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: args } = parseArgs({
  options: {
    labels: { type: 'string' },
    checkouts: { type: 'string' },
    files: { type: 'string', default: '200' },
  },
})
const { buildIndex, openIndex } = await import('../dist/index.js')

// Languages that ctags reads well, one or two repositories each.
const REPOSITORIES = [
  'axios',
  'axum',
  'chi',
  'curl',
  'express',
  'fastapi',
  'fmtlib',
  'gin',
  'gson',
  'monolog',
  'ktor',
  'newtonsoft-json',
  'nlohmann-json',
  'pydantic',
  'requests',
  'sinatra',
  'starlette',
  'tokio',
  'trpc',
]
const HIGH = 0.8

const reports = []
const repositories = JSON.parse(readFileSync(join(args.labels, 'repos.json'), 'utf8'))
for (const { name, root: within } of repositories.filter((one) => REPOSITORIES.includes(one.name))) {
  await ask(name, join(args.checkouts, 'queries', name, within), labelled(name))
  await ask(name, join(args.checkouts, 'commits', name), commits(name))
}

function labelled(name) {
  return JSON.parse(readFileSync(join(args.labels, 'queries', `${name}.json`), 'utf8')).map(
    ({ query }) => query,
  )
}

function commits(name) {
  const lines = readFileSync(join(args.labels, 'commits.jsonl'), 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ repo }) => repo === name)
    .map(({ query }) => query)
}

async function ask(name, root, tasks) {
  if (tasks.length === 0) return
  await buildIndex({ root })
  const index = await openIndex({ root })
  for (const task of tasks) {
    const { files } = await index.retrieve({ task })
    const shown = new Set(files.map(({ path }) => path))
    for (const { path, relevance, missingContext } of files) {
      const symbols = missingContext.filter(({ kind }) => kind === 'symbol')
      if (relevance >= HIGH && symbols.length > 0) reports.push({ name, root, task, path, symbols, shown })
    }
  }
  index.close()
}

const digest = ({ name, task, path }) =>
  createHash('sha256').update(`${name}\0${task}\0${path}`).digest('hex')
const sample = reports.sort((a, b) => (digest(a) < digest(b) ? -1 : 1)).slice(0, Number(args.files))
const tags = new Map()
let symbols = 0
let right = 0
let inAnswer = 0
for (const { name, root, path, symbols: missing, shown } of sample) {
  for (const { name: symbol, definedIn } of missing) {
    symbols++
    if (shown.has(definedIn)) inAnswer++
    if (tagsOf(join(root, definedIn)).has(symbol)) right++
    else console.log(`not confirmed: ${name} ${path}: ${symbol} in ${definedIn}`)
  }
}
const places = new Set(sample.map(({ name }) => name)).size
console.log(
  `${sample.length} of ${reports.length} High files with missing symbols, ${places} repositories: ${symbols} symbols, ` +
    `${right} confirmed (${((100 * right) / symbols).toFixed(1)} %), ${inAnswer} already in the answer`,
)

function tagsOf(file) {
  if (!tags.has(file)) {
    const out = execFileSync('ctags', ['-f', '-', '--excmd=number', '--kinds-all=*', '--extras=+q', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    })
    tags.set(
      file,
      new Set(
        out.split('\n').map((line) =>
          line
            .split('\t')[0]
            .split(/[.:#]+/)
            .at(-1),
        ),
      ),
    )
  }
  return tags.get(file)
}
