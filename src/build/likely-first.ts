/**
 * In what order a first build reads, where a question waits for it: files whose paths say its words come first, so that
 * what is stored when patience ends is more than the beginning of the alphabet. What is built in the end is the same.
 */
import { STOP_WORDS } from '../text/stop-words.js'
import { identifiersIn, termsOf } from '../text/words.js'
import type { WalkedFile } from '../types.js'

/** Files by how much of the question their paths say, rare words for more; the others after them, as they were. */
export function likelyFirst(files: readonly WalkedFile[], question: string): readonly WalkedFile[] {
  const asked = new Set(identifiersIn(question).filter(isTelling).flatMap(termsOf))
  if (asked.size === 0) return files
  const said = files.map(({ path }) =>
    [...new Set(identifiersIn(path).flatMap(termsOf))].filter((word) => asked.has(word)),
  )
  const worth = worthOf(said)
  return files
    .map((file, at) => ({ file, at, score: sum(said[at] ?? [], worth) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ file }) => file)
}

function isTelling(word: string): boolean {
  return !STOP_WORDS.has(word.toLowerCase())
}

/** Of each word the logarithm of one in how many paths says it: a word that all say tells nothing. */
function worthOf(said: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const paths = new Map<string, number>()
  for (const word of said.flat()) paths.set(word, (paths.get(word) ?? 0) + 1)
  return new Map([...paths].map(([word, count]) => [word, Math.log(said.length / count)]))
}

function sum(words: readonly string[], worth: ReadonlyMap<string, number>): number {
  return words.reduce((total, word) => total + (worth.get(word) ?? 0), 0)
}
