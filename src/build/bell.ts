/** Joins many calls into one: whoever waits is woken when it has been quiet for a moment, or has not been for long. */
import { setTimeout as delay } from 'node:timers/promises'

export interface BellOptions {
  /** Silence that ends a burst. */
  readonly quietMs: number
  /** A burst that goes on is cut here. */
  readonly longestMs: number
}

export class Bell {
  #rungAt = -Infinity
  #firstRungAt = Infinity
  #wake: (() => void) | undefined

  constructor(readonly options: BellOptions) {}

  ring(): void {
    this.#rungAt = performance.now()
    this.#firstRungAt = Math.min(this.#firstRungAt, this.#rungAt)
    this.#wake?.()
  }

  /** Resolves after the next burst, one that began before included; at the latest after `atLatestMs`, or on an abort. */
  async burst({ signal, atLatestMs }: { signal: AbortSignal; atLatestMs: number }): Promise<void> {
    if (this.#firstRungAt === Infinity) await this.#rung(signal, atLatestMs)
    const { quietMs, longestMs } = this.options
    for (;;) {
      const now = performance.now()
      const left = Math.min(this.#rungAt + quietMs, this.#firstRungAt + longestMs) - now
      if (signal.aborted || !(left > 0)) break
      await delay(left, undefined, { signal }).catch(() => undefined) // an abort: seen above
    }
    this.#firstRungAt = Infinity
  }

  #rung(signal: AbortSignal, atLatestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atLatestMs)
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#wake = undefined
        resolve()
      }
      this.#wake = done
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    })
  }
}
