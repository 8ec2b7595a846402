/** Reads a model of relevance from its folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HoneError, messageOf } from '../errors.js'
import { relevanceModel, type RelevanceModel } from '../rank/relevance.js'
import { Trees } from '../rank/trees.js'

export const TREES_FILE = 'trees.bin'

/** Throws HoneError MODEL_CORRUPT when `folder` holds no model that this code can use. */
export function readRelevanceModel(folder: string): RelevanceModel {
  const path = join(folder, TREES_FILE)
  return relevanceModel(new Trees(readBytes(path), path), path)
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new HoneError('MODEL_CORRUPT', `cannot read ${path}: ${messageOf(error)}; install hone again`, {
      cause: error,
    })
  }
}
