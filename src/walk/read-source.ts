/**
 * Reads one walked file: its text, or the reason it is skipped.
 * The file may have changed since the walk: nothing here blocks, follows a link or reads past the limit.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { sha256 } from '../digest.js'
import { systemCode } from '../errors.js'
import type { SkippedFile, SkipReason, SourceText, WalkedFile } from '../types.js'
import { minifiedDetail } from './minified.js'
import { RealFolders } from './real-folders.js'
import { folderOf } from './hone-ignore.js'
import { secretByName, secretInText } from './secrets.js'
import { sizeDetail } from './size-detail.js'
import { decoded } from './text-encoding.js'

export type ReadResult =
  | {
      readonly kind: 'text'
      readonly source: SourceText
      readonly bytes: number
      /** First 32 hex digits of the SHA-256 of the bytes. */
      readonly hash: string
    }
  | { readonly kind: 'skip'; readonly skip: SkippedFile }

const HASH_DIGITS = 32

/** Reads a file of at most `maxFileBytes`. Never throws for what is wrong with one file. */
export function readSource(file: WalkedFile, maxFileBytes: number): ReadResult {
  const skip = (reason: SkipReason, detail?: string): ReadResult => ({
    kind: 'skip',
    skip: { path: file.path, reason, ...(detail === undefined ? {} : { detail }) },
  })
  const secretName = secretByName(file.path)
  if (secretName !== undefined) return skip('secret', secretName)
  const content = contentOf(file, maxFileBytes)
  if (!Buffer.isBuffer(content)) return skip(content.reason, content.detail)
  const source = decoded(content)
  if (source === undefined) return skip('binary')
  const secret = secretInText(source.text)
  if (secret !== undefined) return skip('secret', secret)
  const minified = minifiedDetail(source.text, source.lines)
  if (minified !== undefined) return skip('minified', minified)
  return {
    kind: 'text',
    source,
    bytes: content.length,
    get hash() {
      return sha256(content).slice(0, HASH_DIGITS)
    },
  }
}

interface Fault {
  readonly reason: SkipReason
  readonly detail?: string
}

function contentOf(file: WalkedFile, maxFileBytes: number): Buffer | Fault {
  let descriptor: number
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer; without O_NOFOLLOW, a swapped link leaves the tree.
    descriptor = openSync(file.absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return openFault(systemCode(error))
  }
  try {
    return contentOfOpen(descriptor, { file, maxFileBytes })
  } catch (error) {
    return { reason: 'unreadable', detail: systemCode(error) }
  } finally {
    closeSync(descriptor)
  }
}

function contentOfOpen(descriptor: number, at: { file: WalkedFile; maxFileBytes: number }): Buffer | Fault {
  const { file, maxFileBytes } = at
  const entry = fstatSync(descriptor)
  if (!entry.isFile()) return { reason: 'special', detail: 'no longer a regular file' }
  // Another file than the one listed: an editor replaced it, or a folder above became a link out of the tree.
  if (entry.ino !== file.inode && !isReachedByNoLink(file))
    return { reason: 'symlink', detail: 'a folder above is a link' }
  const content = readUpTo(descriptor, Math.min(entry.size, maxFileBytes) + 1)
  const bytes = Math.max(entry.size, content.length)
  return bytes > maxFileBytes ? { reason: 'too-large', detail: sizeDetail(bytes, maxFileBytes) } : content
}

/** At most `limit` bytes from the start. One byte more than the expected size shows a file that grows. */
function readUpTo(descriptor: number, limit: number): Buffer {
  const buffer = Buffer.allocUnsafe(limit)
  let length = 0
  while (length < limit) {
    const read = readSync(descriptor, buffer, length, limit - length, length)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}

function isReachedByNoLink(file: WalkedFile): boolean {
  const root = file.absolutePath.slice(0, -file.path.length)
  return new RealFolders(root).areReal(folderOf(file.path))
}

function openFault(code: string): Fault {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { reason: 'vanished' }
  if (code === 'ELOOP') return { reason: 'symlink', detail: 'became a link' }
  if (code === 'ENXIO') return { reason: 'special', detail: 'no longer a regular file' }
  return { reason: 'unreadable', detail: code }
}
