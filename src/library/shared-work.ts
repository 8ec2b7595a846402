/**
 * Work that several callers may wait for at once: it is done once for all of them, and stopped when none is left. Two
 * runs never overlap: a caller that comes while a stopped one winds up waits for the end of that.
 */
import { HoneError, stopIfAborted } from '../errors.js'

interface Run<T> {
  readonly done: Promise<T>
  readonly stopping: AbortController
  waiting: number
}

export class SharedWork<T> {
  #run: Run<T> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly work: (signal: AbortSignal) => Promise<T>) {}

  /** Throws what the work throws, and ABORTED when `signal` says so, after the work has stopped if nobody else waits. */
  wait(signal?: AbortSignal): Promise<T> {
    stopIfAborted(signal)
    const run = (this.#run ??= this.#start())
    run.waiting++
    return signal === undefined ? run.done : this.#untilAborted(run, signal)
  }

  #start(): Run<T> {
    const stopping = new AbortController()
    const done = this.#last.then(() => this.work(stopping.signal))
    const run: Run<T> = { done, stopping, waiting: 0 }
    this.#last = done.then(
      () => {
        this.#end(run)
      },
      () => {
        this.#end(run)
      },
    )
    return run
  }

  #end(run: Run<T>): void {
    if (this.#run === run) this.#run = undefined
  }

  async #untilAborted(run: Run<T>, signal: AbortSignal): Promise<T> {
    let leave: (() => void) | undefined
    const left = new Promise<undefined>((resolve) => {
      leave = () => {
        resolve(undefined)
      }
    })
    signal.addEventListener('abort', leave!, { once: true }) // set by the constructor above
    try {
      await Promise.race([run.done, left])
    } finally {
      signal.removeEventListener('abort', leave!)
    }
    if (!signal.aborted) return run.done
    if (--run.waiting === 0) await this.#stop(run)
    throw new HoneError('ABORTED', 'stopped; the index is as it was before')
  }

  async #stop(run: Run<T>): Promise<void> {
    this.#end(run)
    run.stopping.abort()
    await run.done.catch(() => undefined)
  }
}
