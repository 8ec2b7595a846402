/** Reads a model from its folder: of relevance, or of feedback. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HoneError, messageOf } from '../errors.js'
import { feedbackModel, type FeedbackModel } from '../rank/feedback.js'
import { relevanceModel, type RelevanceModel } from '../rank/relevance.js'
import { Trees } from '../rank/trees.js'

export const TREES_FILE = 'trees.bin'

/** Throws HoneError MODEL_CORRUPT when `folder` holds no model that this code can use. */
export function readRelevanceModel(folder: string): RelevanceModel {
  return readModel(folder, relevanceModel)
}

/** The same for the model that judgements are used with. */
export function readFeedbackModel(folder: string): FeedbackModel {
  return readModel(folder, feedbackModel)
}

function readModel<Model>(folder: string, modelOf: (trees: Trees, path: string) => Model): Model {
  const path = join(folder, TREES_FILE)
  return modelOf(new Trees(readBytes(path), path), path)
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
