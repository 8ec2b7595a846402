/**
 * Which terms each segment of the posting lists holds, as fingerprints. A posting list that SQLite does not find, its
 * key or the way to it damaged, would otherwise look like a word that is nowhere; and a word that is nowhere is known to
 * be so without asking SQLite.
 *
 * The terms of a segment are cut by one hash into parts of about 256, a page each (kind "terms.LIST.SEGMENT"); a part
 * holds another hash of each of its terms, ascending.
 */
import { pageAt, putPage } from './columns.js'
import type { Database, Statement } from './database.js'
import type { ListName, TermParts } from './posting-lists.js'

// A part is read whole: 1 KB.
const TERMS_PER_PART = 256

// Two hashes that have nothing to do with each other: FNV-1a with two bases and primes.
const PART_HASH = { basis: 0x811c9dc5, prime: 0x01000193 } as const
const FINGERPRINT = { basis: 0x9747b28c, prime: 0x85ebca6b } as const

export class TermDirectory {
  readonly #parts = new Map<string, (Uint32Array | undefined)[]>()
  readonly #page: ReturnType<typeof pageAt>

  constructor(
    readonly database: Database,
    readonly terms: TermParts,
  ) {
    this.#page = pageAt(database)
  }

  /** Segments in which a list has a term; one in 2^24 may be told wrongly (see `isOnlyAlike`). Ascending. */
  segmentsOf(list: ListName, term: string): readonly number[] {
    const part = hashOf(term, PART_HASH)
    const fingerprint = hashOf(term, FINGERPRINT)
    const found: number[] = []
    for (let segment = 0; segment < this.terms.length; segment++) {
      const { [list]: parts } = this.terms[segment]! // below the length
      if (parts > 0 && holds(this.#part(list, segment, part & (parts - 1)), fingerprint)) found.push(segment)
    }
    return found
  }

  /** Terms of a list in all segments, once for each segment that holds them. */
  count(list: ListName): number {
    let terms = 0
    this.terms.forEach(({ [list]: parts }, segment) => {
      for (let part = 0; part < parts; part++) terms += this.#part(list, segment, part).length
    })
    return terms
  }

  /** Whether a term that is not found in a segment was taken to be there for others that have its fingerprint. Slow. */
  isOnlyAlike(list: ListName, segment: number, term: string): boolean {
    const stored: Statement = this.database
      .prepare('select term from postings where list = ? and segment = ?')
      .pluck()
    const parts = this.terms[segment]?.[list] ?? 0
    const part = hashOf(term, PART_HASH) & (parts - 1)
    const fingerprint = hashOf(term, FINGERPRINT)
    const alike = stored.all(list, segment).filter(
      (other) =>
        typeof other === 'string' && // one tipped bit makes it bytes
        other !== term &&
        (hashOf(other, PART_HASH) & (parts - 1)) === part &&
        hashOf(other, FINGERPRINT) === fingerprint,
    )
    return this.#part(list, segment, part).filter((known) => known === fingerprint).length === alike.length
  }

  #part(list: ListName, segment: number, part: number): Uint32Array {
    const kind = kindOf(list, segment)
    let parts = this.#parts.get(kind)
    if (parts === undefined) this.#parts.set(kind, (parts = []))
    return (parts[part] ??= numbersOf(this.#page(kind, part)))
  }
}

/** Writes down the terms of a segment; returns into how many parts. */
export function putTerms(
  database: Database,
  {
    list,
    segment,
    terms,
  }: { readonly list: ListName; readonly segment: number; readonly terms: readonly string[] },
): number {
  if (terms.length === 0) return 0
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2(terms.length / TERMS_PER_PART)))
  const fingerprints = Array.from({ length: parts }, (): number[] => [])
  for (const term of terms)
    fingerprints[hashOf(term, PART_HASH) & (parts - 1)]!.push(hashOf(term, FINGERPRINT)) // below `parts`
  fingerprints.forEach((numbers, page) => {
    const data = Buffer.from(Uint32Array.from(numbers).sort().buffer)
    putPage(database, { kind: kindOf(list, segment), page, data })
  })
  return parts
}

/** Forgets the terms of all segments. */
export function dropTerms(database: Database): void {
  database.prepare("delete from pages where kind >= 'terms.' and kind < 'terms/'").run() // "/" comes after "."
}

function kindOf(list: ListName, segment: number): string {
  return `terms.${list}.${segment}`
}

function holds(ascending: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return ascending[low] === wanted
}

function numbersOf(data: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(data).buffer) // a copy, aligned
}

/** 32 bits, mixed to the last (MurmurHash3's finalizer). */
function hashOf(term: string, { basis, prime }: { readonly basis: number; readonly prime: number }): number {
  let hash = basis
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), prime)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
