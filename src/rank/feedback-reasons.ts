/** The strongest evidence of a rating by feedback in words: which confirmed file speaks for this one, and why. */
import type { Evidence } from '../types.js'
import type { FeedbackView } from './feedback-signals.js'
import { MAX_PHRASES } from './reasons.js'

/** Phrases joined by "; ", strongest first. Never empty. */
export function feedbackReason(
  view: FeedbackView,
  evidence: readonly Evidence[],
  said: {
    /** What the loop itself says for the file. */
    readonly own: string
    /** What signals of the caller's own say, by their name. */
    readonly meanings: ReadonlyMap<string, string>
  },
): string {
  const phrases: string[] = []
  const add = (all: readonly string[]): void => {
    for (const phrase of all)
      if (phrases.length < MAX_PHRASES && !phrases.includes(phrase)) phrases.push(phrase)
  }
  for (const { signal, effect } of evidence) {
    const meaning = said.meanings.get(signal)
    if (effect > 0) add(meaning === undefined ? phrasesFor(signal, view) : [meaning])
  }
  add(said.own.split('; '))
  return phrases.join('; ')
}

type Phrase = (view: FeedbackView) => string | undefined

const changed: Phrase = ({ together, grounds }) => {
  if (grounds.changedWith === undefined) return undefined
  const times = together.commits === 1 ? 'once' : `${together.commits} times`
  return `changed together with ${grounds.changedWith} ${times}`
}
const like: Phrase = ({ grounds }) =>
  grounds.likest === undefined ? undefined : `like ${grounds.likest}, which you confirmed`
const used: Phrase = ({ grounds: { used: link } }) =>
  link === undefined ? undefined : `defines ${link.name}, used by ${link.path}`
const uses: Phrase = ({ grounds: { uses: link } }) =>
  link === undefined ? undefined : `uses ${link.name} of ${link.path}`
const named: Phrase = ({ grounds, isTestPair, facts }) => {
  if (grounds.sameStem === undefined) return undefined
  if (!isTestPair) return `named like ${grounds.sameStem}`
  return facts.isTest ? `tests ${grounds.sameStem}` : `tested by ${grounds.sameStem}`
}
const beside: Phrase = ({ grounds }) =>
  grounds.beside === undefined ? undefined : `beside ${grounds.beside}`

/** By what the name of a signal begins with (feedback-signals.ts); the first that fits. */
const PHRASES: readonly (readonly [start: string, phrases: readonly Phrase[]])[] = [
  ['together', [changed]],
  ['references.used', [used]],
  ['references.uses', [uses]],
  ['references', [used, uses]],
  ['like', [like]],
  ['moved', [like]],
  ['told', [like]],
  ['place.beside', [beside]],
  ['place.near', [beside]],
  ['place', [named]],
]

function phrasesFor(signal: string, view: FeedbackView): readonly string[] {
  const phrases = PHRASES.find(([start]) => signal.startsWith(start))?.[1] ?? []
  return phrases.flatMap((phrase) => phrase(view) ?? []).slice(0, 1)
}
