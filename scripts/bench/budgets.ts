/**
 * Answers under a token budget: whether every form keeps it, and how many of the labelled files a reader meets in it.
 * A file is met when one of its ranges is shown with at least three lines that hold a word. Beside it what one would do
 * without: the same files whole, in the same order; and ripgrep with three lines of context, files by number of matches.
 * Asked twice: for the ten best files (--min-relevance 0), and as hone comes (0.2). What the files of an answer would
 * give without a budget is the ceiling.
 * usage: npm run bench-budgets -- --repos DIR [--labels DIR] [--tasks 500] [--only NAMES]
 * Indexes go where HONE_INDEX_DIR says. Every repository is asked with the model of relevance that never saw it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MODELS_FOLDER } from '../../src/config.js'
import { format } from '../../src/cli/format.js'
import {
  buildIndex,
  HoneError,
  openIndex,
  type Answer,
  type HoneIndex,
  type RetrieveOptions,
  type Session,
} from '../../src/index.js'
import { contextFacts, contextMarkdown, longer } from '../../src/mcp/facts.js'
import { gains, tokensOf } from './metrics.js'
import { foldModel } from './provenance.js'
import { grepWords, parseCounts } from './rankings/ripgrep.js'
import { readSet, type Repository, type Task } from './tasks.js'

const BUDGETS = [200, 500, 1000, 2000, 5000, 10_000, 20_000] as const
/** A file counts as met with so many lines of one range; blank ones and lone brackets do not count. */
const LEAST_LINES = 3
/** The least relevance of a file that is shown. */
const ASKED: Readonly<Record<string, Pick<RetrieveOptions, 'minRelevance'>>> = {
  'ten best': { minRelevance: 0 },
  'as it comes': {},
}

/** Files that a reader of ripgrep's output looks at. */
const MOST_GREPPED = 50

const FORMS: Readonly<Record<string, (answer: Answer) => string>> = {
  markdown: (answer) => format(answer, 'markdown', { isColoured: false, isCompact: true }),
  json: (answer) => format(answer, 'json', { isColoured: false, isCompact: true }),
  mcp: (answer) => {
    const facts = contextFacts(answer, [])
    return longer(facts, contextMarkdown(facts))
  },
}
const ALONE = ['whole files', 'ripgrep -C 3'] as const

interface Tally {
  recall: number
  tasks: number
}

const tallies = new Map<string, Tally>()
const found = { answers: 0, over: 0, refused: 0 }

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    labels: { type: 'string', default: fileURLToPath(new URL('../../../shared/bench', import.meta.url)) },
    tasks: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
  },
})
if (values.repos === undefined) throw new Error('--repos DIR is missing: the folder of the checkouts')
const only = values.only.split(',').filter((name) => name !== '')
const set = readSet('queries', { labels: values.labels, fixtures: '' })
const wanted = Number(values.tasks)
// Spread over all, the same each time.
const tasks = set.tasks.filter(
  (_, i) => Math.floor((i * wanted) / set.tasks.length) !== Math.floor(((i - 1) * wanted) / set.tasks.length),
)
for (const repository of set.repositories) {
  if (only.length === 0 || only.includes(repository.name)) await askAbout(repository, values.repos)
}
report()

async function askAbout(repository: Repository, repos: string): Promise<void> {
  const root = join(repos, 'queries', repository.name, repository.root)
  await buildIndex({ root })
  const relevanceModel = foldModel(MODELS_FOLDER, repository.name)
  const index = await openIndex({ root, ...(relevanceModel === undefined ? {} : { relevanceModel }) })
  for (const task of tasks.filter((one) => one.repository === repository.name))
    await askOne(index, root, task)
  index.close()
  process.stderr.write(`${repository.name}\n`)
}

async function askOne(index: HoneIndex, root: string, task: Task): Promise<void> {
  for (const [asked, chosen] of Object.entries(ASKED)) {
    // A session reads its options for each answer: the loop runs once, its outcome is fitted many times.
    const options: Mutable<RetrieveOptions> = { task: task.text, ...chosen, withText: true }
    const session = index.start(options)
    const all = await session.finish()
    count(`${asked}, all`, 0, recall(met(all), task))
    for (const budget of BUDGETS)
      for (const [form, emit] of Object.entries(FORMS)) {
        const answer = within(session, options, { budget, emit })
        if (answer !== undefined && tokensOf(emit(answer)) > budget) found.over++
        count(`${asked}, ${form}`, budget, recall(met(answer), task))
      }
    if (chosen.minRelevance === 0) besides(index, root, { task, all })
  }
}

/** What one would do without hone's ranges, or without hone. */
function besides(
  index: HoneIndex,
  root: string,
  { task, all }: { readonly task: Task; readonly all: Answer },
): void {
  const whole = all.files.map(({ path }) => ({ path, text: (index.linesOf(path) ?? []).join('\n') }))
  const grepped = ripgrep(root, task.text)
  for (const budget of BUDGETS) {
    count('whole files', budget, recall(metWhole(whole, budget), task))
    count('ripgrep -C 3', budget, recall(metWhole(grepped, budget), task))
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

function within(
  session: Session,
  options: Mutable<RetrieveOptions>,
  { budget, emit }: { readonly budget: number; readonly emit: (answer: Answer) => string },
): Answer | undefined {
  found.answers++
  options.budgetTokens = budget
  options.emit = emit
  try {
    return session.answer()
  } catch (error) {
    if (!(error instanceof HoneError) || error.code !== 'USAGE') throw error
    found.refused++ // said to be too small
    return undefined
  }
}

function met(answer: Answer | undefined): readonly string[] {
  return (answer?.files ?? [])
    .filter(({ ranges }) => ranges.some(({ text }) => wordedLines(text ?? '') >= LEAST_LINES))
    .map(({ path }) => path)
}

function wordedLines(text: string): number {
  return text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line)).length
}

/** Files read one after the other until the budget is used up; the last one as far as it goes. */
function metWhole(
  files: readonly { readonly path: string; readonly text: string }[],
  budget: number,
): readonly string[] {
  const paths: string[] = []
  let bytes = budget * 4
  for (const { path, text } of files) {
    bytes -= Buffer.byteLength(`${path}\n`)
    const start = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString('utf8')
    const lines = start.length < text.length ? start.slice(0, Math.max(0, start.lastIndexOf('\n'))) : start
    if (wordedLines(lines) >= LEAST_LINES) paths.push(path)
    bytes -= Buffer.byteLength(text)
  }
  return paths
}

/** Files by number of matches, each with its matches and three lines around them. */
function ripgrep(root: string, task: string): readonly { readonly path: string; readonly text: string }[] {
  const words = grepWords(task).flatMap((word) => ['-e', word])
  const run = (args: readonly string[]): string =>
    spawnSync('rg', ['--ignore-case', '--fixed-strings', '--no-messages', '--no-config', ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256_000_000,
    }).stdout
  const files = [...parseCounts(run(['--count-matches', '--null', ...words, '.']))]
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_GREPPED)
  return files.map(({ path }) => ({ path, text: run(['-C', '3', '-n', ...words, '--', path]) }))
}

function recall(paths: readonly string[], { labels }: Task): number {
  const gained = gains(paths, labels).reduce<number>((sum, gain) => sum + gain, 0)
  return labels.length === 0 ? 0 : gained / labels.length
}

function count(method: string, budget: number, share: number): void {
  const key = `${method} ${budget}`
  const tally = tallies.get(key) ?? { recall: 0, tasks: 0 }
  tallies.set(key, { recall: tally.recall + share, tasks: tally.tasks + 1 })
}

function report(): void {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  console.log(row(['recall within', ...BUDGETS.map(String), 'all']))
  console.log(row(['---', ...BUDGETS.map(() => '---'), '---']))
  for (const asked of Object.keys(ASKED))
    for (const form of Object.keys(FORMS))
      console.log(row([`${asked}, ${form}`, ...shares(`${asked}, ${form}`), mean(`${asked}, all 0`)]))
  for (const method of ALONE) console.log(row([method, ...shares(method), '']))
  console.log(
    `\n${tallies.get('whole files 200')?.tasks ?? 0} tasks, ${found.answers} answers, ${found.over} over their budget, ${found.refused} refused as too small`,
  )
  if (found.over > 0) process.exitCode = 1
}

function shares(method: string): readonly string[] {
  return BUDGETS.map((budget) => mean(`${method} ${budget}`))
}

function mean(key: string): string {
  const { recall: sum, tasks: n } = tallies.get(key) ?? { recall: 0, tasks: 0 }
  return n === 0 ? '' : (sum / n).toFixed(3)
}
