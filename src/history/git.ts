/**
 * Running git to read a repository that is not trusted: no shell, nothing its configuration names is run, nothing is
 * fetched, nothing is written. Only plumbing commands, which no user's configuration changes the output of.
 */
import { spawn } from 'node:child_process'
import { gitEnvironment } from '../config.js'
import { systemCode } from '../errors.js'

// git's own words for "these settings win over the repository's".
const SAFE = [
  ['--no-pager'],
  ['--no-replace-objects'], // what a commit was, not what somebody made of it later
  ['-c', 'core.fsmonitor=false'],
  ['-c', 'core.hooksPath=/dev/null'],
].flat()

// A trap (a FIFO in the place of a pack) never ends. 8,000 commits of curl take a second, of a huge tree half a minute.
const GIT_TIMEOUT_MS = 300_000

export interface GitRun {
  readonly cwd: string
  readonly signal: AbortSignal | undefined
  /** Written to its standard input. */
  readonly input?: string
  /** Takes the output piece by piece; false ends git early. */
  readonly onOutput: (bytes: Buffer) => boolean
}

/** How git ended; `stopped` when the receiver had enough. */
export type GitEnd = 'done' | 'stopped' | 'failed' | 'no-git'

/** Runs one git command and hands out its output. Never throws; an abort ends it as `failed`. */
export function streamGit(
  args: readonly string[],
  { cwd, signal, input, onOutput }: GitRun,
): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child = spawn('git', [...SAFE, ...args], {
      cwd,
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: GIT_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
      ...(signal === undefined ? {} : { signal }),
    })
    let isStopped = false
    child.stdout.on('data', (bytes: Buffer) => {
      if (isStopped || onOutput(bytes)) return
      isStopped = true
      child.kill('SIGKILL')
    })
    child.stdin.on('error', () => undefined) // git ended before it read all: its exit code says why
    child.stdin.end(input ?? '')
    child.on('error', (error) => {
      if (systemCode(error) === 'ENOENT') resolve('no-git')
      else resolve('failed')
    })
    child.on('close', (code) => {
      if (isStopped) resolve('stopped')
      else resolve(code === 0 ? 'done' : 'failed')
    })
  })
}

// Answers of a few lines and lists of object ids; 10 MB is 240,000 ids.
const MAX_TEXT_BYTES = 10_000_000

/** Output of a short command as text. */
export async function gitText(
  args: readonly string[],
  run: Omit<GitRun, 'onOutput'>,
): Promise<{ readonly end: GitEnd; readonly text: string }> {
  const pieces: Buffer[] = []
  let bytes = 0
  const end = await streamGit(args, {
    ...run,
    onOutput: (piece) => {
      pieces.push(piece)
      bytes += piece.length
      return bytes <= MAX_TEXT_BYTES
    },
  })
  return { end, text: Buffer.concat(pieces).toString('utf8') }
}

// 2.15 (2017) says whether a clone is shallow, and takes the options above.
export const LEAST_GIT = '2.15'

/** What git there is: its version, or why it cannot be used. */
export type GitAtHand =
  | { readonly kind: 'works'; readonly version: string }
  | { readonly kind: 'no-git' | 'git-fails' }
  | { readonly kind: 'git-old'; readonly version: string }

/** Asks git for its version. */
export async function gitAtHand(run: Omit<GitRun, 'onOutput'>): Promise<GitAtHand> {
  const { end, text } = await gitText(['version'], run)
  if (end === 'no-git') return { kind: 'no-git' }
  const version = /^git version (\d+\.\d+\S*)/.exec(text)?.[1]
  if (end !== 'done' || version === undefined) return { kind: 'git-fails' }
  return { kind: isOlder(version, LEAST_GIT) ? 'git-old' : 'works', version }
}

/** By the first two numbers. */
function isOlder(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number))
  const [major = 0, minor = 0] = a ?? []
  const [leastMajor = 0, leastMinor = 0] = b ?? []
  return major === leastMajor ? minor < leastMinor : major < leastMajor
}
