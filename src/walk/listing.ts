/** What either way of listing a folder (git, own walk) hands to `admit`. */
import type { SkippedFile } from '../types.js'

export interface Listing {
  /** Relative to the root, with "/", in no order, perhaps repeated. A nested repository ends with "/". */
  readonly paths: readonly string[]
  /** Entries that were decided while listing. A folder ends with "/" and stands for all in it. */
  readonly skipped: readonly SkippedFile[]
}

const NEVER_WALKED = /(?:^|\/)\.(?:git|hone)(?:\/|$)/

/** Whether a path is, or lies in, what is never walked nor reported: git's own storage and hone's own index. */
export function isNeverWalked(path: string): boolean {
  return NEVER_WALKED.test(path)
}

/** A file name that is no UTF-8, with each byte that is no printable ASCII as `\xNN`. */
export function escapedName(name: Buffer): string {
  return [...name]
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${hex(byte)}`))
    .join('')
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}
