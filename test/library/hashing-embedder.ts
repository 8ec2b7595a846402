/** An encoder of a caller's own, for tests: words hashed into few dimensions; other seeds give other vectors. */
import type { Embedder } from '../../src/index.js'

export interface HashingEmbedder extends Embedder {
  /** Texts it was given, in order. */
  readonly texts: string[]
}

export function hashingEmbedder(
  change: Partial<Embedder> & { readonly seed?: number } = {},
): HashingEmbedder {
  const { seed = 7, ...own } = change
  const dimensions = own.dimensions ?? 64
  const texts: string[] = []
  return {
    name: 'hashed-words',
    dimensions,
    fingerprint: `seed ${seed}`,
    texts,
    embed: (given, { signal } = {}) => {
      signal?.throwIfAborted()
      texts.push(...given)
      const vectors = new Float32Array(given.length * dimensions)
      given.forEach((text, t) => {
        fill(vectors.subarray(t * dimensions, (t + 1) * dimensions), text, seed)
      })
      return Promise.resolve(vectors)
    },
    ...own,
  }
}

function fill(vector: Float32Array, text: string, seed: number): void {
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = seed
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521
    vector[hash % vector.length]! += 1 // a remainder is in bounds
  }
  const length = Math.hypot(...vector)
  if (length > 0) for (let d = 0; d < vector.length; d++) vector[d]! /= length
}
