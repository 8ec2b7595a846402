/** From the name of an encoder to the encoder. */
import { join } from 'node:path'
import type { Embedder } from '../embed/embedder.js'
import { findModel, modelsAtHand, STATIC_TABLE_FILE } from '../embed/model-folder.js'
import { StaticEmbedder } from '../embed/static-embedder.js'
import { StaticTable } from '../embed/static-table.js'
import { DEFAULTS, MODELS_FOLDER } from '../config.js'
import { HoneError } from '../errors.js'

/** Loads any encoder by name, from the first folder that has it. Throws ENCODER_UNKNOWN, ENCODER_UNUSABLE or MODEL_CORRUPT. */
export async function loadEncoder(modelsFolders: readonly string[], name: string): Promise<Embedder> {
  const modelsFolder = modelsFolders.find((folder) => findModel([folder], name) !== undefined)
  if (modelsFolder === undefined) throw unknownEncoder(modelsFolders, name)
  if (findModel([modelsFolder], name)?.kind === 'static') return loadStaticEmbedder(modelsFolder, name)
  const { loadTransformersEmbedder } = await import('../embed/transformers-embedder.js')
  return loadTransformersEmbedder(modelsFolder, name)
}

/** Loads an encoder from `folder`/`name`. Throws ENCODER_UNKNOWN or MODEL_CORRUPT. */
export function loadStaticEmbedder(modelsFolder: string, name: string): StaticEmbedder {
  const model = findModel([modelsFolder], name)
  if (model?.kind !== 'static') throw unknownEncoder([modelsFolder], name)
  return new StaticEmbedder(name, new StaticTable(join(model.folder, STATIC_TABLE_FILE)))
}

// A table is read once for each encoder it stands beside: 13 MB, asked for by every refresh that finds something changed.
const beside = new WeakMap<Embedder, StaticEmbedder>()

/** The word vectors beside an encoder, for titles and single words: itself where it is made of such, else the default's. */
export function wordsBeside(encoder: Embedder): StaticEmbedder {
  if (encoder instanceof StaticEmbedder) return encoder
  const known = beside.get(encoder) ?? loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
  beside.set(encoder, known)
  return known
}

function unknownEncoder(modelsFolders: readonly string[], name: string): HoneError {
  const names = modelsAtHand(modelsFolders).map((model) => model.name)
  return new HoneError(
    'ENCODER_UNKNOWN',
    `no encoder "${name}"; at hand: ${names.join(', ')}; hone models add gets more`,
  )
}
