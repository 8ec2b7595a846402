/** What the deep step works with: vectors by its encoder and the model that rates by them, both loaded on first use. */
import { join } from 'node:path'
import { DEEP_ENCODER, DEEP_MODEL } from '../config.js'
import { transformerStamp } from '../embed/model-folder.js'
import type { DeepModel } from '../rank/deep-signals.js'
import { DeepVectors } from './deep-vectors.js'
import { readDeepModel } from './relevance-file.js'

// Tokens read of a text. 128 cost twice the time (docs/decisions/0009-deep-step.md).
const DEEP_TOKENS = 64

export interface DeepTools {
  readonly vectors: DeepVectors
  /** Throws MODEL_CORRUPT. */
  readonly model: () => DeepModel
}

export function deepTools(folders: {
  readonly models: string
  /** Of the index; vectors are kept there. */
  readonly index: string
  /** Of another model. Default: deep-1 of `models`. */
  readonly model?: string | undefined
}): DeepTools {
  const { models } = folders
  let model: DeepModel | undefined
  return {
    vectors: new DeepVectors(
      {
        name: `${DEEP_ENCODER}@${DEEP_TOKENS}`,
        stamp: () => transformerStamp(models, DEEP_ENCODER),
        load: async () => {
          const { loadTransformersEmbedder } = await import('../embed/transformers-embedder.js')
          return loadTransformersEmbedder(models, DEEP_ENCODER, { maxTokens: DEEP_TOKENS })
        },
      },
      folders.index,
    ),
    model: () => (model ??= readDeepModel(folders.model ?? join(models, DEEP_MODEL))),
  }
}
