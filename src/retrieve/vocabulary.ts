/**
 * The words an index holds: how often and how rare; and the vectors of all words there are.
 */
import type { StaticTable } from '../embed/static-table.js'
import { idf } from '../rank/bm25.js'
import type { IndexReader } from '../store/index-reader.js'

export class Vocabulary {
  readonly #frequencies = new Map<string, number>()

  constructor(
    readonly index: IndexReader,
    readonly table: StaticTable,
  ) {}

  /** Number of live chunks that hold `term` in any field. */
  frequency(term: string): number {
    const known = this.#frequencies.get(term)
    if (known !== undefined) return known
    const { ids, length } = this.index.postings('chunks', term)
    const { fileOf } = this.index.documents
    let live = 0
    for (let i = 0; i < length; i++) if (fileOf[ids[i]!]! > 0) live++ // every posting has a row in the columns
    this.#frequencies.set(term, live)
    return live
  }

  idf(term: string): number {
    return idf(this.index.liveChunks, this.frequency(term))
  }
}
