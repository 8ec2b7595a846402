/** Where words stand in a text, counted as the keyword index counts them: by part of an identifier, and by stem. */
import { identifierPlaces, joinedForm, partPlaces, stem } from './words.js'

export interface WordSpan {
  /** Offsets in UTF-16 units, end excluded. */
  readonly start: number
  readonly end: number
  /** The word looked for, as it was given. */
  readonly word: string
}

/**
 * All places of the words (lower case, as in the query of a cycle), in order and none overlapping another: the part of
 * an identifier that has the stem, or an identifier as a whole where its parts together are the word ("rate_limit" for
 * ratelimit).
 */
export function wordPlaces(text: string, words: readonly string[]): readonly WordSpan[] {
  const wanted = new Map(words.map((word) => [stem(word), word]))
  if (wanted.size === 0) return []
  const spans = identifierPlaces(text).flatMap(({ word: identifier, at }) => {
    const parts = partPlaces(identifier)
    const whole = parts.length > 1 ? wanted.get(stem(joinedForm(identifier))) : undefined
    if (whole !== undefined) return [{ start: at, end: at + identifier.length, word: whole }]
    return parts.flatMap((part): readonly WordSpan[] => {
      const word = wanted.get(stem(part.word.normalize('NFKC').toLowerCase()))
      const start = at + part.at
      return word === undefined ? [] : [{ start, end: start + part.word.length, word }]
    })
  })
  return withoutOverlaps(spans)
}

/** Words of scripts without spaces overlap: what the one before has is taken from the next. */
function withoutOverlaps(spans: readonly WordSpan[]): readonly WordSpan[] {
  let taken = 0
  return spans.flatMap((span) => {
    const start = Math.max(span.start, taken)
    taken = Math.max(taken, span.end)
    return start < span.end ? [{ ...span, start }] : []
  })
}
