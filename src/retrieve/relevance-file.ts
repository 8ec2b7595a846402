/** Reads models of relevance from their folders. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HoneError, messageOf } from '../errors.js'
import { deepModel, type DeepModel } from '../rank/deep-signals.js'
import { feedbackModel, type FeedbackModel } from '../rank/feedback.js'
import { relevanceModel, type RelevanceModel } from '../rank/relevance.js'
import { Trees } from '../rank/trees.js'

export const TREES_FILE = 'trees.bin'

/** Throws HoneError MODEL_CORRUPT when `folder` holds no model that this code can use. */
export function readRelevanceModel(folder: string): RelevanceModel {
  return readTrees(folder, relevanceModel)
}

/** The same for the model of the deep step. */
export function readDeepModel(folder: string): DeepModel {
  return readTrees(folder, deepModel)
}

/** The same for the model that judgements are used with. */
export function readFeedbackModel(folder: string): FeedbackModel {
  return readTrees(folder, feedbackModel)
}

function readTrees<Model>(folder: string, modelOf: (trees: Trees, path: string) => Model): Model {
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
