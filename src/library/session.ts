/** One task asked of an open index: the loop with the options of a caller. */
import { DEFAULTS } from '../config.js'
import { asAborted } from '../errors.js'
import { toAnswer } from '../retrieve/answer.js'
import type { Engine } from '../retrieve/engine.js'
import { RetrievalSession } from '../retrieve/session.js'
import type { Answer, Judgement, StopReason } from '../types.js'
import { checkOptions, loopOptions, type RetrieveOptions } from './query-options.js'

/** A task being answered, one cycle at a time. */
export class Session {
  readonly #session: RetrievalSession
  readonly #startedAt = performance.now()

  /** @internal use HoneIndex.start */
  constructor(
    engine: Engine,
    private readonly options: RetrieveOptions,
    private readonly stale: number | null,
  ) {
    checkOptions(options)
    this.#session = new RetrievalSession(engine, loopOptions(options))
  }

  /** Why the loop should stop now, or undefined when another cycle is worth it. */
  get stop(): StopReason | undefined {
    return this.#session.stop
  }

  /** Runs one more cycle and returns the answer so far. */
  async next(): Promise<Answer> {
    await this.#cycle()
    return this.answer()
  }

  /** Runs the cycles that are left and returns the answer. */
  async finish(): Promise<Answer> {
    while (this.stop === undefined) await this.#cycle()
    return this.answer()
  }

  async #cycle(): Promise<void> {
    try {
      await this.#session.next()
    } catch (error) {
      throw asAborted(error, this.options.signal)
    }
    const judgements = await this.options.judge?.(this.answer())
    if (judgements !== undefined) this.judge(judgements)
  }

  /**
   * Says which files are relevant and which are not, shown ones or any other of the index. Relevant ones are certain,
   * irrelevant ones leave the answer for good (unless judged otherwise later), and the next cycle rates the rest anew by
   * what they have in common with them. Throws PATH_UNKNOWN with near paths, PATH_OUTSIDE, USAGE.
   */
  judge(judgements: readonly Judgement[]): void {
    this.#session.judge(judgements)
  }

  answer(): Answer {
    const { limit, minRelevance, explain, withText, budgetTokens, emit, onlyNew } = this.options
    return toAnswer(this.#session, this.#session.stop ?? 'max-cycles', {
      limit: limit ?? DEFAULTS.limit,
      minRelevance: minRelevance ?? DEFAULTS.minRelevance,
      ...(budgetTokens !== undefined && minRelevance === undefined
        ? { minRelevanceOfRest: DEFAULTS.minRelevanceOfRest }
        : {}),
      explain: explain ?? false,
      withText: withText ?? budgetTokens !== undefined,
      ...(budgetTokens === undefined
        ? {}
        : { budget: { tokens: budgetTokens, emit: emit ?? JSON.stringify } }),
      stale: this.stale,
      notes: [],
      onlyNew: onlyNew ?? false,
      ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
    })
  }
}
