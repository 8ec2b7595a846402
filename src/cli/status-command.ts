/** `hone status`: what is indexed, what was skipped and why, what is stale. */
import { isatty } from 'node:tty'
import { Option, type Command } from 'commander'
import { EXIT } from '../errors.js'
import { indexCommand, openIndex, whyNoHistory, type IndexStatus, type PastState } from '../index.js'
import { rootFor } from './root.js'
import { visible, visibleJson } from './visible.js'

interface StatusFlags {
  readonly files?: boolean
  readonly skipped?: boolean
  readonly json?: boolean
}

export function addStatusCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('status')
    .description('show what is indexed, what was skipped and why, and what is stale')
    .argument('[path]', 'folder in an indexed repository (default: this one)')
    .option('--files', 'list every indexed path')
    .addOption(new Option('--skipped', 'list every skipped path with its reason').conflicts('files'))
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  hone status\n  hone status --skipped')
    .action(async (path: string | undefined, flags: StatusFlags) => {
      const index = await openIndex({ root: rootFor(path) })
      try {
        const stale = await index.staleFiles()
        process.stdout.write(
          render(index.status, { stale, files: index.files(), skipped: index.skipped() }, flags),
        )
        setExit(EXIT.answered)
      } finally {
        index.close()
      }
    })
}

interface Lists {
  readonly stale: readonly string[]
  readonly files: readonly string[]
  readonly skipped: readonly { readonly path: string; readonly reason: string; readonly detail?: string }[]
}

function render(status: IndexStatus, lists: Lists, flags: StatusFlags): string {
  if (flags.json === true) {
    const { stale, files, skipped } = lists
    const all = { ...status, stale, ...(flags.files === true ? { paths: files } : {}), skippedFiles: skipped }
    return `${visibleJson(JSON.stringify(all, null, 2))}\n`
  }
  // Piped, a path is as it is: a program opens it.
  const shown = isatty(process.stdout.fd) ? visible : (path: string): string => path
  if (flags.files === true) return lists.files.map((path) => `${shown(path)}\n`).join('')
  if (flags.skipped === true) {
    if (lists.skipped.length === 0) process.stderr.write('nothing was skipped\n') // an empty list looks like a fault
    return lists.skipped
      .map(
        ({ path, reason, detail }) =>
          `${visible(path)}\t${reason}${detail === undefined ? '' : ` (${visible(detail)})`}\n`,
      )
      .join('')
  }
  return summary(status, lists)
}

function summary(status: IndexStatus, { stale, skipped }: Lists): string {
  const reasons = new Map<string, number>()
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const lines = [
    `root      ${status.root}`,
    `index     ${status.folder} (${(status.bytes / 1e6).toFixed(1)} MB, format ${status.format})`,
    `indexed   ${status.files} files, ${status.chunks} chunks`,
    `skipped   ${status.skipped} files${[...reasons]
      .sort()
      .map(([reason, n]) => `, ${n} ${reason}`)
      .join('')}`,
    `seen      ${status.files + status.skipped} files`,
    `stale     ${stale.length} files${stale.length === 0 ? '' : `; run: ${indexCommand(status.root)}`}`,
    `encoder   ${status.encoder} (${status.dimensions} dimensions)`,
    `vectors   ${status.vectorSearch} search`,
    `history   ${historyLine(status.history)}`,
  ]
  return `${lines.map(visible).join('\n')}\n`
}

function historyLine(history: PastState): string {
  if (history.kind === 'none') return `none; ${whyNoHistory(history.why)}`
  return `${history.commits} commits${history.isShallow ? '; the clone is shallow, older ones are missing' : ''}`
}
