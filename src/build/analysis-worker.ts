/** The caller's end of one worker thread (analyse-worker.ts is the other). */
import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerSettings } from './analyse-worker.js'
import type { BatchResult, FileToRead } from './batch-analyser.js'

/** Answers come in the order of the questions. */
export class AnalysisWorker {
  readonly #worker: Worker
  readonly #waiting: {
    resolve: (results: readonly BatchResult[]) => void
    reject: (error: Error) => void
  }[] = []

  constructor(file: string, settings: WorkerSettings) {
    this.#worker = new Worker(file, { workerData: settings })
    this.#worker.on('message', (answer: WorkerAnswer) => {
      const waiting = this.#waiting.shift()
      if (answer.kind === 'done') waiting?.resolve(answer.results)
      else waiting?.reject(new Error(answer.message))
    })
    this.#worker.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    })
    this.#worker.on('exit', (code) => {
      for (const { reject } of this.#waiting.splice(0))
        reject(new Error(`an indexing thread ended with code ${code}`))
    })
  }

  analyse(batch: readonly FileToRead[]): Promise<readonly BatchResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage(batch)
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
