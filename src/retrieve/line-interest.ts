/** What makes a line worth showing: the words of the task in it, and the name that it defines. */
import { identifiersIn, termsOf } from '../text/words.js'
import type { Interest } from './excerpt.js'

/** A term of the keyword index and what it is worth. */
export interface Wanted {
  readonly term: string
  readonly worth: number
}

/** `interestIn(wanted, symbol)` of one answer; remembers the words of the identifiers it met. */
export function lineInterest(): (wanted: readonly Wanted[], symbol: string | undefined) => Interest {
  const known = new Map<string, readonly string[]>()
  const terms = (identifier: string): readonly string[] => {
    const before = known.get(identifier)
    if (before !== undefined) return before
    const own = termsOf(identifier)
    known.set(identifier, own)
    return own
  }
  return (wanted, symbol) => {
    const worth = new Map(wanted.map((one) => [one.term, one.worth]))
    const name = symbol?.split('.').at(-1)
    // The line that names a symbol says what it is: as much as the word that tells most.
    const nameWorth = Math.max(0, ...worth.values()) || 1
    return (line) => {
      const held = new Map<string, number>()
      for (const identifier of identifiersIn(line)) {
        if (identifier === name) held.set(`name ${name}`, nameWorth)
        for (const term of terms(identifier)) {
          const own = worth.get(term)
          if (own !== undefined) held.set(term, own)
        }
      }
      return held
    }
  }
}
