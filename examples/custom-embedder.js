/**
 * Indexing and asking with an `Embedder` of your own: anything that turns texts into vectors of length 1. The index keeps
 * its name and fingerprint, and opens with that embedder alone. What it gives is checked: a wrong vector is an error.
 */
import { buildIndex, openIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

const DIMENSIONS = 512

/** Counts letter triples, hashed: a toy that shows the interface. @type {import('hone-code').Embedder} */
const triples = {
  name: 'letter-triples',
  dimensions: DIMENSIONS,
  fingerprint: '1', // change it whenever the vectors would change
  embed: async (texts, { signal } = {}) => {
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
    })
    return out
  },
}

const root = folderToAsk()
await buildIndex({ root, embedder: triples }) // `watchIndex` takes it too
const index = await openIndex({ root, embedder: triples })
console.log(
  `${index.status.files} files, encoder ${index.status.encoder}, ${index.status.dimensions} dimensions`,
)
const { files } = await index.retrieve({ task: 'webhook deliveries and backoff delays' })
for (const { path, relevance } of files) console.log(`${relevance.toFixed(2)} ${path}`)
index.close()

try {
  await openIndex({ root })
} catch (error) {
  console.log(`without it: ${error.code}`)
}
