/** `hone query`: answer one task, or one task a line. */
import { readFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { DEFAULTS, MAX_CYCLES } from '../config.js'
import { EXIT, HoneError, messageOf } from '../errors.js'
import type { Answer, DeepMode, Judgement, RetrieveOptions } from '../index.js'
import { FORMATS, formatter, shownBy, type Format } from './format.js'
import { openForQuery, type OpenFlags } from './open.js'
import { collected, deepOption, probability, wholeNumber } from './options.js'
import { outputFor } from './output.js'
import { visible, visibleJson } from './visible.js'

interface QueryFlags extends OpenFlags {
  readonly limit: number
  readonly maxCycles: number
  readonly minRelevance?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly format: Format
  readonly explain?: boolean
  readonly timeoutMs?: number
  readonly budgetTokens?: number
  readonly batch?: string
  readonly relevant?: readonly string[]
  readonly irrelevant?: readonly string[]
  readonly new?: boolean
  readonly deep: DeepMode
}

export function addQueryCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('query')
    .description('find the files and lines a task needs')
    .argument('[task...]', 'the task in words; "-" reads it from standard input')
    .option('--repo <path>', 'repository to ask (default: the nearest index upward)')
    .option('--limit <n>', 'files at most', wholeNumber(1), DEFAULTS.limit)
    .option(
      '--max-cycles <n>',
      `cycles at most, 1 to ${MAX_CYCLES}`,
      wholeNumber(1, MAX_CYCLES),
      DEFAULTS.maxCycles,
    )
    .option(
      '--min-relevance <p>',
      `leave out files below this probability (default: ${DEFAULTS.minRelevance}; with --budget-tokens, less likely ones follow in brief)`,
      probability,
    )
    .option(
      '--budget-tokens <n>',
      'print at most so many tokens (bytes / 4), with the text of the best ranges',
      wholeNumber(1),
    )
    .option('--include <glob>', 'only files that match (repeatable)', collected)
    .option('--exclude <glob>', 'no files that match (repeatable)', collected)
    .option(
      '--relevant <path>',
      'a file known to be relevant: find what belongs to it (repeatable)',
      collected,
    )
    .option(
      '--irrelevant <path>',
      'a file known not to be: leave it and its like out (repeatable)',
      collected,
    )
    .option('--new', 'only files not judged')
    .addOption(deepOption())
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('text'))
    .option('--explain', 'show the signals behind each relevance')
    .option('--no-refresh', 'do not look for changed files first')
    .option('--no-build', 'fail when there is no index instead of building it')
    .option('--timeout-ms <n>', 'start no further cycle after this time', wholeNumber(1))
    .option(
      '--batch <file>',
      'one task (or JSON object) a line, one JSON result a line; "-" is standard input',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  hone query "fix auth token expiry bug"\n  hone query where is the config parsed --format json\n  hone query "fix token expiry" --relevant src/token.ts --irrelevant src/css/tokens.ts --new\n  hone query "fix token expiry" --format html > answer.html\n  hone query --batch tasks.txt',
    )
    .action(async (words: readonly string[], flags: QueryFlags, command: Command) => {
      if (flags.batch === undefined) {
        setExit(await queryOnce(words, flags))
        return
      }
      if (command.getOptionValueSource('format') === 'cli' && flags.format !== 'json')
        throw new HoneError('USAGE', `--batch prints JSON; leave out --format ${flags.format}`)
      setExit(await queryBatch(flags.batch, words, flags))
    })
}

async function queryOnce(words: readonly string[], flags: QueryFlags): Promise<number> {
  const joined = words.join(' ')
  const task = joined === '-' ? readInput('-') : joined
  if (task.trim() === '') {
    throw new HoneError(
      'TASK_EMPTY',
      'the task is empty; say what you are looking for, e.g. hone query "fix token expiry"',
    )
  }
  const index = await openForQuery(flags)
  try {
    const { shown, ...output } = await outputFor(index.root, flags.format)
    const isCompact = flags.budgetTokens !== undefined
    const isExplained = flags.explain ?? false
    const write = await formatter(flags.format)
    const emit = (answer: Answer): string => shown(write(answer, { ...output, isCompact, isExplained }))
    const options = toOptions(task, flags)
    const answer = await index.retrieve({
      ...options,
      emit,
      withText: false, // unless the format shows it: what is not shown takes no part in a budget
      ...shownBy(flags.format, { isCompact }),
    })
    process.stdout.write(emit(answer))
    if (flags.format === 'paths')
      // which has no room for them
      for (const { message } of answer.notes) process.stderr.write(`note: ${visible(message)}\n`)
    return exitCode(answer)
  } finally {
    index.close()
  }
}

async function queryBatch(file: string, words: readonly string[], flags: QueryFlags): Promise<number> {
  if (words.length > 0)
    throw new HoneError('USAGE', `--batch reads its tasks from ${file}; leave out "${words.join(' ')}"`)
  const lines = readInput(file)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  const tasks = lines.map((line, i) => batchOptions(line, i + 1, flags))
  const index = await openForQuery(flags)
  try {
    let code: number = EXIT.nothingRelevant
    for (const options of tasks) {
      const answer = await index.retrieve({ ...options, emit: jsonLine })
      if (answer.files.length > 0) code = EXIT.answered
      process.stdout.write(jsonLine(answer))
    }
    return code
  } finally {
    index.close()
  }
}

function jsonLine(answer: Answer): string {
  return `${visibleJson(JSON.stringify(answer))}\n`
}

/** One line of a batch: a task, or a JSON object with `task` and optionally `limit`, `relevant` and `irrelevant`. */
function batchOptions(line: string, number: number, flags: QueryFlags): RetrieveOptions {
  const bad = (what: string): HoneError => new HoneError('USAGE', `line ${number} of the batch ${what}`)
  if (line.trim() === '') throw bad('is empty; every line is a task')
  if (!line.trimStart().startsWith('{')) return toOptions(line, flags)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw bad(`is not JSON: ${messageOf(error)}`)
  }
  const { task, limit, relevant, irrelevant, ...rest } = value as Record<string, unknown>
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined)
    throw bad(`has an unknown field "${unknown}"; it takes task, limit, relevant and irrelevant`)
  if (typeof task !== 'string' || task.trim() === '') throw bad('has no "task"')
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) >= 1))
    throw bad('has a "limit" that is not a whole number from 1 up')
  const judged = { ...flags, ...paths({ relevant, irrelevant }, bad) }
  return { ...toOptions(task, judged), ...(limit === undefined ? {} : { limit: Number(limit) }) }
}

/** The fields that are given, as lists of paths. */
function paths<Name extends string>(
  fields: Readonly<Record<Name, unknown>>,
  bad: (what: string) => HoneError,
): Readonly<Partial<Record<Name, readonly string[]>>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    const isPaths = Array.isArray(value) && value.every((path) => typeof path === 'string')
    if (!isPaths) throw bad(`has a "${name}" that is not a list of paths`)
  }
  return Object.fromEntries(given) as Readonly<Partial<Record<Name, readonly string[]>>>
}

function judgementsOf({ relevant, irrelevant }: QueryFlags): readonly Judgement[] {
  return [
    ...(relevant ?? []).map((path) => ({ path, relevant: true })),
    ...(irrelevant ?? []).map((path) => ({ path, relevant: false })),
  ]
}

function toOptions(task: string, flags: QueryFlags): RetrieveOptions {
  const { limit, maxCycles, minRelevance, include, exclude, explain, timeoutMs, budgetTokens } = flags
  return {
    task,
    limit,
    maxCycles,
    ...(minRelevance === undefined ? {} : { minRelevance }),
    explain: explain ?? false,
    judgements: judgementsOf(flags),
    onlyNew: flags.new ?? false,
    deep: flags.deep,
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  }
}

function exitCode(answer: Answer): number {
  return answer.files.length > 0 ? EXIT.answered : EXIT.nothingRelevant
}

function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '') // a byte order mark is no part of a task
  } catch (error) {
    throw new HoneError('USAGE', `cannot read ${file === '-' ? 'standard input' : file}: ${messageOf(error)}`)
  }
}
