/** The one gate every listed entry passes, whoever listed it: a file that may be indexed, or a skip with its reason. */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemCode } from '../errors.js'
import type { SkippedFile, SkipReason, WalkedFile, WalkResult } from '../types.js'
import { pathMatcher } from './globs.js'
import { folderOf, type HoneIgnore } from './hone-ignore.js'
import { isNeverWalked, type Listing } from './listing.js'
import { RealFolders } from './real-folders.js'
import { isRepository } from './repository.js'
import { sizeDetail } from './size-detail.js'

export interface AdmitOptions {
  readonly root: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxFileBytes: number
  readonly honeIgnore: HoneIgnore
  readonly signal?: AbortSignal | undefined
}

// Between so many entries other work gets its turn and an abort is seen.
const ENTRIES_PER_TURN = 4000

/** Sorts a listing into files and skips. Entries that are not on disk (deleted, not checked out) are in neither. */
export async function admit(listing: Listing, options: AdmitOptions): Promise<WalkResult> {
  const gate = new Gate(options)
  const paths = [...new Set(listing.paths)].sort()
  const files: WalkedFile[] = []
  const skipped = [...listing.skipped]
  for (const [index, path] of paths.entries()) {
    const verdict = gate.judge(path)
    if (verdict !== undefined && 'reason' in verdict) skipped.push(verdict)
    else if (verdict !== undefined) files.push(verdict)
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) {
      await setImmediate()
      if (options.signal?.aborted === true) break
    }
  }
  return { files, skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)) }
}

class Gate {
  readonly #isIncluded: (path: string) => boolean
  readonly #isExcluded: (path: string) => boolean
  readonly #folders: RealFolders
  /** The root with "/" at its end; joined by hand, for `join` costs as much as the rest of the gate. */
  readonly #prefix: string

  constructor(readonly options: AdmitOptions) {
    const { root, include, exclude } = options
    this.#isIncluded = include.length === 0 ? () => true : pathMatcher(include)
    this.#isExcluded = pathMatcher(exclude)
    this.#folders = new RealFolders(root)
    this.#prefix = join(root, '/')
  }

  judge(path: string): WalkedFile | SkippedFile | undefined {
    if (isNeverWalked(path)) return undefined
    // git lists a tracked file although a link took the place of its folder; the link is listed by itself.
    if (!this.#folders.areReal(folderOf(path))) return undefined
    const absolutePath = this.#prefix + path
    const entry = entryAt(absolutePath)
    if (entry === undefined) return undefined
    if (typeof entry === 'string') return { path, reason: 'unreadable', detail: entry }
    if (this.options.honeIgnore.ignores(path)) return { path, reason: 'ignored', detail: '.honeignore' }
    const bare = path.endsWith('/') ? path.slice(0, -1) : path
    if (this.#isExcluded(bare)) return { path, reason: 'excluded' }
    if (!this.#isIncluded(bare)) return { path, reason: 'excluded', detail: 'not included' }
    return this.#judgeKind({ path, absolutePath, entry })
  }

  #judgeKind(at: { path: string; absolutePath: string; entry: Stats }): WalkedFile | SkippedFile | undefined {
    const { path, absolutePath, entry } = at
    if (entry.isDirectory()) return folderVerdict(path, absolutePath)
    const reason = kindAtFault(entry)
    if (reason !== undefined) return { path, reason }
    const { maxFileBytes } = this.options
    if (entry.size > maxFileBytes)
      return { path, reason: 'too-large', detail: sizeDetail(entry.size, maxFileBytes) }
    return asWalkedFile({ path, absolutePath, entry })
  }
}

export function asWalkedFile(at: { path: string; absolutePath: string; entry: Stats }): WalkedFile {
  const { path, absolutePath, entry } = at
  const { size: bytes, mtimeMs, ctimeMs, ino: inode } = entry
  return { path, absolutePath, bytes, mtimeMs, ctimeMs, inode }
}

/** A listed folder is a repository of its own, or stands where git still knows a file that is gone. */
function folderVerdict(path: string, absolutePath: string): SkippedFile | undefined {
  const skip = { path: path.endsWith('/') ? path : `${path}/`, reason: 'nested-repository' } as const
  if (path.endsWith('/') || isRepository(absolutePath)) return skip
  return isEmptyFolder(absolutePath) ? { ...skip, detail: 'submodule, not checked out' } : undefined
}

function isEmptyFolder(absolutePath: string): boolean {
  try {
    return readdirSync(absolutePath).length === 0
  } catch {
    return false // its entries were not listed either; who listed the folder has reported it
  }
}

function kindAtFault(entry: Stats): SkipReason | undefined {
  if (entry.isSymbolicLink()) return 'symlink'
  return entry.isFile() ? undefined : 'special'
}

/** What is at a path, undefined when nothing is, or the system's error code. */
function entryAt(absolutePath: string): Stats | string | undefined {
  try {
    return lstatSync(absolutePath, { throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOTDIR' ? undefined : code
  }
}
