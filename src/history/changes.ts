/**
 * What the last commit holds, to compare a work tree with. The repository is not trusted: only stored objects are read,
 * for git itself compares by running the filters that a repository's configuration names (also `diff-index` does,
 * whenever a file is as young as git's own index).
 */
import { createHash } from 'node:crypto'
import { gitText, streamGit } from './git.js'

export type Committed =
  | {
      readonly kind: 'read'
      /** Object id by path, relative to the folder asked about; empty before the first commit. */
      readonly blobs: ReadonlyMap<string, string>
      /** Neither committed nor ignored; sorted. */
      readonly untracked: readonly string[]
    }
  | { readonly kind: 'none'; readonly why: 'no-git' | 'no-repository' }

interface Run {
  readonly cwd: string
  readonly signal: AbortSignal | undefined
}

/** Files of the last commit under a folder, and those that git does not know. */
export async function committed(run: Run): Promise<Committed> {
  const untracked = await gitText(['ls-files', '-z', '--others', '--exclude-standard'], run)
  if (untracked.end === 'no-git') return { kind: 'none', why: 'no-git' }
  if (untracked.end !== 'done') return { kind: 'none', why: 'no-repository' }
  const names = untracked.text.split('\0').filter((name) => name !== '')
  return { kind: 'read', blobs: await blobsOf(run), untracked: names.sort() }
}

/** "MODE blob OID TAB PATH" entries; a repository without a commit has none. */
async function blobsOf(run: Run): Promise<ReadonlyMap<string, string>> {
  const pieces: Buffer[] = []
  const onOutput = (piece: Buffer): boolean => pieces.push(piece) > 0
  await streamGit(['ls-tree', '-r', '-z', 'HEAD'], { ...run, onOutput })
  const entries = Buffer.concat(pieces).toString('utf8').split('\0')
  return new Map(
    entries.flatMap((entry) => {
      const match = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry)
      return match === null ? [] : [[match[2] ?? '', match[1] ?? ''] as const]
    }),
  )
}

/** Whether content is what an object id names: ids of 40 digits are SHA-1, longer ones SHA-256. */
export function isBlob(content: Buffer, id: string): boolean {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id
}

/** Text of an object, or undefined when git cannot give it. */
export async function blobText(id: string, run: Run): Promise<string | undefined> {
  const { end, text } = await gitText(['cat-file', 'blob', id], run)
  return end === 'done' ? text : undefined
}
