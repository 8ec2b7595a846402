/** `hone index`: build or update, and say in one line what there is. */
import type { Command } from 'commander'
import { EXIT } from '../errors.js'
import { buildIndex, defaultRoot, watchIndex, type BuildOptions, type BuildSummary } from '../index.js'
import { collected, wholeNumber } from './options.js'
import { progressBar } from './progress.js'
import { currentFolder } from './root.js'
import { visible } from './visible.js'

interface IndexFlags {
  readonly encoder?: string
  /** False after --no-exclude: forget those of before. */
  readonly exclude?: readonly string[] | false
  readonly include?: readonly string[] | false
  readonly maxFileBytes?: number
  readonly jobs?: number
  /** False after --no-history, true after --history. */
  readonly history?: boolean
  readonly rebuild?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly watch?: boolean
}

const SETTINGS_LOST =
  'the settings of the damaged index could not be read; give options such as --exclude again'

export function addIndexCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('index')
    .description('build or update the index of a repository')
    .argument('[path]', 'root of the repository (default: the git root above this folder, else this folder)')
    .option('--encoder <name>', 'encoder of the vectors, e.g. hone-static-1 or all-MiniLM-L6-v2')
    .option('--include <glob>', 'index only what matches (repeatable)', collected)
    .option('--exclude <glob>', 'leave out what matches (repeatable)', collected)
    .option('--no-include', 'index everything again, whatever --include said before')
    .option('--no-exclude', 'leave out nothing, whatever --exclude said before')
    .option('--max-file-bytes <n>', 'skip larger files', wholeNumber(1))
    .option(
      '--jobs <n>',
      'threads that read and parse (default: one a processor; 0: this one)',
      wholeNumber(0),
    )
    .option('--history', 'use past commits of the git repository around it (default)')
    .option('--no-history', 'do not use past commits')
    .option('--rebuild', 'build anew')
    .option('--yes', 'allow a home folder or file system root')
    .option('--json', 'print the summary as JSON')
    .option('--watch', 'go on: take in changes as they are made, until Ctrl-C')
    .addHelpText('after', '\nExamples:\n  hone index\n  hone index ~/src/app --exclude "**/fixtures/**"')
    .action(async (path: string | undefined, flags: IndexFlags) => {
      const root = path ?? defaultRoot(currentFolder())
      if (flags.watch === true) {
        setExit(await watchAndTell(root, flags))
        return
      }
      setExit(tell(await buildWithProgress(root, flags), flags))
    })
}

/** Prints what a run did, and returns the exit code for it. */
function tell(summary: BuildSummary, { json }: IndexFlags): number {
  process.stdout.write(json === true ? `${JSON.stringify(summary, null, 2)}\n` : `${summaryLine(summary)}\n`)
  if (summary.areSettingsLost) process.stderr.write(`${SETTINGS_LOST}\n`)
  for (const { path: failed, detail } of summary.failed) {
    process.stderr.write(`could not read ${visible(failed)}${detail === undefined ? '' : `: ${detail}`}\n`)
  }
  return summary.failed.length > 0 ? EXIT.someFilesFailed : EXIT.answered
}

/** Tells the first run and every one that changed something. Ends with Ctrl-C (or SIGTERM), whatever goes on. */
async function watchAndTell(root: string, flags: IndexFlags): Promise<number> {
  const progress = await progressBar('indexing')
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  for (const signal of STOPS) process.once(signal, stop)
  let isFirst = true
  try {
    await watchIndex({
      ...buildOptions(root, flags),
      onProgress: progress.update,
      signal: stopping.signal,
      onRun: (summary) => {
        progress.stop()
        if (isFirst || summary.added + summary.changed + summary.removed > 0) tell(summary, flags)
        isFirst = false
      },
      onTrouble: ({ message }) => process.stderr.write(`hone: ${message}; trying again\n`),
      onPolling: (why) => process.stderr.write(pollingNote(why)),
    })
  } finally {
    for (const signal of STOPS) process.off(signal, stop)
    progress.stop()
  }
  return EXIT.interrupted
}

const STOPS = ['SIGINT', 'SIGTERM'] as const

function pollingNote(why: string): string {
  const hint =
    process.platform === 'linux' ? '; raise fs.inotify.max_user_watches (sysctl) if that is the limit' : ''
  return `no events of the file system (${why})${hint}; looking for changes every few seconds instead\n`
}

/** Builds with a progress bar on standard error. Ctrl-C stops it in good order, a second one at once. */
export async function buildWithProgress(root: string, flags: IndexFlags): Promise<BuildSummary> {
  const progress = await progressBar('indexing')
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  process.once('SIGINT', stop)
  try {
    return await buildIndex({
      ...buildOptions(root, flags),
      onProgress: progress.update,
      signal: stopping.signal,
    })
  } finally {
    process.off('SIGINT', stop)
    progress.stop()
  }
}

function buildOptions(root: string, flags: IndexFlags): BuildOptions {
  const { encoder, include, exclude, maxFileBytes, jobs, history, rebuild, yes } = flags
  return {
    root,
    ...(encoder === undefined ? {} : { encoder }),
    ...(include === undefined ? {} : { include: include === false ? [] : include }),
    ...(exclude === undefined ? {} : { exclude: exclude === false ? [] : exclude }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
    ...(jobs === undefined ? {} : { jobs }),
    ...(history === undefined ? {} : { history }),
    rebuild: rebuild ?? false,
    allowAnyRoot: yes ?? false,
  }
}

/** "412 files, 3120 chunks, 9 skipped (5 binary, 4 too-large), 1.2 s" */
export function summaryLine({ files, chunks, skipped, skippedByReason, ms }: BuildSummary): string {
  const reasons = Object.entries(skippedByReason)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason, n]) => `${n} ${reason}`)
    .join(', ')
  const why = reasons === '' ? '' : ` (${reasons})`
  return `${files} files, ${chunks} chunks, ${skipped} skipped${why}, ${(ms / 1000).toFixed(1)} s`
}
