/** Past commits for reading: which files of today each touched, and the terms of its subject. */
import type { FileId } from '../types.js'
import type { Database } from './database.js'
import { namesToday } from './names-today.js'
import { decodeLinks, decodeNumbers, readPastPage, type PastPage } from './past-pages.js'
import { readHistoryRecord } from './past-writer.js'

/** Commits whose subject holds a term, once each: of term t those in `commitOf` from first[t] to first[t + 1]. */
export interface TermHolders {
  readonly first: Uint32Array
  readonly commitOf: Uint32Array
  /** How often it does. */
  readonly count: Uint16Array
  /** Commits with any term in their subject. */
  readonly subjects: number
}

export class Past {
  /** Commits, newest first; 0 where there is no history. */
  readonly commits: number
  /** Files of commit c, once each: fileOf[firstFile[c]] .. fileOf[firstFile[c + 1] - 1]. Those gone are left out. */
  readonly firstFile: Uint32Array
  readonly fileOf: Uint32Array
  /** By commit: the files it touched, those gone included. */
  readonly touched: Uint16Array
  /** Terms of the subject of commit c, with repetitions: termOf[firstTerm[c]] .. termOf[firstTerm[c + 1] - 1]. */
  readonly firstTerm: Uint32Array
  readonly termOf: Uint32Array
  readonly #commitsOf = new Map<number, number>()
  readonly #terms: ReadonlyMap<string, number>
  readonly #loadSubjects: () => Buffer
  #holders: TermHolders | undefined
  #subjects: readonly string[] | undefined

  private constructor(pages: { commits: Buffer; terms: Buffer; links: Buffer; subjects: () => Buffer }) {
    const numbers = decodeNumbers(pages.commits)
    const { ofEntry } = namesToday(numbers)
    const files = filesToday(numbers.firstFile, ofEntry, decodeLinks(pages.links, numbers.paths))
    this.commits = numbers.commits
    this.firstFile = files.firstFile
    this.fileOf = files.fileOf
    for (const id of this.fileOf) this.#commitsOf.set(id, (this.#commitsOf.get(id) ?? 0) + 1)
    this.touched = Uint16Array.from(
      { length: numbers.commits },
      (_, c) => numbers.firstFile[c + 1]! - numbers.firstFile[c]!,
    )
    this.firstTerm = numbers.firstTerm
    this.termOf = numbers.termOf
    const terms = pages.terms.toString('utf8').split('\n')
    this.#terms = new Map(terms.map((term, number) => [term, number]))
    this.#loadSubjects = pages.subjects
  }

  static load(database: Database): Past {
    const isStored = readHistoryRecord(database) !== undefined
    const page = (kind: PastPage | 'past.links'): Buffer =>
      isStored ? readPastPage(database, kind) : Buffer.alloc(0)
    return new Past({
      commits: page('past.commits'),
      terms: page('past.terms'),
      links: page('past.links'),
      subjects: () => page('past.subjects'),
    })
  }

  /** How many commits touched a file. */
  commitsOf(file: FileId): number {
    return this.#commitsOf.get(file) ?? 0
  }

  /** Number of a term in `termOf`, or undefined when no subject holds it. */
  termNumber(term: string): number | undefined {
    return this.#terms.get(term)
  }

  /** By term the commits whose subject holds it, the newest first. */
  get holders(): TermHolders {
    this.#holders ??= holdersOf(this, this.#terms.size)
    return this.#holders
  }

  subject(commit: number): string {
    this.#subjects ??= this.#loadSubjects().toString('utf8').split('\n')
    return this.#subjects[commit] ?? ''
  }

  /** Files of a commit that are there today. */
  filesOf(commit: number): readonly FileId[] {
    const files = this.fileOf.subarray(this.firstFile[commit] ?? 0, this.firstFile[commit + 1] ?? 0)
    return [...files] as FileId[]
  }
}

function filesToday(
  firstEntry: Uint32Array,
  nameOf: Uint32Array,
  links: Uint32Array,
): { readonly firstFile: Uint32Array; readonly fileOf: Uint32Array } {
  const firstFile = new Uint32Array(firstEntry.length)
  const fileOf = new Uint32Array(nameOf.length)
  let n = 0
  for (let c = 0; c + 1 < firstEntry.length; c++) {
    const start = n
    for (let f = firstEntry[c]!; f < firstEntry[c + 1]!; f++) {
      const id = links[nameOf[f]!] ?? 0
      if (id !== 0 && !fileOf.subarray(start, n).includes(id)) fileOf[n++] = id
    }
    firstFile[c + 1] = n
  }
  return { firstFile, fileOf: fileOf.slice(0, n) }
}

function holdersOf({ commits, firstTerm, termOf }: Past, terms: number): TermHolders {
  const first = new Uint32Array(terms + 1)
  const lastHolder = new Int32Array(terms).fill(-1)
  let subjects = 0
  for (let commit = 0; commit < commits; commit++) {
    const end = firstTerm[commit + 1]!
    if (firstTerm[commit]! < end) subjects++
    for (let t = firstTerm[commit]!; t < end; t++) {
      const term = termOf[t]!
      if (lastHolder[term] !== commit) first[term + 1]!++
      lastHolder[term] = commit
    }
  }
  for (let term = 0; term < terms; term++) first[term + 1]! += first[term]!
  const commitOf = new Uint32Array(first[terms]!)
  const count = new Uint16Array(first[terms]!)
  const next = first.slice()
  lastHolder.fill(-1)
  for (let commit = 0; commit < commits; commit++) {
    for (let t = firstTerm[commit]!; t < firstTerm[commit + 1]!; t++) {
      const term = termOf[t]!
      if (lastHolder[term] !== commit) commitOf[next[term]!++] = commit
      lastHolder[term] = commit
      count[next[term]! - 1]!++
    }
  }
  return { first, commitOf, count, subjects }
}
