/**
 * The loop: DISPATCH, EVALUATE, REFINE, at most three times. One object is one task being answered.
 */
import { HoneError } from '../errors.js'
import { BAND_FROM } from '../rank/bands.js'
import type {
  CustomSignal,
  CycleQuery,
  CycleReport,
  DeepMode,
  FileId,
  Judgement,
  MissingContext,
  StopReason,
} from '../types.js'
import { mean } from '../vector/arithmetic.js'
import { addingOf, signalsOf, type Adding } from './custom-signals.js'
import { DEEP_FILES, deepen, isDeepWanted, type DeepLook } from './deep.js'
import type { DiscoveredWord } from './discover.js'
import { dispatch, type Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import { rateAgain, type EvaluateOptions, type RatedFile } from './evaluate.js'
import { ADDED_FROM, merge, mergeLookedAt, ranked, type FoundFile, type FoundFiles } from './found-file.js'
import { symbolGaps } from './gaps.js'
import { judgedFiles, NOTHING_RATED, rateJudged, type JudgedRatings } from './judged-files.js'
import { judgedAs, NOTHING_JUDGED, withJudgements, type Judged } from './judgements.js'
import { missingWords } from './missing-context.js'
import { movedVector } from './moved-vector.js'
import { nearnessTo, type Nearness } from './nearness.js'
import { matchedChunks, type MatchedChunk } from './ranges.js'
import { NOTHING_REFINED, refine, sourcesOf, type Refinement } from './refine.js'
import { accepts, scopeOf, type Scope } from './scope.js'
import type { Scores, TaskVectors } from './scoring.js'
import { search, type Search } from './search.js'
import { searchAgain } from './search-again.js'
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
  readonly deep: DeepMode
  /** Whether words the index does not hold are taken for near ones that it does. */
  readonly bridging: boolean
  /** Signals of the caller's own, besides those of the index. */
  readonly signals: readonly CustomSignal[]
  readonly signal?: AbortSignal
}

// Files whose ranges and gaps are worked out in every cycle: what most answers show, and what may become sure.
const MAX_DETAILED = 20
// Hundreds of files are unlikely: those nearest to 0.2 tell what was left out, the rest are a number.
const MAX_SHOWN_EXCLUDES = 20
// Files that are part of the answer are sure enough to learn from; with honest probabilities few pass 0.8.
const SURE = ADDED_FROM

/** The deep step as it was taken. */
export interface DeepStep {
  readonly cycle: number
  /** The files it would read, best first, as the loop had rated them: judgements aside. */
  readonly best: readonly FoundFile[]
  /** What it said of those it could read. */
  readonly looks: readonly DeepLook[]
}

export class RetrievalSession {
  readonly #task: ParsedTask
  readonly #scope: Scope
  readonly #startedAt = performance.now()
  readonly #nearness: Nearness
  /** All signals of the caller's own, and what they add. */
  readonly signals: readonly CustomSignal[]
  readonly #adding: Adding
  #dispatched: Dispatched | undefined
  #vectors: TaskVectors | undefined
  #facts: Omit<TaskFacts, 'pointedAt'> | undefined
  #first: Search | undefined
  #files: FoundFiles = new Map()
  #gaps: readonly MissingContext[] = []
  #cycles: readonly CycleReport[] = []
  #refinement: Refinement = NOTHING_REFINED
  /** Words that earlier cycles discovered and this one or an earlier one asked for. */
  #asked: readonly DiscoveredWord[] = []
  /** Files that sure ones point at, rated; the next cycle takes them in. */
  #prospects: readonly RatedFile[] = []
  /** Files an earlier cycle already followed a pointer to. */
  readonly #followed = new Set<FileId>()
  #judged: Judged = NOTHING_JUDGED
  #hasNewJudgements = false
  #judgedRatings: JudgedRatings = NOTHING_RATED
  /** The deep step is taken once: what it said is part of the ratings after it. */
  #isDeepDone = false
  #deepStep: DeepStep | undefined
  #deepUnavailable: string | undefined

  /** Throws TASK_EMPTY, GLOB_INVALID for a bad include or exclude, SIGNAL_INVALID, or what `judge` does. */
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
    this.#nearness = nearnessTo(engine.words, this.#task.prose)
    this.signals = signalsOf(engine, options.signals)
    this.#adding = addingOf(engine, { signals: this.signals, task: options.task })
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
    return ranked(judgedFiles(this.#files, this.#judged, this.#judgedRatings))
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

  /** Why the deep step could not be taken, where it was wanted. */
  get deepUnavailable(): string | undefined {
    return this.#deepUnavailable
  }

  /** The deep step, once it was taken. */
  get deepStep(): DeepStep | undefined {
    return this.#deepStep
  }

  /** Why the loop should stop now, or undefined when another cycle is worth it. */
  get stop(): StopReason | undefined {
    const { timeoutMs } = this.options
    return stopReason({
      cyclesDone: this.#cycles.length,
      maxCycles: this.options.maxCycles,
      relevances: this.files.map(({ rated }) => rated.relevance),
      criticalGaps: this.#gaps.filter(({ critical }) => critical).length,
      hasNewQuery: this.#prospects.length > 0 || this.#refinement.discovered.length > 0,
      hasNewJudgements: this.#hasNewJudgements,
      isDeepOpen: this.#cycles.length > 0 && this.#isDeepOpen(),
      isOutOfBudget: timeoutMs !== undefined && performance.now() - this.#startedAt >= timeoutMs,
      minRelevance: this.options.minRelevance,
    })
  }

  /** Runs one cycle. */
  async next(): Promise<void> {
    this.options.signal?.throwIfAborted()
    const startedAt = performance.now()
    const n = this.#cycles.length + 1
    const dispatched = (this.#dispatched ??= dispatch(this.#task, this.engine.vocabulary, {
      isBridging: this.options.bridging,
    }))
    this.#vectors ??= await this.engine.taskVectors(this.#task.prose, this.options.signal)
    this.#asked = [...this.#asked, ...this.#refinement.discovered]
    const query = this.#cycleQuery(dispatched)
    const first = (this.#first ??= this.#search(dispatched, this.#vectors))
    const rated = n === 1 ? first.rated : this.#lookFurther(dispatched, first)
    const before = this.#inAnswer()
    const deep = n > 1 ? await this.#lookDeeper(n) : 0
    this.#merge(rated, n)
    this.#useJudgements(dispatched, first, n)
    this.#detail(first.scores)
    const late = n === this.options.maxCycles && n === 1 ? await this.#lookDeeper(n) : 0
    const added = [...this.#inAnswer()].filter((path) => !before.has(path))
    this.#refine(dispatched, first)
    this.#noteGaps(dispatched)
    this.#cycles = [
      ...this.#cycles,
      {
        n,
        query,
        bridged: n === 1 ? dispatched.bridged : [],
        candidates: rated.length,
        deep: deep + late,
        added,
        discovered: this.#refinement.discovered.map(({ word }) => word),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      },
    ]
  }

  #search(dispatched: Dispatched, vectors: TaskVectors): Search {
    return search(this.engine, { dispatched, ...vectors, ...this.#rating() })
  }

  /** What the cycle about to run asks for. */
  #cycleQuery(dispatched: Dispatched): CycleQuery {
    const ownWords = dispatched.terms.filter(({ origin }) => origin !== 'joined').map(({ word }) => word)
    const followed = new Set(this.#prospects.map(({ path }) => path))
    const unlikely = this.#cycles.length === 0 ? [] : this.files.filter(({ rated }) => isUnlikely(rated))
    const left = unlikely.map(({ rated }) => rated.path).filter((path) => !followed.has(path))
    const shown = left.slice(0, MAX_SHOWN_EXCLUDES)
    return {
      patterns: [...this.options.include, ...dispatched.patterns],
      keywords: [...new Set([...ownWords, ...this.#asked.map(({ word }) => word)])],
      excludes: [...this.options.exclude, ...[...this.#rejectedPaths()].sort(), ...shown],
      moreExcludes: left.length - shown.length,
      focusAreas: this.#focusAreas(),
    }
  }

  /** Symbols the next cycle follows, then rare words that no sure file explains. */
  #focusAreas(): readonly string[] {
    const symbols = this.#prospects.flatMap(({ view }) => view.pointedAtBy)
    const words = this.#gaps
      .filter(({ kind, critical }) => kind === 'word' && critical)
      .map(({ name }) => name)
    return [...new Set([...symbols, ...words])]
  }

  /** A later cycle: the files that sure ones point at, and what the refined query finds beyond those seen. */
  #lookFurther(dispatched: Dispatched, first: Search): readonly RatedFile[] {
    const seen = new Set(
      [...this.#files.values(), ...this.#prospects.map((rated) => ({ rated }))].map(({ rated }) => rated.id),
    )
    const found = searchAgain(this.engine, {
      dispatched,
      first: first.scores,
      discovered: this.#asked,
      vector: movedVector(
        this.#vectors?.vector ?? new Float32Array(),
        this.#meanOfBest(this.#sure()),
        this.#meanOfBest(this.#rejected()),
      ),
      accepts: (file) => !seen.has(file) && accepts(this.#scope, file),
    })
    return [...this.#prospects, ...this.#rateAgain(found, dispatched, first)]
  }

  /** Mean vector of the best chunk of each file. */
  #meanOfBest(files: readonly FoundFile[]): Float32Array {
    const { vectors, settings } = this.engine.index
    const best = files.flatMap(({ matched }) => matched.slice(0, 1))
    return mean(
      best.map(({ chunk }) => vectors.vector(chunk.id)),
      settings.dimensions,
    )
  }

  #rateAgain(files: readonly FileId[], { terms }: Dispatched, first: Search): readonly RatedFile[] {
    const { scores, query } = first
    const { index, model, factsOf } = this.engine
    return rateAgain(index, scores, { ...this.#rating(), terms, model, factsOf, files, query })
  }

  #sure(): readonly FoundFile[] {
    return this.files.filter(({ rated }) => rated.relevance >= SURE)
  }

  #rejected(): readonly FoundFile[] {
    return [...this.#files.values()].filter(({ rated }) => this.#judged.get(rated.id) === false)
  }

  /** REFINE: reads the sure files that no cycle has read, and rates what they point at. */
  #refine(dispatched: Dispatched, first: Search): void {
    for (const { id } of this.#prospects) this.#followed.add(id)
    this.#refinement = refine(this.engine, this.#refinement, {
      sources: sourcesOf(this.#sure(), this.#refinement.missing),
      nearness: this.#nearness,
      known: new Set([...dispatched.terms, ...this.#asked].map(({ term }) => term)),
    })
    const pointed = [...this.#refinement.pointedAt.keys()].filter((id) => this.#isWorthFollowing(id))
    this.#prospects = this.#rateAgain(pointed, dispatched, first)
  }

  #isWorthFollowing(file: FileId): boolean {
    const known = this.#files.get(this.engine.index.pathOf(file))
    return !this.#followed.has(file) && (known === undefined || known.rated.relevance < ADDED_FROM)
  }

  #rejectedPaths(): readonly string[] {
    const { index } = this.engine
    return judgedAs(index, this.#judged, false).map((id) => index.pathOf(id))
  }

  /** Brings in what only judged files point at, and rates what was not judged by those that were. */
  #useJudgements(dispatched: Dispatched, first: Search, cycle: number): void {
    this.#hasNewJudgements = false
    if (this.#judged.size === 0) return
    const { index, feedback } = this.engine
    const rate = (files: readonly FileId[]): readonly RatedFile[] => {
      const rated = this.#rateAgain(files, dispatched, first)
      this.#merge(rated, cycle)
      return rated
    }
    rate(judgedAs(index, this.#judged, true).filter((id) => !this.#files.has(index.pathOf(id))))
    if (feedback === undefined) return
    this.#judgedRatings = rateJudged(this.engine, feedback(), {
      judged: this.#judged,
      search: first,
      taskVector: this.#vectors!.vector, // next() has just set it
      pastTerms: dispatched.pastTerms,
      rated: [...this.#files.values()].map(({ rated }) => rated),
      rate,
      before: this.#judgedRatings,
      cycle,
    })
  }

  /** Paths that are part of the answer now, best first. */
  #inAnswer(): ReadonlySet<string> {
    const files = this.files.filter(({ rated }) => rated.relevance >= ADDED_FROM)
    return new Set(files.map(({ rated }) => rated.path))
  }

  #rating(): Pick<EvaluateOptions, 'facts' | 'accepts' | 'adding'> {
    return {
      facts: this.#taskFacts(),
      accepts: (file) => accepts(this.#scope, file),
      adding: this.#adding,
    }
  }

  #taskFacts(): TaskFacts {
    this.#facts ??= taskFacts(this.engine.index, this.#task)
    return { ...this.#facts, pointedAt: this.#refinement.pointedAt }
  }

  /** Takes a cycle's ratings into the answer. */
  #merge(rated: readonly RatedFile[], cycle: number): void {
    this.#files = merge(this.#files, rated, cycle).files
  }

  #isDeepOpen(): boolean {
    return !this.#isDeepDone && isDeepWanted(this.options.deep, this.files)
  }

  /** The deep step, where it is wanted: the best files so far are rated anew by what a transformer says. Returns its chunks. */
  async #lookDeeper(cycle: number): Promise<number> {
    if (!this.#isDeepOpen()) return 0
    this.#isDeepDone = true
    const { signal } = this.options
    const { files } = this
    const { looks, chunks, unavailable } = await deepen(this.engine, {
      queryText: this.#task.text,
      files,
      ...(signal === undefined ? {} : { signal }),
    })
    this.#deepUnavailable = unavailable
    if (unavailable === undefined)
      this.#deepStep = { cycle, best: this.#ownRatings(files.slice(0, DEEP_FILES)), looks }
    const rated = looks.map(({ rated }) => rated)
    this.#files = mergeLookedAt(this.#files, rated, cycle).files
    return chunks
  }

  /** The files as they are rated without judgements. */
  #ownRatings(files: readonly FoundFile[]): readonly FoundFile[] {
    return files.map((found) => this.#files.get(found.rated.path) ?? found)
  }

  /** Works out the ranges of the files that can be shown. */
  #detail(scores: Scores): void {
    const files = new Map(this.#files)
    for (const found of this.files.slice(0, MAX_DETAILED)) {
      if (found.matched.length > 0) continue
      files.set(found.rated.path, { ...found, matched: this.#matchedChunks(found, scores) })
    }
    this.#files = files
  }

  #matchedChunks({ rated: { id, view } }: FoundFile, scores: Scores): readonly MatchedChunk[] {
    const { body, mentionedLines: lines } = view
    return matchedChunks(this.engine.index, scores, { file: id, body, lines })
  }

  /** A found file with its best chunks, which the loop itself works out for the first ones only. */
  detailed(found: FoundFile): FoundFile {
    if (found.matched.length > 0 || this.#first === undefined) return found
    return { ...found, matched: this.#matchedChunks(found, this.#first.scores) }
  }

  /** Notes what is missing, per file and for the task, after a cycle. */
  #noteGaps({ terms, unknown, bridged }: Dispatched): void {
    const { files, gaps } = symbolGaps(this.#files, this.#refinement.missing, this.#prospects)
    this.#files = files
    const words = missingWords(terms, unknown, {
      covered: new Set(this.#sure().flatMap(({ rated }) => rated.matched.map(({ term }) => term))),
      bridged: new Set(bridged.flatMap(({ word }) => word.split(' '))),
      vocabulary: this.engine.vocabulary,
    })
    this.#gaps = [...gaps, ...words]
  }
}

function isUnlikely({ relevance }: RatedFile): boolean {
  return relevance < BAND_FROM.low
}
