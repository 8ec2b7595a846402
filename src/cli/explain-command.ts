/** `hone explain`: why a file ranks where it does for a task. */
import type { Command } from 'commander'
import pc from 'picocolors'
import { DEFAULTS, MAX_CYCLES } from '../config.js'
import { EXIT } from '../errors.js'
import type {
  DeepMode,
  ExplainedCycle,
  ExplainedDeepStep,
  ExplainedRating,
  ExplainedWord,
  Explanation,
} from '../index.js'
import { openForQuery, type OpenFlags } from './open.js'
import type { Layout } from './layout.js'
import { collected, deepOption, probability, wholeNumber } from './options.js'
import { outputFor, type Output } from './output.js'
import { allVisible, visibleJson } from './visible.js'

interface ExplainFlags extends OpenFlags {
  readonly task: string
  readonly limit: number
  readonly maxCycles: number
  readonly minRelevance: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly deep: DeepMode
  readonly json?: boolean
}

export function addExplainCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('explain')
    .description('say why a file ranks where it does, also when it was not returned')
    .argument('<file>', 'path relative to the root of the index, or absolute')
    .requiredOption('--task <task>', 'the task in words')
    .option('--repo <path>', 'repository to ask (default: the nearest index upward)')
    .option('--limit <n>', 'files that a query would return at most', wholeNumber(1), DEFAULTS.limit)
    .option(
      '--max-cycles <n>',
      `cycles at most, 1 to ${MAX_CYCLES}`,
      wholeNumber(1, MAX_CYCLES),
      DEFAULTS.maxCycles,
    )
    .option('--min-relevance <p>', 'what a query would leave out below', probability, DEFAULTS.minRelevance)
    .option('--include <glob>', 'only files that match (repeatable)', collected)
    .option('--exclude <glob>', 'no files that match (repeatable)', collected)
    .addOption(deepOption())
    .option('--json', 'print as JSON')
    .option('--no-refresh', 'do not look for changed files first')
    .option('--no-build', 'fail when there is no index instead of building it')
    .addHelpText(
      'after',
      '\nExamples:\n  hone explain src/auth/session-tokens.ts --task "fix the session token expiry bug"\n  hone explain src/auth/session-tokens.ts --task "who is signed in" --deep always',
    )
    .action(async (file: string, flags: ExplainFlags) => {
      const index = await openForQuery(flags)
      try {
        const { task, limit, maxCycles, minRelevance, include, exclude, deep } = flags
        const explanation = await index.explain({
          path: file,
          task,
          limit,
          maxCycles,
          minRelevance,
          deep,
          ...(include === undefined ? {} : { include }),
          ...(exclude === undefined ? {} : { exclude }),
        })
        const isJson = flags.json === true
        const output = await outputFor(index.root, isJson ? 'json' : 'text')
        const text = isJson
          ? visibleJson(JSON.stringify(explanation, null, 2))
          : explained(explanation, output)
        process.stdout.write(`${text}\n`)
        setExit(explanation.outcome === 'returned' ? EXIT.answered : EXIT.nothingRelevant)
      } finally {
        index.close()
      }
    })
}

/** For people: the outcome, how it came about, the words, the signals. */
export function explained(raw: Explanation, output: Pick<Output, 'isColoured' | 'layout'>): string {
  const { isColoured, layout } = output
  const c = pc.createColors(isColoured)
  const { path, outcome, why, rating, cycles, words, deep, stop } = allVisible(raw)
  const shown = outcome === 'returned' ? c.green('returned') : c.yellow('not returned')
  const lines = [`${c.bold(layout.link(path, raw.path))}: ${shown}; ${why}`]
  if (rating !== null) lines.push(bandLine(rating))
  if (cycles.length > 0) lines.push('', c.bold('Cycles'), ...cycles.map(cycleLine))
  if (stop !== null) lines.push(`  stopped: ${stop}`)
  if (deep !== null) lines.push('', c.bold('Deep step'), ...deepLines(deep))
  if (words.length > 0) lines.push('', c.bold('Words'), ...wordLines(words, layout))
  if (rating !== null)
    lines.push('', c.bold('Signals, largest effect first (log-odds)'), ...signalLines(rating, layout))
  return lines.map((line) => layout.fit(line)).join('\n')
}

function bandLine({ relevance, band, nextBand }: ExplainedRating): string {
  const more =
    nextBand === null ? '' : `; ${nextBand.missing.toFixed(2)} below ${nextBand.band} (from ${nextBand.from})`
  return `  relevance ${relevance.toFixed(2)}, band ${band}${more}`
}

const CHANGES: Readonly<Record<ExplainedCycle['change'], string>> = {
  absent: 'not found',
  found: 'found',
  raised: 'rated anew, higher',
  lowered: 'rated anew, lower',
  same: 'as before',
}

function cycleLine({ n, relevance, rank, files, change }: ExplainedCycle): string {
  const place =
    relevance === null ? '' : `: ${relevance.toFixed(2)}, rank ${rank ?? 0} of ${files} candidates`
  return `  ${n}  ${CHANGES[change]}${place}`
}

function deepLines(deep: ExplainedDeepStep): readonly string[] {
  const { outcome, why } = deep
  if (outcome === 'not-taken') return [`  not taken: ${why}`]
  const taken = `in cycle ${deep.cycle}, of ${deep.files} files`
  if (outcome === 'not-read') return [`  not read ${taken}: ${why}`]
  const { before, after, cosine, meanCosine, range } = deep
  const part = range.symbol === undefined ? range.kind : `${range.kind} ${range.symbol}`
  const change =
    outcome === 'kept' ? `kept ${before.toFixed(2)}` : `${before.toFixed(2)} -> ${after.toFixed(2)}`
  return [
    `  read ${taken}: lines ${range.start}-${range.end}, ${part}`,
    `  cosine ${cosine.toFixed(2)}, of all read ${meanCosine.toFixed(2)} on average`,
    `  relevance ${change}: ${why}`,
  ]
}

function wordLines(words: readonly ExplainedWord[], layout: Layout): readonly string[] {
  const width = Math.max(...words.map(({ word }) => layout.width(word)))
  const held = words.filter(({ places }) => places.length > 0)
  const absent = words.filter(({ places }) => places.length === 0)
  return [
    ...held.map((word) => `  ${padded(word.word, width, layout)}  ${placesOf(word)}${ORIGINS[word.origin]}`),
    ...(absent.length === 0
      ? []
      : [
          `  not in it: ${absent.map(({ word, chunks }) => (chunks === 0 ? `${word} (nowhere)` : word)).join(', ')}`,
        ]),
  ]
}

const ORIGINS: Readonly<Record<ExplainedWord['origin'], string>> = {
  task: '',
  joined: ' (words of the task as one)',
  bridge: ' (near a word of the task)',
  code: ' (from code or a stack trace in the task)',
  discovered: ' (discovered on the way)',
}

function placesOf({ places, ranges, chunks }: ExplainedWord): string {
  const lines = ranges.map(({ start, end }) => `${start}-${end}`).join(', ')
  const where = places.map((place) => (place === 'text' ? `lines ${lines}` : place)).join(', ')
  return `${where}; in ${chunks} part${chunks === 1 ? '' : 's'} of the repository`
}

// Smaller effects round to nothing; JSON has them.
const LEAST_SHOWN = 0.005

function padded(text: string, width: number, layout: Layout): string {
  return text + ' '.repeat(Math.max(0, width - layout.width(text)))
}

function signalLines({ evidence }: ExplainedRating, layout: Layout): readonly string[] {
  const telling = evidence.filter(({ effect }) => Math.abs(effect) >= LEAST_SHOWN)
  const width = Math.max(0, ...telling.map(({ meaning }) => layout.width(meaning)))
  return telling.map(({ signal, meaning, value, effect }) => {
    const shown = `${effect >= 0 ? '+' : ''}${effect.toFixed(2)}`.padStart(6)
    return `  ${shown}  ${padded(meaning, width, layout)}  ${value.toFixed(3).padStart(8)}  ${signal}`
  })
}
