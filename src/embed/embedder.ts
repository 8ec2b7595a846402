/** Turning texts into vectors. Every encoder, fast or slow, local word table or transformer, is one of these. */

export interface EmbedOptions {
  readonly signal?: AbortSignal
  /** Called after each batch with texts done so far and in all. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface Embedder {
  /** Short name, e.g. "hone-static-1". */
  readonly name: string
  readonly dimensions: number
  /** Changes whenever vectors would: a digest of weights and settings, hex. */
  readonly fingerprint: string
  /**
   * One vector of length 1 for each text (all zeros for a text without known words), row-major,
   * texts.length x dimensions. A text's vector does not depend on the other texts of the call.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array>
}
