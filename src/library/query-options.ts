/** What can be asked of an open index, and the checks of it. */
import { DEFAULTS, MAX_CYCLES } from '../config.js'
import { HoneError } from '../errors.js'
import type { RetrieveOptions as LoopOptions } from '../retrieve/session.js'
import type { Answer, CustomSignal, DeepMode, Judgement, RelatedAnswer } from '../types.js'

export interface RetrieveOptions {
  readonly task: string
  /** Files at most. Default 10. */
  readonly limit?: number
  /** 1..3. Default 3. */
  readonly maxCycles?: number
  /** 0..1. Default 0.2; with a budget less likely files, from 0.03, follow in brief where any file reaches it. */
  readonly minRelevance?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Add the signals behind each relevance. */
  readonly explain?: boolean
  /** Start no further cycle after this many milliseconds. */
  readonly timeoutMs?: number
  /** Ranges carry their lines. Default: only with a budget. */
  readonly withText?: boolean
  /** Tokens (UTF-8 bytes / 4) the answer may take when emitted; what does not fit is left out and said in a note. */
  readonly budgetTokens?: number
  /** How the answer will be written out, for the budget to count. Default: JSON.stringify. */
  readonly emit?: (answer: Answer) => string
  /**
   * Whether a transformer rates the best files anew, about a second more: always, only where the first cycle is unsure,
   * or never. Default never. Where it is not installed the answer says so.
   */
  readonly deep?: DeepMode
  /** Whether words the index does not hold are taken for near ones that it does. Default true. */
  readonly bridging?: boolean
  /** Signals of your own for this task, besides those of the index. */
  readonly signals?: readonly CustomSignal[]
  /** What is known about files beforehand, as `Session.judge` takes it. */
  readonly judgements?: readonly Judgement[]
  /**
   * Called after each cycle with the answer so far; what it says counts from then on, and is worth another cycle while
   * there are any left. An empty list: nothing to say, the loop goes on as it would.
   */
  readonly judge?: (shown: Answer) => readonly Judgement[] | Promise<readonly Judgement[]>
  /** Leave judged files out of the answer. Default false: relevant ones stay, irrelevant ones leave. */
  readonly onlyNew?: boolean
  readonly signal?: AbortSignal
}

/** What to look for around a place, and how the answer should be. */
export interface RelatedToOptions {
  /** Files at most. Default 10. */
  readonly limit?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Ranges carry their lines. Default: only with a budget. */
  readonly withText?: boolean
  /** Tokens (UTF-8 bytes / 4) the answer may take when emitted. */
  readonly budgetTokens?: number
  /** How the answer will be written out, for the budget to count. Default: JSON.stringify. */
  readonly emit?: (answer: RelatedAnswer) => string
  readonly signal?: AbortSignal
}

export interface RelatedOptions extends RelatedToOptions {
  /** An indexed file, relative to the root, with "/". */
  readonly path: string
  /** A line of it, from 1; without, the whole file is meant. */
  readonly line?: number
}

/** A query, and the file it is about. */
export interface ExplainRequest extends Pick<
  RetrieveOptions,
  | 'task'
  | 'limit'
  | 'maxCycles'
  | 'minRelevance'
  | 'include'
  | 'exclude'
  | 'judgements'
  | 'deep'
  | 'signals'
  | 'signal'
> {
  /** Relative to the root, or absolute and below it. */
  readonly path: string
}

/** Throws USAGE for the first of the named options that is given and is no whole number from 1 to the most it takes. */
export function checkWholes(options: object, most: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(most)) {
    const value = (options as Readonly<Record<string, number | undefined>>)[name]
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= limit)) continue
    const range = limit === Infinity ? 'from 1 up' : `from 1 to ${limit}`
    throw new HoneError('USAGE', `${name} is ${value}; it takes a whole number ${range}`)
  }
}

/** Throws USAGE naming the option at fault and what it takes. */
export function checkOptions(options: RetrieveOptions): void {
  checkWholes(options, {
    limit: Infinity,
    maxCycles: MAX_CYCLES,
    timeoutMs: Infinity,
    budgetTokens: Infinity,
  })
  const { minRelevance } = options
  if (minRelevance !== undefined && !(minRelevance >= 0 && minRelevance <= 1))
    throw new HoneError('USAGE', `minRelevance is ${minRelevance}; it takes a number from 0 to 1`)
}

/** What the loop is run with: what the caller sets, and the defaults. */
export function loopOptions(options: RetrieveOptions): LoopOptions {
  const { task, timeoutMs, signal } = options
  return {
    task,
    maxCycles: options.maxCycles ?? DEFAULTS.maxCycles,
    minRelevance: options.minRelevance ?? DEFAULTS.minRelevance,
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    judgements: options.judgements ?? [],
    deep: options.deep ?? DEFAULTS.deep,
    bridging: options.bridging ?? true,
    signals: options.signals ?? [],
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  }
}
