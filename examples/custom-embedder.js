/**
 * An `Embedder` of your own: anything that turns texts into vectors of length 1. hone finds the files; this orders their
 * ranges by its own vectors. (To index with another encoder, add a model instead: hone models add.)
 */
import { buildIndex, openIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

const DIMENSIONS = 512

/** Counts letter triples, hashed: a toy that shows the interface. @type {import('hone-code').Embedder} */
const triples = {
  name: 'triples',
  dimensions: DIMENSIONS,
  fingerprint: '1',
  embed: async (texts, { signal, onProgress } = {}) => {
    const out = new Float32Array(texts.length * DIMENSIONS)
    texts.forEach((text, row) => {
      signal?.throwIfAborted()
      const vector = out.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)
      const letters = text.toLowerCase()
      for (let i = 0; i + 3 <= letters.length; i++) {
        let hash = 0
        for (let j = i; j < i + 3; j++) hash = (hash * 31 + letters.charCodeAt(j)) % DIMENSIONS
        vector[hash] += 1
      }
      const length = Math.hypot(...vector)
      if (length > 0) vector.forEach((x, d) => (vector[d] = x / length))
      onProgress?.(row + 1, texts.length)
    })
    return out
  },
}

const root = folderToAsk()
await buildIndex({ root })
const index = await openIndex({ root })
const task = 'webhook deliveries and backoff delays'
const { files } = await index.retrieve({ task, withText: true, minRelevance: 0 })
const ranges = files.flatMap(({ path, ranges: all }) =>
  all.map(({ start, text = '' }) => ({ place: `${path}:${start}`, text })),
)
const vectors = await triples.embed([task, ...ranges.map(({ text }) => text)])
const dot = (row) => {
  let sum = 0
  for (let d = 0; d < DIMENSIONS; d++) sum += vectors[d] * vectors[(row + 1) * DIMENSIONS + d]
  return sum
}
const ordered = ranges
  .map(({ place }, row) => ({ place, similarity: dot(row) }))
  .sort((a, b) => b.similarity - a.similarity)
for (const { place, similarity } of ordered.slice(0, 5)) console.log(`${similarity.toFixed(2)} ${place}`)
index.close()
