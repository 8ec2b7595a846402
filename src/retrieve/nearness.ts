/** How near a word or name is to the task, by the word table. */
import type { StaticEmbedder } from '../embed/static-embedder.js'
import { dot } from '../vector/arithmetic.js'

/** Cosine of a word or identifier with the task, -1..1; 0 for one without known words. */
export type Nearness = (name: string) => number

/** Remembers what it was asked. */
export function nearnessTo(words: StaticEmbedder, task: string): Nearness {
  const query = words.embedNow([task])
  const known = new Map<string, number>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const cosine = dot(query, words.embedNow([name]))
    known.set(name, cosine)
    return cosine
  }
}
