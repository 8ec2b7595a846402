/**
 * Parses what `git diff-tree --stdin -z --name-status` prints, as it comes. For each commit: `\x01` object id, subject,
 * a line break, then entries of a status and one path (two for a rename), everything ended by NUL.
 */
import { isUtf8 } from 'node:buffer'
import type { Rename } from '../types.js'
import type { ChangedPath } from './renames.js'

/** The format that makes git print what is parsed here. */
export const LOG_FORMAT = '%x01%H%x00%s'

/** One commit as git tells it; paths are relative to the top of the repository. */
export interface LoggedCommit {
  readonly oid: string
  readonly subject: string
  /** Entries of the commit, those that are left out below included. */
  readonly touched: number
  readonly changes: readonly ChangedPath[]
  /** Renames without a change of content. */
  readonly renames: readonly Rename[]
}

interface OpenCommit {
  readonly oid: string
  subject: string | undefined
  touched: number
  readonly changes: ChangedPath[]
  readonly renames: Rename[]
}

const STATUS = { A: 'added', D: 'deleted' } as const
const HEADER = 1 // \x01

export class LogParser {
  #rest: Buffer = Buffer.alloc(0)
  #commit: OpenCommit | undefined
  #status = ''
  /** First path of a rename. */
  #from: string | undefined

  /** `onCommit` gets each commit when all of it has come. */
  constructor(readonly onCommit: (commit: LoggedCommit) => void) {}

  push(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = 0; (end = all.indexOf(0, start)) >= 0; start = end + 1)
      this.#take(all.subarray(start, end))
    this.#rest = Buffer.from(all.subarray(start))
  }

  /** Call when git has ended well. */
  end(): void {
    this.#finish()
  }

  #take(field: Buffer): void {
    const commit = this.#commit
    if (commit !== undefined && commit.subject === undefined) commit.subject = field.toString('utf8')
    else if (this.#status !== '') this.#path(field)
    else {
      const mark = field[0] === 0x0a ? field.subarray(1) : field // the line break after a subject
      if (mark[0] === HEADER) this.#begin(mark.toString('latin1', 1))
      else this.#status = mark.toString('latin1', 0, 1)
    }
  }

  #begin(oid: string): void {
    this.#finish()
    this.#commit = { oid, subject: undefined, touched: 0, changes: [], renames: [] }
  }

  #path(field: Buffer): void {
    const isRename = this.#status === 'R'
    // Names that are no UTF-8 are not indexed either (walk/git-listing.ts).
    const path = isUtf8(field) ? field.toString('utf8') : ''
    if (isRename && this.#from === undefined) {
      this.#from = path
      return
    }
    this.#add(path)
    this.#status = ''
    this.#from = undefined
  }

  #add(path: string): void {
    const commit = this.#commit
    if (commit === undefined) return
    commit.touched++
    if (path === '') return
    const from = this.#from
    if (from !== undefined && from !== '') commit.renames.push({ from, to: path })
    commit.changes.push({ status: this.#statusName(), path })
  }

  #statusName(): ChangedPath['status'] {
    return this.#status === 'A' || this.#status === 'D' ? STATUS[this.#status] : 'kept'
  }

  #finish(): void {
    const commit = this.#commit
    this.#commit = undefined
    if (commit?.subject !== undefined) this.onCommit({ ...commit, subject: commit.subject })
  }
}
