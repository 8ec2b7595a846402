/** Encoders that are installed, and adding one. */
import { modelHub, modelsFolders, userModelsFolder } from '../config.js'
import { modelsAtHand, type ModelFolder } from '../embed/model-folder.js'

/** Encoders that `hone index --encoder` takes, sorted by name. */
export function encodersAtHand(): readonly ModelFolder[] {
  return modelsAtHand(modelsFolders())
}

export interface AddEncoderOptions {
  /** "owner/model" on the hub; with `from`, any name. */
  readonly name: string
  /** Folder that holds its files: nothing is downloaded. */
  readonly from?: string
  /** Called before each file that is downloaded. */
  readonly onFile?: (file: string) => void
  readonly signal?: AbortSignal
}

/**
 * Adds an encoder to the user's models. The only function that uses the network, unless `from` is given.
 * Throws HoneError: ENCODER_UNKNOWN, ENCODER_UNUSABLE, MODEL_CORRUPT, ABORTED.
 */
export async function addEncoder(options: AddEncoderOptions): Promise<ModelFolder> {
  const { addModel } = await import('../embed/add-model.js') // nobody else needs it
  return addModel({ ...options, modelsFolder: userModelsFolder(), hub: modelHub() })
}
