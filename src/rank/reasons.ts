/** The strongest evidence of a rating in words. */
import type { Evidence } from '../types.js'
import type { FileView } from './signals.js'

// Three phrases say it; more are for --explain.
export const MAX_PHRASES = 3

const BETWEEN_PHRASES = '; '

export interface ReasonFacts {
  readonly view: FileView
  readonly evidence: readonly Evidence[]
  /** Words of the task the file contains, most telling first. */
  readonly words: readonly string[]
  /** Name of the best range's symbol, if any. */
  readonly symbol: string | undefined
  /** Subject of the past commit that says most of the task and touched the file; "" for none. */
  readonly subject: string
  /** Words of the task that only a bridge connects to this file, with the word of the code. */
  readonly bridges: readonly { readonly word: string; readonly to: string }[]
  readonly ranges: number
  /** What signals of the caller's own say, by their name. */
  readonly meanings: ReadonlyMap<string, string>
}

/** One line, phrases joined by "; ", strongest first. Never empty. */
export function reasonOf(facts: ReasonFacts): string {
  const phrases: string[] = []
  const add = (phrase: string | undefined): void => {
    if (phrase !== undefined && phrases.length < MAX_PHRASES && !phrases.includes(phrase))
      phrases.push(phrase)
  }
  for (const { word, to } of facts.bridges.slice(0, 1)) add(`"${word}" is closest to ${to} here`)
  add(when(facts.view.mention !== '', facts.view.mention))
  for (const { signal, effect } of facts.evidence) if (effect > 0) add(phraseFor(signal, facts))
  if (phrases.length === 0) add('similar wording')
  return phrases.join(BETWEEN_PHRASES)
}

/** The strongest evidence of a reason alone. */
export function firstPhrase(reason: string): string {
  return reason.split(BETWEEN_PHRASES)[0]! // splitting gives at least one part
}

type Phrase = (facts: ReasonFacts) => string | undefined

const listed = (names: readonly string[]): string => names.slice(0, 3).join(', ')
const when = (is: boolean, phrase: string): string | undefined => (is ? phrase : undefined)

const places: Phrase = ({ words, ranges }) => {
  if (words.length === 0) return undefined
  const about = `about ${words.slice(0, 4).join(', ')}`
  return ranges > 1 ? `${ranges} places ${about}` : about
}
const bestName: Phrase = ({ view, symbol = '' }) =>
  when(symbol !== '' && view.names.best > 0, `best match ${symbol}`)
const fileName: Phrase = ({ view }) => when(view.fileName > 0, 'file name matches')

/** By what the name of a signal begins with (signals.ts); the first that fits. Nothing to say: no phrase. */
const PHRASES: readonly (readonly [start: string, phrase: Phrase])[] = [
  ['past.', ({ subject }) => when(subject !== '', `changed in "${shownSubject(subject)}"`)],
  ['defines.', ({ view }) => when(view.definedSymbols.length > 0, `defines ${listed(view.definedSymbols)}`)],
  [
    'pointed-at',
    ({ view }) =>
      when(view.pointedAtBy.length > 0, `defines ${listed(view.pointedAtBy)}, used by a relevant file`),
  ],
  ['names.', bestName],
  ['fit.names', bestName],
  ['coverage.names', bestName],
  ['file-name.', fileName],
  ['fit.file-name', fileName],
  ['folder.', ({ view }) => when(view.folder > 0, 'folder name matches')],
  ['comment.', ({ view }) => when(view.comment.best > 0, 'comments match')],
  ['body.', places],
  ['whole-file.', places],
  ['all-fields.', places],
  ['coverage', places],
  ['deep.', ({ symbol = '' }) => (symbol === '' ? 'close in meaning' : `close in meaning: ${symbol}`)],
  ['cosine.', () => 'similar meaning'],
]

function phraseFor(signal: string, facts: ReasonFacts): string | undefined {
  return facts.meanings.get(signal) ?? PHRASES.find(([start]) => signal.startsWith(start))?.[1](facts)
}

// What git itself advises for the first line of a message.
const SHOWN_SUBJECT = 72

/** Short, and without the mark that separates phrases. */
function shownSubject(subject: string): string {
  const plain = subject.replaceAll(';', ',')
  return plain.length <= SHOWN_SUBJECT ? plain : `${plain.slice(0, SHOWN_SUBJECT - 1).trimEnd()}…`
}
