/**
 * Past commits as they are stored: numbers as varints, and lists of paths, terms, subjects and object ids.
 * Newest first; paths and terms are numbered in the order they come up, so what is used now has short numbers.
 * The same commits give the same bytes, whether they were read at once or bit by bit.
 */
import { identifiersIn, termsOf } from '../text/words.js'
import type { PastCommit } from '../types.js'
import { pageAt, putPage } from './columns.js'
import type { Database } from './database.js'
import { ByteWriter } from './varint.js'

/** Blobs by kind, one row each in the table of pages. */
export const PAST_PAGES = ['past.commits', 'past.paths', 'past.terms', 'past.subjects', 'past.oids'] as const
export type PastPage = (typeof PAST_PAGES)[number]
export type PastPages = Readonly<Record<PastPage, Buffer>>

/** Numbers of all commits, in columns. */
export interface CommitNumbers {
  readonly commits: number
  readonly paths: number
  /** Files of commit c are fileOf[firstFile[c]] .. fileOf[firstFile[c + 1] - 1], numbers of paths of that time. */
  readonly firstFile: Uint32Array
  readonly fileOf: Uint32Array
  readonly firstRename: Uint32Array
  readonly renamedFrom: Uint32Array
  readonly renamedTo: Uint32Array
  readonly firstTerm: Uint32Array
  readonly termOf: Uint32Array
}

export function encodePast(commits: readonly PastCommit[]): PastPages {
  const paths = new Numbering()
  const terms = new Numbering()
  const out = new ByteWriter()
  const totals = [0, 0, 0]
  for (const { subject, files, renames } of commits) {
    const subjectTerms = identifiersIn(subject).flatMap(termsOf)
    out.writeVarint(files.length)
    for (const path of files) out.writeVarint(paths.of(path))
    out.writeVarint(renames.length)
    for (const { from, to } of renames) {
      out.writeVarint(paths.of(from))
      out.writeVarint(paths.of(to))
    }
    out.writeVarint(subjectTerms.length)
    for (const term of subjectTerms) out.writeVarint(terms.of(term))
    totals[0]! += files.length // three entries
    totals[1]! += renames.length
    totals[2]! += subjectTerms.length
  }
  const head = new ByteWriter()
  for (const n of [commits.length, paths.size, ...totals]) head.writeVarint(n)
  return {
    'past.commits': Buffer.concat([head.take(), out.take()]),
    'past.paths': Buffer.from(paths.all.join('\0')), // no path holds one
    'past.terms': Buffer.from(terms.all.join('\n')),
    'past.subjects': Buffer.from(commits.map(({ subject }) => subject).join('\n')), // one line each (PastCommit)
    'past.oids': Buffer.from(commits.map(({ oid }) => oid).join(''), 'hex'),
  }
}

export function decodeNumbers(bytes: Buffer): CommitNumbers {
  const read = varintReader(bytes)
  const [commits, paths, files, renames, terms] = [read(), read(), read(), read(), read()] as const
  const numbers = {
    commits,
    paths,
    firstFile: new Uint32Array(commits + 1),
    fileOf: new Uint32Array(files),
    firstRename: new Uint32Array(commits + 1),
    renamedFrom: new Uint32Array(renames),
    renamedTo: new Uint32Array(renames),
    firstTerm: new Uint32Array(commits + 1),
    termOf: new Uint32Array(terms),
  }
  let [file, rename, term] = [0, 0, 0]
  for (let c = 0; c < commits; c++) {
    for (let n = read(); n > 0; n--) numbers.fileOf[file++] = read()
    for (let n = read(); n > 0; n--) {
      numbers.renamedFrom[rename] = read()
      numbers.renamedTo[rename++] = read()
    }
    for (let n = read(); n > 0; n--) numbers.termOf[term++] = read()
    numbers.firstFile[c + 1] = file
    numbers.firstRename[c + 1] = rename
    numbers.firstTerm[c + 1] = term
  }
  return numbers
}

/** The commits again, by object id. */
export function decodeCommits(pages: PastPages): ReadonlyMap<string, PastCommit> {
  const numbers = decodeNumbers(pages['past.commits'])
  const { commits, firstFile, fileOf, firstRename, renamedFrom, renamedTo } = numbers
  const paths = pages['past.paths'].toString('utf8').split('\0')
  const subjects = pages['past.subjects'].toString('utf8').split('\n')
  const oids = pages['past.oids'].toString('hex')
  const width = oids.length / Math.max(1, commits)
  const pathAt = (number: number): string => paths[number] ?? ''
  const known = new Map<string, PastCommit>()
  for (let c = 0; c < commits; c++) {
    const oid = oids.slice(c * width, (c + 1) * width)
    const renames = span(firstRename, c).map((r) => ({
      from: pathAt(renamedFrom[r]!), // r is inside its column
      to: pathAt(renamedTo[r]!),
    }))
    const files = span(firstFile, c).map((f) => pathAt(fileOf[f]!))
    known.set(oid, { oid, subject: subjects[c] ?? '', files, renames })
  }
  return known
}

/** Of every path number the id of the file it is today. */
export function decodeLinks(bytes: Buffer, paths: number): Uint32Array {
  const read = varintReader(bytes)
  return Uint32Array.from({ length: paths }, read)
}

export function putPastPage(database: Database, kind: PastPage | 'past.links', data: Buffer): void {
  putPage(database, { kind, page: 0, data })
}

/** Throws INDEX_CORRUPT where there is none: all are there once a history was stored. */
export function readPastPage(database: Database, kind: PastPage | 'past.links'): Buffer {
  return pageAt(database)(kind, 0)
}

/** Columns of `start` positions: the positions of row n. */
function span(first: Uint32Array, n: number): readonly number[] {
  const from = first[n]!
  return Array.from({ length: first[n + 1]! - from }, (_, i) => from + i) // `first` has a row more than there are
}

class Numbering {
  readonly #numbers = new Map<string, number>()

  get size(): number {
    return this.#numbers.size
  }

  get all(): readonly string[] {
    return [...this.#numbers.keys()]
  }

  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** Reads one number a call; zeros after the end. */
function varintReader(bytes: Buffer): () => number {
  let at = 0
  return () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
}
