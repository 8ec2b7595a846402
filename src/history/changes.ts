/**
 * What a work tree holds that its last commit does not. The repository is not trusted: only listings and stored
 * objects are asked for, so that no filter, text conversion or diff program of its configuration is run.
 */
import { gitText } from './git.js'

export interface ChangedFile {
  /** Relative to the root, with "/". */
  readonly path: string
  /** Its text in the last commit, or undefined where it is not in it. */
  readonly before: string | undefined
}

export type Changes =
  | { readonly kind: 'read'; readonly files: readonly ChangedFile[] }
  | { readonly kind: 'none'; readonly why: 'no-git' | 'no-repository' }

// More changed files are a rewrite, and "what belongs to it" is everything.
const MAX_CHANGED_FILES = 200

/** Changed, staged and untracked files under `root` that exist, sorted by path. */
export async function uncommittedChanges(root: string, signal: AbortSignal | undefined): Promise<Changes> {
  const run = { cwd: root, signal }
  const untracked = await gitText(['ls-files', '-z', '--others', '--exclude-standard'], run)
  if (untracked.end === 'no-git') return { kind: 'none', why: 'no-git' }
  if (untracked.end !== 'done') return { kind: 'none', why: 'no-repository' }
  const tracked = await gitText(
    ['diff-index', '-z', '--name-only', '--no-renames', '--relative', '--diff-filter=d', 'HEAD', '--'],
    run,
  )
  // Before the first commit everything is new.
  const known = tracked.end === 'done' ? namesIn(tracked.text) : []
  const added = tracked.end === 'done' ? [] : namesIn((await gitText(['ls-files', '-z'], run)).text)
  const files = await Promise.all(
    known.slice(0, MAX_CHANGED_FILES).map(async (path) => ({ path, before: await committed(path, run) })),
  )
  const fresh = [...namesIn(untracked.text), ...added].map((path) => ({ path, before: undefined }))
  const all = new Map([...fresh, ...files].map((file) => [file.path, file]))
  return {
    kind: 'read',
    files: [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_CHANGED_FILES),
  }
}

async function committed(
  path: string,
  run: { readonly cwd: string; readonly signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const { end, text } = await gitText(['cat-file', 'blob', `HEAD:./${path}`], run)
  return end === 'done' ? text : undefined
}

function namesIn(text: string): readonly string[] {
  return text.split('\0').filter((name) => name !== '')
}
