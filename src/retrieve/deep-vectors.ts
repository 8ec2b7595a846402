/**
 * Vectors of texts by the encoder of the deep step. What is kept from before costs nothing, not even loading the
 * encoder; it is loaded for the first text that is not.
 */
import { VERSION } from '../config.js'
import { sha256 } from '../digest.js'
import type { Embedder } from '../embed/embedder.js'
import { HoneError } from '../errors.js'
import { openVectorCache, type VectorCache } from '../store/vector-cache.js'

export interface DeepEncoder {
  readonly name: string
  /** Equal for equal files of the encoder (`transformerStamp`); undefined where it is not installed. */
  readonly stamp: () => string | undefined
  /** Throws ENCODER_UNKNOWN, ENCODER_UNUSABLE or MODEL_CORRUPT. */
  readonly load: () => Promise<Embedder>
}

export class DeepVectors {
  #cache: VectorCache | undefined
  #embedder: Promise<Embedder> | undefined

  /** `folder` of the index, where vectors are kept. */
  constructor(
    readonly encoder: DeepEncoder,
    readonly folder: string,
  ) {}

  /** One vector for each text, in order. Throws what loading the encoder does. */
  async of(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const cache = (this.#cache ??= openVectorCache(this.folder))
    const noted = this.#embedder === undefined ? this.#notedFingerprint(cache) : undefined
    const kept = noted === undefined ? undefined : allOf(cache, keysOf(texts, noted))
    return kept ?? this.#withEncoder(texts, cache, signal)
  }

  async #withEncoder(
    texts: readonly string[],
    cache: VectorCache,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const embedder = await this.#load(cache)
    const keys = keysOf(texts, embedder.fingerprint)
    const vectors = new Map(cache.get(keys))
    const missing = new Map(keys.map((key, t) => [key, texts[t]!] as const)) // a key for each text
    for (const key of vectors.keys()) missing.delete(key)
    const { dimensions } = embedder
    const made = await embedder.embed([...missing.values()], signal === undefined ? {} : { signal })
    const added = [...missing.keys()].map((key, m) => ({
      key,
      vector: made.slice(m * dimensions, (m + 1) * dimensions),
    }))
    cache.put(added)
    for (const { key, vector } of added) vectors.set(key, vector)
    return keys.map((key) => vectors.get(key)!) // kept or made above
  }

  close(): void {
    this.#cache?.close()
    this.#cache = undefined
  }

  /** Loads the encoder once; one that failed is tried again by the next query. */
  #load(cache: VectorCache): Promise<Embedder> {
    this.#embedder ??= this.encoder.load().then(
      (embedder) => {
        const stamp = this.#noteName()
        if (stamp !== undefined) cache.setNote(stamp, embedder.fingerprint)
        return embedder
      },
      (error: unknown) => {
        this.#embedder = undefined
        throw error
      },
    )
    return this.#embedder
  }

  #notedFingerprint(cache: VectorCache): string | undefined {
    const name = this.#noteName()
    return name === undefined ? undefined : cache.note(name)
  }

  /** Under what the fingerprint of these very files is noted. */
  #noteName(): string | undefined {
    const stamp = this.encoder.stamp()
    return stamp === undefined ? undefined : `${this.encoder.name} ${VERSION} ${stamp}`
  }
}

function keysOf(texts: readonly string[], fingerprint: string): readonly string[] {
  return texts.map((text) => sha256(`${fingerprint}\0${text}`))
}

/** The vectors of all keys, or undefined when one is not kept. */
function allOf(cache: VectorCache, keys: readonly string[]): readonly Float32Array[] | undefined {
  const kept = cache.get(keys)
  return keys.every((key) => kept.has(key)) ? keys.map((key) => kept.get(key)!) : undefined
}

/** Why the encoder cannot be had, or undefined for an error that is about something else. */
export function whyUnavailable(error: unknown): string | undefined {
  if (!(error instanceof HoneError)) return undefined
  return ['ENCODER_UNKNOWN', 'ENCODER_UNUSABLE', 'MODEL_CORRUPT'].includes(error.code)
    ? error.message
    : undefined
}
