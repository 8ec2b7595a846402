/**
 * Tells whether the history of a repository may have changed since it was read, without running git: a query asks
 * before every answer. Reads `HEAD` and what it refers to; follows no link, reads no more than refs may hold.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GitFolders {
  /** Holds `HEAD`. */
  readonly gitFolder: string
  /** Holds the branches; another one in a linked worktree. */
  readonly commonFolder: string
}

// One line: a name or an object id.
const MAX_REF_BYTES = 10_000
// 100,000 packed branches and tags are about 8 MB.
const MAX_PACKED_BYTES = 100_000_000
// git itself follows no more.
const MAX_SYMBOLIC_REFS = 5

/** Another text whenever `HEAD` is another commit, or the borders of a shallow clone are others. */
export function headStamp(folders: GitFolders | undefined): string {
  if (folders === undefined) return 'none'
  const shallow = fileText(join(folders.commonFolder, 'shallow'), MAX_PACKED_BYTES)
  return shallow === undefined ? head(folders) : `${head(folders)} ${digest(shallow)}`
}

function head({ gitFolder, commonFolder }: GitFolders): string {
  // In this format of refs each change of any writes this list anew.
  const tables = fileText(join(gitFolder, 'reftable', 'tables.list'), MAX_REF_BYTES)
  if (tables !== undefined) return digest(tables)
  let text = fileText(join(gitFolder, 'HEAD'), MAX_REF_BYTES)
  for (let followed = 0; followed < MAX_SYMBOLIC_REFS; followed++) {
    const ref = /^ref: *(refs\/\S+)/.exec(text ?? '')?.[1]
    if (ref === undefined || ref.split('/').includes('..')) break
    text =
      fileText(join(gitFolder, ref), MAX_REF_BYTES) ??
      fileText(join(commonFolder, ref), MAX_REF_BYTES) ??
      packedRef(commonFolder, ref)
    if (text === undefined) return `no ${ref}`
  }
  return text?.trim() ?? 'no HEAD'
}

function packedRef(commonFolder: string, ref: string): string | undefined {
  const packed = fileText(join(commonFolder, 'packed-refs'), MAX_PACKED_BYTES) ?? ''
  const at = packed.indexOf(` ${ref}\n`)
  return at < 0 ? undefined : packed.slice(packed.lastIndexOf('\n', at) + 1, at)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Text of a regular file of at most so many bytes, else undefined. */
function fileText(path: string, maxBytes: number): string | undefined {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    return entry?.isFile() === true && entry.size <= maxBytes ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined // not readable: as good as not there, and git will say so
  }
}
