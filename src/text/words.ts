/**
 * From text to identifiers, from identifiers to words. The one place that decides what a word is:
 * the keyword index, the static embedding and the query all use it, so that they always agree.
 */
import { stemmer } from 'stemmer'

// Runs of word characters; everything beyond ASCII counts as one (scripts are told apart in partsOf), but for blanks,
// dashes and quotation marks. "-" and "." separate: "rate-limit" is two words, and both stay adjacent.
const IDENTIFIER = /[A-Za-z0-9_$\u00aa-\u1fff\u200c\u200d\u2070-\u2fff\u3005-\uffff]+/g
// camelCase, PascalCase, acronyms ("HTTPServer" -> HTTP, Server), digits stay with the letters before ("utf8").
const PART = /\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+\d*|\p{Lu}\d*|\d+/gu
const ASCII_PART = /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g
// Scripts written without spaces between words: matched by overlapping pairs of characters.
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu
const NON_ASCII = /[^\x00-\x7f]/

/** Longest identifier taken in, in UTF-16 units. Longer ones are hashes, base64 or keys, never words. */
export const MAX_IDENTIFIER = 64

/** All identifiers of `text` in order, with repetitions. Identifiers longer than MAX_IDENTIFIER are left out. */
export function identifiersIn(text: string): readonly string[] {
  const found = text.match(IDENTIFIER)
  if (found === null) return []
  return found.some((id) => id.length > MAX_IDENTIFIER)
    ? found.filter((id) => id.length <= MAX_IDENTIFIER || hasUnspacedRun(id))
    : found
}

/** A piece of a text as it is written, and the offset where it stands. */
export interface Piece {
  readonly word: string
  readonly at: number
}

/** The identifiers of `identifiersIn`, with their places. */
export function identifierPlaces(text: string): readonly Piece[] {
  return [...text.matchAll(IDENTIFIER)]
    .map(({ 0: word, index }) => ({ word, at: index }))
    .filter(({ word }) => word.length <= MAX_IDENTIFIER || hasUnspacedRun(word))
}

/** The parts of `partsOf` as they are written, with their places in the identifier. */
export function partPlaces(identifier: string): readonly Piece[] {
  if (!NON_ASCII.test(identifier)) return pieces(identifier, ASCII_PART)
  const runs = [...identifier.matchAll(UNSPACED_RUN)]
  const between = identifier.replace(UNSPACED_RUN, (run) => ' '.repeat(run.length))
  return [...pieces(between, PART), ...runs.flatMap(({ 0: run, index }) => pairPlaces(run, index))].sort(
    (a, b) => a.at - b.at,
  )
}

function pieces(text: string, pattern: RegExp): readonly Piece[] {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ word, at: index }))
}

function pairPlaces(run: string, from: number): readonly Piece[] {
  let at = from
  const characters = Array.from(run, (character) => {
    const piece = { word: character, at }
    at += character.length
    return piece
  })
  if (characters.length === 1) return characters
  return characters.slice(1).map(({ word }, i) => {
    const before = characters[i]! // one before each
    return { word: before.word + word, at: before.at }
  })
}

/** Lower-case words of one identifier: "parseHTTPHeader_v2" -> parse, http, header, v2. */
export function partsOf(identifier: string): readonly string[] {
  if (!NON_ASCII.test(identifier)) return (identifier.match(ASCII_PART) ?? []).map((p) => p.toLowerCase())
  return unicodeParts(identifier.normalize('NFKC'))
}

/** The whole identifier as one lower-case word without separators: "rate_limit" and "rateLimit" -> ratelimit. */
export function joinedForm(identifier: string): string {
  const plain = NON_ASCII.test(identifier) ? identifier.normalize('NFKC') : identifier
  return plain.replace(/[_$]/g, '').toLowerCase()
}

/** Porter stem of a lower-case ASCII word; other words and words of up to three letters stay as they are. */
export function stem(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word
}

/** What the keyword index stores for one identifier: stems of its parts, and its joined form when it has several. */
export function termsOf(identifier: string): readonly string[] {
  const parts = partsOf(identifier)
  const terms = parts.map(stem)
  if (parts.length > 1 && identifier.length <= MAX_IDENTIFIER && !hasUnspacedRun(identifier)) {
    terms.push(stem(joinedForm(identifier)))
  }
  return terms
}

/** The term under which an identifier as a whole is found: its joined form, stemmed. */
export function wholeTermOf(identifier: string): string {
  const parts = partsOf(identifier)
  return stem(parts.length > 1 ? joinedForm(identifier) : (parts[0] ?? ''))
}

function hasUnspacedRun(text: string): boolean {
  return NON_ASCII.test(text) && text.search(UNSPACED_RUN) >= 0
}

/** Whether a term is one character of a script that is matched by pairs of them. */
export function isUnspacedCharacter(term: string): boolean {
  return hasUnspacedRun(term) && Array.from(term).length === 1
}

function unicodeParts(identifier: string): readonly string[] {
  const parts: (readonly string[])[] = []
  let from = 0
  for (const run of identifier.matchAll(UNSPACED_RUN)) {
    parts.push(spacedParts(identifier.slice(from, run.index)), pairs(run[0]))
    from = run.index + run[0].length
  }
  parts.push(spacedParts(identifier.slice(from)))
  return parts.flat() // not push(...): a line of Chinese may have more characters than a call takes arguments
}

function spacedParts(text: string): readonly string[] {
  return (text.match(PART) ?? []).map((p) => p.toLowerCase())
}

function pairs(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`)
}
