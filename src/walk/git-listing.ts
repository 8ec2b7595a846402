/**
 * The files of a git work tree as git itself lists them: tracked, and untracked but not ignored.
 * The repository is not trusted: nothing its configuration names is run, nothing is written.
 */
import { execFile, type ChildProcess, type ExecFileException } from 'node:child_process'
import { isUtf8 } from 'node:buffer'
import { gitEnvironment } from '../config.js'
import type { SkippedFile } from '../types.js'
import { hasIgnoreTrap } from './ignore-trap.js'
import { escapedName, type Listing } from './listing.js'
import { repositoryAround } from './repository.js'

const LIST_FILES = [
  ['-c', 'core.fsmonitor=false'], // would run a program that the repository's configuration names
  ['-c', 'core.hooksPath=/dev/null'],
  ['-c', 'core.untrackedCache=false'], // would write the index file
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
].flat()

// One minute: the Linux kernel lists in 0.3 s.
const GIT_TIMEOUT_MS = 60_000
// Two seconds are patience for a cold disk; after that we look whether git waits for what will never come.
const TRAP_CHECK_MS = 2000
// 1 GB of paths is ten million files.
const MAX_LISTING_BYTES = 1_000_000_000

/**
 * Lists a folder by git. Undefined where git cannot: not installed, no repository, "dubious ownership", or
 * nothing listed (the folder may lie in an ignored part of somebody else's repository).
 */
export async function gitListing(root: string, signal?: AbortSignal): Promise<Listing | undefined> {
  const output = await runGit(root, signal)
  if (output === undefined || output.stdout.length === 0) return undefined
  const { paths, skipped } = splitNames(output.stdout)
  return { paths, skipped: [...skipped, ...unreadableFolders(root, output.stderr)] }
}

interface GitOutput {
  readonly stdout: Buffer
  readonly stderr: Buffer
}

function runGit(root: string, signal: AbortSignal | undefined): Promise<GitOutput | undefined> {
  const options = {
    cwd: root,
    env: gitEnvironment(),
    encoding: 'buffer' as const,
    maxBuffer: MAX_LISTING_BYTES,
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL' as const,
    ...(signal === undefined ? {} : { signal }),
  }
  return new Promise((resolve) => {
    // Any failure means "git cannot list this"; the own walk then meets, and reports, what is wrong.
    const finish = (error: ExecFileException | null, stdout: Buffer, stderr: Buffer) => {
      resolve(error === null ? { stdout, stderr } : undefined)
    }
    freeFromTrap(execFile('git', LIST_FILES, options, finish), root)
  })
}

/** Ends a git that waits for a FIFO among its ignore files; one that is merely slow goes on. */
function freeFromTrap(git: ChildProcess, root: string): void {
  const search = new AbortController()
  const timer = setTimeout(() => {
    void hasIgnoreTrap(root, search.signal).then((isTrapped) => isTrapped && git.kill('SIGKILL'))
  }, TRAP_CHECK_MS)
  git.on('close', () => {
    clearTimeout(timer)
    search.abort()
  })
}

function splitNames(stdout: Buffer): Listing {
  if (isUtf8(stdout)) return { paths: stdout.toString('utf8').split('\0').slice(0, -1), skipped: [] }
  const paths: string[] = []
  const skipped: SkippedFile[] = []
  for (let start = 0, end = 0; (end = stdout.indexOf(0, start)) >= 0; start = end + 1) {
    const name = stdout.subarray(start, end)
    if (isUtf8(name)) paths.push(name.toString('utf8'))
    else skipped.push({ path: escapedName(name), reason: 'unreadable', detail: 'name is not UTF-8' })
  }
  return { paths, skipped }
}

// git has no other channel for this; LC_ALL=C pins the words. A miss loses a report, never a file.
const CLOSED_FOLDER = /^warning: could not open directory '(.*)\/': (.*)$/gm

function unreadableFolders(root: string, stderr: Buffer): SkippedFile[] {
  const prefix = repositoryAround(root)?.prefix ?? ''
  return [...stderr.toString('utf8').matchAll(CLOSED_FOLDER)].flatMap(([, folder = '', detail = '']) =>
    folder.startsWith(prefix)
      ? [{ path: `${folder.slice(prefix.length)}/`, reason: 'unreadable' as const, detail }]
      : [],
  )
}
