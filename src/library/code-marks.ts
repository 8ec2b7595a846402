/** Marking code for readers: where the words of a query stand in it, and what of it is comment. */
import { wordPlaces, type WordSpan } from '../text/word-places.js'

export type { WordSpan }

/** Offsets into a text in UTF-16 units, end excluded. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** In order, none overlapping another of its kind; a word may stand in a comment. */
export interface CodeMarks {
  readonly comments: readonly TextSpan[]
  readonly words: readonly WordSpan[]
}

/** Some lines of a file, and the words looked for (lower case, as in the query of a cycle). */
export interface MarkedExcerpt {
  /** Tells the language. */
  readonly path: string
  readonly text: string
  readonly words: readonly string[]
}

export type CodeMarker = (excerpt: MarkedExcerpt) => CodeMarks

/**
 * Loads the table of languages, and marks by it. What a comment is, is told by its markers: lines that begin in the
 * middle of one may be told wrongly.
 */
export async function codeMarker(): Promise<CodeMarker> {
  const { commentSpansOf } = await import('../chunk/comment-spans.js') // who asks without reading need not load it
  return ({ path, text, words }) => ({
    comments: commentSpansOf(path, text),
    words: wordPlaces(text, words),
  })
}
