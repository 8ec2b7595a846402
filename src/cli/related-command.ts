/** `hone related`: what belongs to a place in the code, or to what is changed and not committed. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { Option, type Command } from 'commander'
import { DEFAULTS } from '../config.js'
import { EXIT, HoneError } from '../errors.js'
import type { HoneIndex, RelatedAnswer, RelatedToOptions } from '../index.js'
import { relatedFormatter } from './format-related.js'
import { FORMATS, shownBy, type Format } from './format.js'
import { openForQuery, type OpenFlags } from './open.js'
import { collected, wholeNumber } from './options.js'
import { outputFor } from './output.js'
import { currentFolder } from './root.js'
import { visible } from './visible.js'

interface RelatedFlags extends OpenFlags {
  readonly diff?: boolean
  readonly limit: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly format: Format
  readonly budgetTokens?: number
}

export function addRelatedCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('related')
    .description('find what belongs to a place in the code, or to your uncommitted changes')
    .argument('[place]', 'FILE or FILE:LINE')
    .option('--diff', 'what belongs to the changes that are not committed')
    .option('--repo <path>', 'repository to ask (default: the nearest index upward)')
    .option('--limit <n>', 'files at most', wholeNumber(1), DEFAULTS.limit)
    .option('--budget-tokens <n>', 'print at most so many tokens (bytes / 4)', wholeNumber(1))
    .option('--include <glob>', 'only files that match (repeatable)', collected)
    .option('--exclude <glob>', 'no files that match (repeatable)', collected)
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('text'))
    .option('--no-refresh', 'do not look for changed files first')
    .option('--no-build', 'fail when there is no index instead of building it')
    .addHelpText(
      'after',
      '\nExamples:\n  hone related src/server.ts\n  hone related src/server.ts:20 --format paths',
    )
    .action(async (place: string | undefined, flags: RelatedFlags) => {
      setExit(await relatedOnce(place, flags))
    })
}

async function relatedOnce(place: string | undefined, flags: RelatedFlags): Promise<number> {
  if ((place === undefined) === (flags.diff !== true))
    throw new HoneError(
      'USAGE',
      'say what for: hone related FILE, hone related FILE:LINE, or hone related --diff',
    )
  const index = await openForQuery(flags)
  try {
    const { shown, ...output } = await outputFor(index.root, flags.format)
    const isCompact = flags.budgetTokens !== undefined
    const write = await relatedFormatter(flags.format)
    const emit = (answer: RelatedAnswer): string => shown(write(answer, { ...output, isCompact }))
    const answer = await ask(index, place, { ...toOptions(flags), emit })
    process.stdout.write(emit(answer))
    if (flags.format === 'paths')
      for (const { message } of answer.notes) process.stderr.write(`note: ${visible(message)}\n`)
    return answer.files.length > 0 ? EXIT.answered : EXIT.nothingRelevant
  } finally {
    index.close()
  }
}

function ask(
  index: HoneIndex,
  place: string | undefined,
  options: RelatedToOptions,
): RelatedAnswer | Promise<RelatedAnswer> {
  return place === undefined
    ? index.relatedToChanges(options)
    : index.related({ ...placeIn(index.root, place), ...options })
}

function toOptions(flags: RelatedFlags): RelatedToOptions {
  const { limit, include, exclude, budgetTokens, format } = flags
  return {
    limit,
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    withText: shownBy(format, { isCompact: budgetTokens !== undefined }).withText === true,
  }
}

/** FILE or FILE:LINE as seen from the current folder, or from the root. Lines count from 1. */
function placeIn(root: string, place: string): { readonly path: string; readonly line?: number } {
  const match = /^(.+):(\d+)$/.exec(place)
  const isWhole = match === null || existsSync(resolve(currentFolder(), place))
  const [file, line] = isWhole ? [place, undefined] : [match[1] ?? place, Number(match[2])]
  const here = relative(root, resolve(currentFolder(), file))
  const isHere =
    !isAbsolute(here) && here !== '..' && !here.startsWith(`..${sep}`) && existsSync(resolve(root, here))
  const path = (isHere ? here : file).split(sep).join('/')
  return line === undefined ? { path } : { path, line }
}
