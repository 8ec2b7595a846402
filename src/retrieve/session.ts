/**
 * The loop: DISPATCH, EVALUATE, REFINE, at most three times. One object is one task being answered.
 */
import { HoneError } from '../errors.js'
import { BAND_FROM } from '../rank/bands.js'
import type { CycleQuery, CycleReport, FileId, Judgement, MissingContext, StopReason } from '../types.js'
import { dispatch, type Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import { rateAgain, type EvaluateOptions, type RatedFile } from './evaluate.js'
import { ADDED_FROM, merge, ranked, type FoundFile, type FoundFiles } from './found-file.js'
import { judgedFiles } from './judged-files.js'
import { judgedAs, NOTHING_JUDGED, withJudgements, type Judged } from './judgements.js'
import { missingWords } from './missing-context.js'
import { matchedChunks } from './ranges.js'
import { refine, type Refinement } from './refine.js'
import { accepts, scopeOf, type Scope } from './scope.js'
import type { Scores } from './scoring.js'
import { search, type Search } from './search.js'
import { stopReason } from './stop-reason.js'
import { parseTask, type ParsedTask } from './task.js'
import { taskFacts, type TaskFacts } from './task-facts.js'

export interface RetrieveOptions {
  readonly task: string
  readonly maxCycles: number
  readonly minRelevance: number
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Stop starting cycles after this many milliseconds; the answer then says `budget`. */
  readonly timeoutMs?: number
  /** What the caller says about files before the first cycle. */
  readonly judgements: readonly Judgement[]
  readonly signal?: AbortSignal
}

// Files whose ranges and gaps are worked out: what an answer can show, and what may become sure.
const MAX_DETAILED = 20
// Files that are part of the answer are sure enough to learn from; with honest probabilities few pass 0.8.
const SURE = ADDED_FROM

const NOTHING_REFINED: Refinement = { missing: new Map(), pointedAt: new Map(), discovered: [] }

export class RetrievalSession {
  readonly #task: ParsedTask
  readonly #scope: Scope
  readonly #startedAt = performance.now()
  #dispatched: Dispatched | undefined
  #queryVector: Float32Array | undefined
  #facts: Omit<TaskFacts, 'pointedAt'> | undefined
  #first: Search | undefined
  #files: FoundFiles = new Map()
  #gaps: readonly MissingContext[] = []
  #cycles: readonly CycleReport[] = []
  #refinement: Refinement = NOTHING_REFINED
  /** Files an earlier cycle already followed a pointer to. */
  readonly #followed = new Set<FileId>()
  #judged: Judged = NOTHING_JUDGED
  #hasNewJudgements = false

  /** Throws TASK_EMPTY, GLOB_INVALID for a bad include or exclude, or what `judge` does. */
  constructor(
    readonly engine: Engine,
    readonly options: RetrieveOptions,
  ) {
    if (options.task.trim() === '') {
      throw new HoneError(
        'TASK_EMPTY',
        'the task is empty; say what you are looking for, e.g. "fix token expiry"',
      )
    }
    this.#task = parseTask(options.task)
    this.#scope = scopeOf(engine.index, options.include, options.exclude)
    this.judge(options.judgements)
  }

  /**
   * Takes judgements: confirmed files are certain and rejected ones leave at once; the next cycle rates the others by
   * them. Throws PATH_UNKNOWN, PATH_OUTSIDE or USAGE.
   */
  judge(judgements: readonly Judgement[]): void {
    this.#judged = withJudgements(this.engine.index, this.#judged, judgements)
    this.#hasNewJudgements ||= judgements.length > 0
  }

  /** Files found so far, as judged, best first. */
  get files(): readonly FoundFile[] {
    return ranked(judgedFiles(this.#files, this.#judged))
  }

  get gaps(): readonly MissingContext[] {
    return this.#gaps
  }

  get cycles(): readonly CycleReport[] {
    return this.#cycles
  }

  get dispatched(): Dispatched | undefined {
    return this.#dispatched
  }

  get wasShortened(): boolean {
    return this.#task.text.length < this.options.task.length
  }

  /** Why the loop should stop now, or undefined when another cycle is worth it. */
  get stop(): StopReason | undefined {
    const { timeoutMs } = this.options
    return stopReason({
      cyclesDone: this.#cycles.length,
      maxCycles: this.options.maxCycles,
      relevances: this.files.map(({ rated }) => rated.relevance),
      criticalGaps: this.#gaps.filter(({ critical }) => critical).length,
      hasNewQuery: [...this.#refinement.pointedAt.keys()].some((id) => !this.#followed.has(id)),
      hasNewJudgements: this.#hasNewJudgements,
      isOutOfBudget: timeoutMs !== undefined && performance.now() - this.#startedAt >= timeoutMs,
      minRelevance: this.options.minRelevance,
    })
  }

  /** Runs one cycle. */
  async next(): Promise<void> {
    this.options.signal?.throwIfAborted()
    const startedAt = performance.now()
    const n = this.#cycles.length + 1
    const dispatched = (this.#dispatched ??= dispatch(this.#task, this.engine.vocabulary))
    const query = this.#cycleQuery(dispatched)
    const queryVector = (this.#queryVector ??= await this.engine.embedder.embed([this.#task.text]))
    const first = (this.#first ??= search(this.engine, {
      dispatched,
      vector: queryVector,
      facts: this.#taskFacts(),
      accepts: (file) => accepts(this.#scope, file),
    }))
    const rated = n === 1 ? first.rated : this.#followPointers(dispatched, first)
    const added = this.#merge(rated, n)
    this.#merge(this.#confirmedUnseen(dispatched, first), n)
    this.#hasNewJudgements = false
    this.#detail(first.scores)
    for (const id of this.#refinement.pointedAt.keys()) this.#followed.add(id)
    const sure = this.files.filter(({ rated }) => rated.relevance >= SURE)
    this.#refinement = await refine(this.engine, sure, queryVector)
    this.#noteGaps(dispatched)
    this.#cycles = [
      ...this.#cycles,
      {
        n,
        query,
        bridged: n === 1 ? dispatched.bridged : [],
        candidates: rated.length,
        deep: 0,
        added,
        discovered: this.#refinement.discovered,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      },
    ]
  }

  #cycleQuery(dispatched: Dispatched): CycleQuery {
    const unsure =
      this.#cycles.length === 0 ? [] : this.files.filter(({ rated }) => rated.relevance < BAND_FROM.low)
    const ownWords = dispatched.terms.filter(({ origin }) => origin !== 'joined').map(({ word }) => word)
    return {
      patterns: this.options.include,
      keywords: [...new Set([...ownWords, ...this.#refinement.discovered])],
      excludes: [
        ...this.options.exclude,
        ...[...unsure.map(({ rated }) => rated.path), ...this.#rejectedPaths()].sort(),
      ],
      focusAreas: [...new Set([...this.#refinement.pointedAt.values()].flat())],
    }
  }

  /** A later cycle: the files that sure ones point at, rated with that evidence on the scale of the first. */
  #followPointers({ terms }: Dispatched, { scores, sums, query }: Search): readonly RatedFile[] {
    const files = [...this.#refinement.pointedAt.keys()].filter((id) => !this.#followed.has(id))
    return rateAgain(this.engine.index, scores, { ...this.#rating(terms), files, sums, query })
  }

  #rejectedPaths(): readonly string[] {
    const { index } = this.engine
    return judgedAs(index, this.#judged, false).map((id) => index.pathOf(id))
  }

  /** Confirmed files that no search brought in; they are part of the answer all the same. */
  #confirmedUnseen({ terms }: Dispatched, { scores, sums, query }: Search): readonly RatedFile[] {
    const { index } = this.engine
    const files = judgedAs(index, this.#judged, true).filter((id) => !this.#files.has(index.pathOf(id)))
    return rateAgain(index, scores, { ...this.#rating(terms), files, sums, query })
  }

  #rating(terms: Dispatched['terms']): EvaluateOptions {
    return {
      terms,
      model: this.engine.model,
      facts: this.#taskFacts(),
      accepts: (file) => accepts(this.#scope, file),
    }
  }

  #taskFacts(): TaskFacts {
    this.#facts ??= taskFacts(this.engine.index, this.#task)
    return { ...this.#facts, pointedAt: this.#refinement.pointedAt }
  }

  /** Takes a cycle's ratings into the answer; returns the paths it added. */
  #merge(rated: readonly RatedFile[], cycle: number): readonly string[] {
    const { files, added } = merge(this.#files, rated, cycle)
    this.#files = files
    return added
  }

  /** Works out the ranges of the files that can be shown. */
  #detail(scores: Scores): void {
    const files = new Map(this.#files)
    for (const found of this.files.slice(0, MAX_DETAILED)) {
      if (found.matched.length > 0) continue
      const { id, view, path } = found.rated
      const matched = matchedChunks(this.engine.index, scores, { file: id, body: view.body })
      files.set(path, { ...found, matched })
    }
    this.#files = files
  }

  /** Notes what is missing, per file and for the task, after a cycle. */
  #noteGaps(dispatched: Dispatched): void {
    const inAnswer = new Set(
      this.files.filter(({ rated }) => rated.relevance >= ADDED_FROM).map(({ rated }) => rated.path),
    )
    const files = new Map(this.#files)
    const gaps: MissingContext[] = []
    for (const [path, symbols] of this.#refinement.missing) {
      const found = files.get(path)
      if (found === undefined) continue
      const missing = symbols
        .filter((symbol) => !inAnswer.has(symbol.path))
        .map((symbol): MissingContext => {
          const relevance = files.get(symbol.path)?.rated.relevance ?? 0
          const isCritical = relevance >= ADDED_FROM && !this.#followed.has(symbol.definedIn)
          return { kind: 'symbol', name: symbol.name, definedIn: symbol.path, critical: isCritical }
        })
      files.set(path, { ...found, missing })
      gaps.push(...missing.filter((gap) => !gaps.some(({ name }) => name === gap.name)))
    }
    this.#files = files
    this.#gaps = [...gaps, ...this.#wordGaps(dispatched)]
  }

  #wordGaps({ terms, unknown, bridged }: Dispatched): readonly MissingContext[] {
    const sure = this.files.filter(({ rated }) => rated.relevance >= SURE)
    return missingWords(terms, unknown, {
      covered: new Set(sure.flatMap(({ rated }) => rated.matched.map(({ term }) => term))),
      bridged: new Set(bridged.map(({ word }) => word)),
      vocabulary: this.engine.vocabulary,
      index: this.engine.index,
    })
  }
}
