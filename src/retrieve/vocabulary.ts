/**
 * The words an index holds: how often, how rare, and which of them is nearest to a word it does not hold.
 */
import type { StaticTable } from '../embed/static-table.js'
import { idf } from '../rank/bm25.js'
import type { IndexReader } from '../store/index-reader.js'
import { stem } from '../text/words.js'
import type { Bridge } from '../types.js'

// Cosine from which two words count as alike: of random pairs of the table one in a hundred reaches it
// (docs/decisions/0006-static-embedding.md).
const NEAR = 0.45
// More targets than this bring noise faster than finds.
const MAX_TARGETS = 3
// Shorter words are too ambiguous to bridge.
const MIN_LETTERS = 3

export class Vocabulary {
  readonly #frequencies = new Map<string, number>()

  constructor(
    readonly index: IndexReader,
    readonly table: StaticTable | undefined,
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

  /** For each word the nearest words of the index, where any is near. Words without a vector have no bridge. */
  bridge(words: readonly string[]): readonly Bridge[] {
    const { table } = this
    if (table === undefined) return []
    return words.flatMap((word) => {
      const row = table.rowOf(word)
      if (row === undefined || word.length < MIN_LETTERS) return []
      const nearest = this.#nearestKnown(table, row)
      const first = nearest[0]
      return first === undefined
        ? []
        : [{ word, to: nearest.map((n) => n.word), similarity: first.similarity }]
    })
  }

  #nearestKnown(table: StaticTable, row: number): readonly NearWord[] {
    const near: NearWord[] = []
    table.similarities(row).forEach((similarity, other) => {
      if (similarity >= NEAR && other !== row) near.push({ word: table.word(other), similarity })
    })
    near.sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
    const stems = new Set<string>()
    const known: NearWord[] = []
    for (const { word, similarity } of near) {
      if (known.length === MAX_TARGETS) break
      const term = stem(word)
      if (word.length < MIN_LETTERS || stems.has(term) || this.frequency(term) === 0) continue
      stems.add(term)
      known.push({ word, similarity: Math.round(similarity * 100) / 100 })
    }
    return known
  }
}

interface NearWord {
  readonly word: string
  readonly similarity: number
}
