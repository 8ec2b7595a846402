/** A worker thread that analyses batches: messages in, results out, in the order they came. */
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../errors.js'
import { BatchAnalyser, type BatchResult, type FileToRead } from './batch-analyser.js'
import { loadStaticEmbedder } from './encoders.js'

export interface WorkerSettings {
  readonly maxFileBytes: number
  readonly modelsFolder: string
  /** Name of the static encoder that titles are embedded by. */
  readonly words: string
  /** Whether chunks are, too; else the main thread embeds them. */
  readonly isEmbedding: boolean
}

export type WorkerAnswer =
  | { readonly kind: 'done'; readonly results: readonly BatchResult[] }
  | { readonly kind: 'failed'; readonly message: string }

const { maxFileBytes, modelsFolder, words, isEmbedding } = workerData as WorkerSettings
const analyser = BatchAnalyser.create(maxFileBytes, {
  words: loadStaticEmbedder(modelsFolder, words),
  isEmbedding,
})

parentPort?.on('message', (batch: readonly FileToRead[]) => {
  void answer(batch).then((message) => parentPort?.postMessage(message))
})

async function answer(batch: readonly FileToRead[]): Promise<WorkerAnswer> {
  try {
    return { kind: 'done', results: await (await analyser).analyse(batch) }
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) }
  }
}
