/** Which files of a folder may be indexed, and why each other one is not. Contents are not read here. */
import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { HoneError, systemCode } from '../errors.js'
import type { WalkedFile, WalkResult } from '../types.js'
import { admit, asWalkedFile } from './admit.js'
import { gitListing } from './git-listing.js'
import { folderOf, HoneIgnore } from './hone-ignore.js'
import type { Listing } from './listing.js'
import { plainListing } from './plain-listing.js'
import { RealFolders } from './real-folders.js'
import { checkedRoot } from './root.js'

export interface WalkOptions {
  readonly root: string
  /** Globs; empty takes every file. */
  readonly include: readonly string[]
  /** Globs; win over `include`. */
  readonly exclude: readonly string[]
  readonly maxFileBytes: number
  /** What `askGit` promised, where it was asked before; else git is asked now. */
  readonly listing?: Promise<Listing | undefined>
  readonly signal?: AbortSignal
}

/** Starts git, so that it lists while other things are done. Never rejects; undefined where git cannot list. */
export function askGit(root: string, signal: AbortSignal): Promise<Listing | undefined> {
  return gitListing(root, signal)
}

/**
 * Lists a folder: as git does where it can, else by the ignore files found.
 * Throws ROOT_NOT_FOUND, ROOT_NOT_DIRECTORY, ROOT_UNREADABLE, GLOB_INVALID, ABORTED.
 */
export async function walk(options: WalkOptions): Promise<WalkResult> {
  const root = checkedRoot(options.root)
  const { signal } = options
  const honeIgnore = new HoneIgnore(root)
  throwIfAborted(signal)
  const listing =
    (await (options.listing ?? gitListing(root, signal))) ??
    (await plainListing({ root, honeIgnore, signal }))
  throwIfAborted(signal)
  const result = await admit(listing, { ...options, root, honeIgnore, signal })
  throwIfAborted(signal)
  return result
}

/** One file by its path relative to the root; undefined unless it is a regular file inside, reached by no link. */
export function walkedFile(root: string, path: string): WalkedFile | undefined {
  if (isAbsolute(path) || path.split('/').includes('..')) return undefined
  if (!new RealFolders(root).areReal(folderOf(path))) return undefined
  const absolutePath = join(root, path)
  try {
    const entry = lstatSync(absolutePath, { throwIfNoEntry: false })
    return entry?.isFile() === true ? asWalkedFile({ path, absolutePath, entry }) : undefined
  } catch (error) {
    if (systemCode(error) === '') throw error
    return undefined
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new HoneError('ABORTED', 'stopped while listing files; nothing was changed')
}
