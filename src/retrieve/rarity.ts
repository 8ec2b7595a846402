/** What counts as rare in a repository. */
import { wholeTermOf } from '../text/words.js'
import type { Vocabulary } from './vocabulary.js'

// A word in more chunks than this share of the repository is plumbing and points nowhere ...
const RARE_SHARE = 0.03
// ... but in a small repository a few mentions are always allowed.
const RARE_LEAST = 12

/** Whether few chunks of the index hold the term; one that none holds is rare, too. */
export function isRare(term: string, vocabulary: Vocabulary): boolean {
  return vocabulary.frequency(term) <= Math.max(RARE_LEAST, vocabulary.index.liveChunks * RARE_SHARE)
}

/** The same of a name as written in code. */
export function isRareName(name: string, vocabulary: Vocabulary): boolean {
  return isRare(wholeTermOf(name), vocabulary)
}
