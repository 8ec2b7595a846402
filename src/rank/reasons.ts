/** The strongest evidence of a rating in words. */
import type { Evidence } from '../types.js'
import type { FileView } from './signals.js'

// Three phrases say it; more are for --explain.
const MAX_PHRASES = 3

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
}

/** One line, phrases joined by "; ", strongest first. Never empty. */
export function reasonOf(facts: ReasonFacts): string {
  const phrases: string[] = []
  const add = (phrase: string | undefined): void => {
    if (phrase !== undefined && phrases.length < MAX_PHRASES && !phrases.includes(phrase))
      phrases.push(phrase)
  }
  for (const { word, to } of facts.bridges.slice(0, 1)) add(`"${word}" is closest to ${to} here`)
  for (const { signal, effect } of facts.evidence) if (effect > 0) add(phraseFor(signal, facts))
  if (phrases.length === 0) add('similar wording')
  return phrases.join('; ')
}

function phraseFor(
  signal: string,
  { view, words, symbol, subject, ranges }: ReasonFacts,
): string | undefined {
  const listed = words.slice(0, 4).join(', ')
  // A signal's name begins with what it is about (signals.ts).
  switch (/^[a-z-]+(\.(names|symbol|file-name|path))?/.exec(signal)?.[0]) {
    case 'past':
      return subject === '' ? undefined : `changed in "${shownSubject(subject)}"`
    case 'defines.symbol':
      return view.definedSymbols.length === 0
        ? undefined
        : `defines ${view.definedSymbols.slice(0, 3).join(', ')}`
    case 'named.path':
      return view.isNamed ? 'named in the task' : undefined
    case 'pointed-at':
      return view.pointedAtBy.length === 0
        ? undefined
        : `defines ${view.pointedAtBy.slice(0, 3).join(', ')}, used by a relevant file`
    case 'names':
    case 'fit.names':
    case 'coverage.names':
      return symbol === undefined || view.names.best === 0 ? undefined : `best match ${symbol}`
    case 'file-name':
    case 'fit.file-name':
      return view.fileName > 0 ? 'file name matches' : undefined
    case 'folder':
      return view.folder > 0 ? 'folder name matches' : undefined
    case 'comment':
      return view.comment.best > 0 ? 'comments match' : undefined
    case 'body':
    case 'whole-file':
    case 'all-fields':
    case 'coverage':
      if (listed === '') return undefined
      return ranges > 1 ? `${ranges} places about ${listed}` : `about ${listed}`
    case 'cosine':
      return 'similar meaning'
    default:
      return undefined
  }
}

// What git itself advises for the first line of a message.
const SHOWN_SUBJECT = 72

/** Short, and without the mark that separates phrases. */
function shownSubject(subject: string): string {
  const plain = subject.replaceAll(';', ',')
  return plain.length <= SHOWN_SUBJECT ? plain : `${plain.slice(0, SHOWN_SUBJECT - 1).trimEnd()}…`
}
