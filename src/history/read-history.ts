/**
 * The newest commits of the repository around a folder, in git's own order. Commits never change, so those that are
 * known already are taken as they are, and only the others are read: rewritten history needs no rule of its own.
 */
import type { NoHistoryReason, PastCommit } from '../types.js'
import { gitAtHand, gitText, streamGit, type GitEnd } from './git.js'
import { LOG_FORMAT, LogParser } from './log-parser.js'
import { pastCommit } from './telling.js'

export const MAX_COMMITS = 8000
// 8,000 commits of curl are 2 MB; this much takes git half a minute.
const MAX_LOG_BYTES = 200_000_000

export interface ReadHistoryOptions {
  readonly root: string
  /** Commits read before, by object id. */
  readonly known?: ReadonlyMap<string, PastCommit>
  readonly signal?: AbortSignal
  /** Default MAX_COMMITS. */
  readonly maxCommits?: number
  /** Default MAX_LOG_BYTES. */
  readonly maxBytes?: number
}

export type ReadHistory =
  | {
      readonly kind: 'read'
      /** Newest first. */
      readonly commits: readonly PastCommit[]
      /** How many of them say something about a file under the root. */
      readonly own: number
      /** Folder of the root in the repository, "" or "a/b/". */
      readonly prefix: string
      readonly isShallow: boolean
      /** The bound of bytes was met: older commits are missing, and nothing may be `known` next time. */
      readonly isCut: boolean
    }
  | { readonly kind: 'none'; readonly why: NoHistoryReason }

interface Place {
  readonly prefix: string
  readonly isShallow: boolean
  readonly head: string
}

/** Reads the history of the files under `root`. Never throws; what cannot be read is said in the result. */
export async function readHistory(options: ReadHistoryOptions): Promise<ReadHistory> {
  const place = await findPlace(options)
  if ('why' in place) return { kind: 'none', why: place.why }
  const listed = await gitText(
    ['rev-list', '--no-merges', `--max-count=${options.maxCommits ?? MAX_COMMITS}`, place.head, '--'],
    git(options),
  )
  if (listed.end !== 'done') return { kind: 'none', why: 'unreadable' }
  const oids = listed.text.split('\n').slice(0, -1)
  const known = options.known ?? new Map<string, PastCommit>()
  const read = await readCommits(
    oids.filter((oid) => !known.has(oid)),
    options,
  )
  if (read === undefined) return { kind: 'none', why: 'unreadable' }
  const commits = oids.flatMap((oid) => known.get(oid) ?? read.commits.get(oid) ?? [])
  const { prefix, isShallow } = place
  const own = commits.filter(({ files }) => files.some((path) => path.startsWith(prefix))).length
  if (own === 0) return { kind: 'none', why: 'no-commits' }
  return { kind: 'read', commits, own, prefix, isShallow, isCut: read.isCut }
}

function git({ root, signal }: ReadHistoryOptions): {
  readonly cwd: string
  readonly signal: AbortSignal | undefined
} {
  return { cwd: root, signal }
}

async function findPlace(options: ReadHistoryOptions): Promise<Place | { readonly why: NoHistoryReason }> {
  const [where, head] = await Promise.all([
    gitText(['rev-parse', '--is-inside-work-tree', '--is-shallow-repository', '--show-prefix'], git(options)),
    gitText(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], git(options)),
  ])
  if (where.end === 'no-git') return { why: 'no-git' }
  // The prefix comes last: the name of a folder may hold line breaks.
  const [, isInside, isShallow, prefix = ''] = /^(\S+)\n(\S+)\n(.*)\n$/s.exec(where.text) ?? []
  if (where.end !== 'done' || isInside !== 'true') return { why: await whyNoPlace(options) }
  if (head.end !== 'done') return { why: 'no-commits' }
  return { prefix, isShallow: isShallow === 'true', head: head.text.trim() }
}

/** Whether it is git itself that is at fault. */
async function whyNoPlace(options: ReadHistoryOptions): Promise<NoHistoryReason> {
  const { kind } = await gitAtHand(git(options))
  return kind === 'works' ? 'no-repository' : kind
}

async function readCommits(
  oids: readonly string[],
  options: ReadHistoryOptions,
): Promise<{ readonly commits: ReadonlyMap<string, PastCommit>; readonly isCut: boolean } | undefined> {
  const commits = new Map<string, PastCommit>()
  if (oids.length === 0) return { commits, isCut: false }
  const parser = new LogParser((logged) => commits.set(logged.oid, pastCommit(logged)))
  let bytes = 0
  const end: GitEnd = await streamGit(DIFF_TREE, {
    ...git(options),
    input: oids.map((oid) => `${oid}\n`).join(''),
    onOutput: (piece) => {
      bytes += piece.length
      if (bytes > (options.maxBytes ?? MAX_LOG_BYTES)) return false
      parser.push(piece)
      return true
    },
  })
  if (end === 'done') parser.end()
  return end === 'done' || end === 'stopped' ? { commits, isCut: end === 'stopped' } : undefined
}

const DIFF_TREE = [
  ['diff-tree', '--stdin', '--root', '--always', '-r', '-z', '--name-status'],
  ['-M100%'], // renames of equal content need no content: it may be absent, and reading it takes most of the time
  ['--encoding=UTF-8', `--format=${LOG_FORMAT}`],
].flat()
