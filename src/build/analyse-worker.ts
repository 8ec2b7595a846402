/** A worker thread that analyses batches: messages in, results out, in the order they came. */
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../errors.js'
import { BatchAnalyser, type BatchResult, type FileToRead } from './batch-analyser.js'
import { loadStaticEmbedder } from './encoders.js'

export interface WorkerSettings {
  readonly maxFileBytes: number
  readonly modelsFolder: string
  /** Name of a static encoder; undefined when the main thread embeds. */
  readonly encoder: string | undefined
}

export type WorkerAnswer =
  | { readonly kind: 'done'; readonly results: readonly BatchResult[] }
  | { readonly kind: 'failed'; readonly message: string }

const { maxFileBytes, modelsFolder, encoder } = workerData as WorkerSettings
const embedder = encoder === undefined ? undefined : loadStaticEmbedder(modelsFolder, encoder)
const analyser = BatchAnalyser.create(maxFileBytes, embedder)

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
