/**
 * An encoder of a caller's own, held to what the interface promises: what it gives is checked before it is stored or
 * compared. Such an encoder is known by its name and fingerprint; hone cannot load it by itself.
 */
import { HoneError, messageOf } from '../errors.js'
import type { Embedder, EmbedOptions } from './embedder.js'

// Marks the fingerprints of callers' encoders in an index; those of hone's own are hexadecimal.
const OWN = 'own:'
// How far from 1 a length may be: half-precision floats and sums in another order stay well within.
const LENGTH_TOLERANCE = 0.01

/** Whether the encoder of this fingerprint is known to the caller alone. */
export function isOwnFingerprint(fingerprint: string): boolean {
  return fingerprint.startsWith(OWN)
}

/** The encoder with its vectors checked and copied. Throws ENCODER_UNUSABLE, here and when it embeds. */
export function ownEmbedder(embedder: Embedder): Embedder {
  const { name, dimensions, fingerprint } = embedder
  if (!isLine(name)) throw unusable(name, 'its name takes one line of text')
  if (!isLine(fingerprint)) throw unusable(name, 'its fingerprint takes one line of text')
  if (!Number.isSafeInteger(dimensions) || dimensions < 1)
    throw unusable(name, `it has ${dimensions} dimensions; that takes a whole number from 1 up`)
  if (typeof embedder.embed !== 'function') throw unusable(name, 'its embed takes a function')
  return {
    name,
    dimensions,
    fingerprint: OWN + fingerprint,
    embed: async (texts, options = {}) => {
      const vectors: unknown = await embedded(embedder, texts, options)
      if (!(vectors instanceof Float32Array)) throw unusable(name, 'it gave no Float32Array')
      checkVectors(name, vectors, { dimensions, texts: texts.length })
      return vectors.slice() // the caller may fill the same array again
    },
  }
}

async function embedded(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array> {
  try {
    return await embedder.embed(texts, options)
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    throw unusable(embedder.name, `it failed: ${messageOf(error)}`, error)
  }
}

function checkVectors(
  name: string,
  vectors: Float32Array,
  { dimensions, texts }: { readonly dimensions: number; readonly texts: number },
): void {
  if (vectors.length !== texts * dimensions) {
    const wanted = `${texts} texts take ${texts * dimensions} (${dimensions} each)`
    throw unusable(name, `it gave ${vectors.length} numbers; ${wanted}`)
  }
  for (let text = 0; text < texts; text++) {
    let square = 0
    for (let d = 0; d < dimensions; d++) square += vectors[text * dimensions + d]! ** 2 // in bounds: checked above
    const length = Math.sqrt(square)
    if (!Number.isFinite(length)) throw unusable(name, `the vector of text ${text + 1} is not finite`)
    if (length !== 0 && Math.abs(length - 1) > LENGTH_TOLERANCE)
      throw unusable(
        name,
        `the vector of text ${text + 1} has length ${length.toFixed(3)}; it takes 1, or all zeros`,
      )
  }
}

function isLine(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && !/\p{Cc}/u.test(text)
}

function unusable(name: string, why: string, cause?: unknown): HoneError {
  return new HoneError(
    'ENCODER_UNUSABLE',
    `the embedder ${JSON.stringify(name)}: ${why}`,
    cause === undefined ? {} : { cause },
  )
}
