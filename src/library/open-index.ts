/** Opening an index as a caller asks for it: which models, and whether it is refreshed first. */
import { join, resolve } from 'node:path'
import { indexFolderOf } from '../build/index-folder.js'
import { FEEDBACK_MODEL, MODELS_FOLDER, RELEVANCE_MODEL } from '../config.js'
import type { Embedder } from '../embed/embedder.js'
import { ownEmbedder } from '../embed/own-embedder.js'
import { asAborted, stopIfAborted } from '../errors.js'
import { checkCustomSignals } from '../rank/custom-signals.js'
import type { FeedbackModel } from '../rank/feedback.js'
import { deepTools } from '../retrieve/deep-tools.js'
import { readFeedbackModel, readRelevanceModel } from '../retrieve/relevance-file.js'
import type { CustomSignal } from '../types.js'
import { askGit } from '../walk/walk.js'
import { HoneIndex } from './hone-index.js'
import { open, type Tools } from './opened.js'

export interface OpenOptions {
  readonly root: string
  /** Take in what changed since, as `refresh()` does. Default false. */
  readonly refresh?: boolean
  /**
   * The encoder of your own that the index was built with. Without it such an index cannot be opened; an index of
   * another encoder cannot be opened with it.
   */
  readonly embedder?: Embedder
  /** Signals of your own, for every task asked of this index. */
  readonly signals?: readonly CustomSignal[]
  /** Folder of another model of relevance. Default: models/relevance-1 of this package. */
  readonly relevanceModel?: string
  /** Folder of another model of the deep step. Default: models/deep-1 of this package. */
  readonly deepModel?: string
  /** Folder of another model of feedback, read with the first judgements. Default: models/feedback-1 of this package. */
  readonly feedbackModel?: string
  /**
   * Where there is no index, open what an unfinished first build has stored so far (its first files, by path). Such an
   * index does not grow, cannot be refreshed and has no history; open again for more. Default false.
   */
  readonly allowPartial?: boolean
  /** Stops the refresh; the index stays as it was or is what the refresh made of it. */
  readonly signal?: AbortSignal
}

/**
 * Opens the index of `root`. Throws HoneError: INDEX_MISSING, INDEX_VERSION, INDEX_CORRUPT, INDEX_ENCODER,
 * MODEL_CORRUPT, SIGNAL_INVALID, ENCODER_UNUSABLE, ABORTED.
 */
export async function openIndex(options: OpenOptions): Promise<HoneIndex> {
  const root = resolve(options.root)
  const folder = indexFolderOf(root)
  const { allowPartial = false, signals = [], embedder, signal } = options
  stopIfAborted(signal)
  checkCustomSignals(signals)
  const tools: Tools = {
    model: readRelevanceModel(options.relevanceModel ?? join(MODELS_FOLDER, RELEVANCE_MODEL)),
    feedback: feedbackReader(options.feedbackModel ?? join(MODELS_FOLDER, FEEDBACK_MODEL)),
    deep: deepTools({ models: MODELS_FOLDER, index: folder, model: options.deepModel }),
    signals: [...signals],
    ownEmbedder: embedder === undefined ? undefined : ownEmbedder(embedder),
  }
  const place = { root, folder, tools }
  if (options.refresh !== true) return new HoneIndex(place, await open(root, folder, tools, { allowPartial }))
  const stopping = new AbortController()
  const both = signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, signal])
  const listing = askGit(root, both) // git lists while the index is opened
  try {
    return await HoneIndex.refreshed(place, await open(root, folder, tools), { listing, signal: both })
  } catch (error) {
    stopping.abort()
    throw asAborted(error, signal)
  }
}

/** Reads the model once, when it is first wanted. */
function feedbackReader(folder: string): () => FeedbackModel {
  let read: FeedbackModel | undefined
  return () => (read ??= readFeedbackModel(folder))
}
