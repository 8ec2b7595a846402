/**
 * The order in which an answer is filled in, the same for every budget: a larger one goes further along it and so never
 * shows less. docs/decisions/0014-budgets.md says why this order.
 *
 * 1. file by file: path and facts, one phrase of the reason, a few lines of the best range
 * 2. what is missing altogether; then file by file the whole reason, what it misses, and where its further ranges are
 * 3. all of the best range of the first files
 * 4. how the answer was found: the cycles, the places asked about
 * 5. all ranges, best first, file by file
 * 6. the end of a long task, and lines that are too long to have been written by anyone
 */
import { beginningOf } from '../beginning.js'
import type { Answer, AnswerRange, Note, Place } from '../types.js'
import {
  grown,
  hasWords,
  linesIn,
  NOTHING,
  OPENING_LINES,
  openingOf,
  surroundings,
  type Interest,
  type Span,
} from './excerpt.js'

/** What can be fitted: files with ranges; the lists and the task where the answer has them. */
export interface Fittable {
  readonly files: readonly FittableFile[]
  readonly notes: readonly Note[]
  readonly ms: number
  readonly task?: string
  readonly cycles?: Answer['cycles']
  readonly gaps?: Answer['gaps']
  readonly places?: readonly Place[]
}

export interface FittableFile {
  readonly path: string
  readonly ranges: readonly AnswerRange[]
}

/** What the plan has to know about the files of one kind of answer. */
export interface FileKnowledge<F extends FittableFile> {
  /** Indices of a file's ranges, best first. */
  readonly bestRanges: (file: F) => readonly number[]
  /** What the lines of a range hold of what was asked. */
  readonly interest: (file: F, range: AnswerRange) => Interest
  /** A file with nothing but what must be said of it; its ranges are dealt with here. */
  readonly inBrief: (file: F) => F
}

/** Files whose best range is shown whole before anything else: so many sure ones end the loop, too. */
const LEADING_FILES = 3
// The first place says what an answer is about.
const PLACES_SHOWN = 1

interface PlannedRange {
  readonly range: AnswerRange
  /** Empty where the range carries no text. */
  readonly lines: readonly string[]
  readonly opening: Span
}

interface PlannedFile<F> {
  readonly file: F
  readonly brief: F
  readonly ranges: readonly PlannedRange[]
  /** Indices of ranges that a file in brief shows. */
  readonly shownInBrief: ReadonlySet<number>
}

/** Lines that one range is given when its turn comes. */
interface Turn {
  readonly file: number
  readonly range: number
  readonly before: Span
  readonly after: Span
}

/** How far each step of the plan is taken. */
interface Progress {
  readonly openings: number
  readonly gaps: number
  readonly details: number
  readonly leading: number
  readonly cycles: number
  readonly places: number
  readonly text: number
  readonly task: number
  readonly longLines: number
}

/** What is not shown, by kind. */
export interface LeftOut {
  readonly files: number
  readonly lines: number
  readonly details: number
  readonly gaps: number
  readonly cycles: number
  readonly places: number
  readonly task: number
}

export class Plan<A extends Fittable> {
  readonly #files: readonly PlannedFile<A['files'][number]>[]
  readonly #turns: Readonly<Record<'leading' | 'text' | 'longLines', readonly Turn[]>>
  readonly #sizes: Progress

  constructor(
    readonly answer: A,
    knowledge: FileKnowledge<A['files'][number]>,
  ) {
    this.#files = answer.files.map((file) => planned(file, knowledge))
    this.#turns = turnsOf(this.#files, answer.files.map(knowledge.bestRanges))
    this.#sizes = {
      openings: answer.files.length,
      gaps: answer.gaps?.length ?? 0,
      details: answer.files.length,
      leading: linesOf(this.#turns.leading),
      cycles: answer.cycles?.length ?? 0,
      places: Math.max(0, (answer.places?.length ?? 0) - PLACES_SHOWN),
      text: linesOf(this.#turns.text),
      task: answer.task !== undefined && beginningOf(answer.task) !== answer.task ? 1 : 0,
      longLines: linesOf(this.#turns.longLines),
    }
  }

  /** All small steps there are; each adds something to what is shown. */
  get steps(): number {
    const sizes: readonly number[] = Object.values(this.#sizes)
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** The most that can be left out of each kind. */
  get most(): LeftOut {
    const { gaps, details, cycles, places, task } = this.#sizes
    const lines = this.#files.reduce((sum, { ranges }) => sum + totalLines(ranges), 0)
    return { files: this.#files.length, lines, details, gaps, cycles, places, task }
  }

  /** The answer after `steps` steps, and what it is without; none: the first file, and no line of it. */
  after(steps: number): { readonly answer: A; readonly left: LeftOut } {
    const progress = this.#progress(steps)
    const count = Math.min(this.#files.length, Math.max(1, progress.openings))
    const spans = this.#spans(progress)
    const files = this.#files
      .slice(0, count)
      .map((file, f) => shownFile(file, spans[f]!, f < progress.details)) // a list of spans for each file
    return { answer: this.#with(files, progress), left: this.#left(count, spans, progress) }
  }

  #progress(steps: number): Progress {
    let left = steps
    const take = (size: number): number => {
      const own = Math.min(size, left)
      left -= own
      return own
    }
    const { openings, gaps, details, leading, cycles, places, text, task, longLines } = this.#sizes
    // In the order of the plan.
    return {
      openings: take(openings),
      gaps: take(gaps),
      details: take(details),
      leading: take(leading),
      cycles: take(cycles),
      places: take(places),
      text: take(text),
      task: take(task),
      longLines: take(longLines),
    }
  }

  /** Which lines of each range of each file are shown. */
  #spans(progress: Progress): readonly (readonly Span[])[] {
    const spans = this.#files.map(({ ranges }, f) =>
      ranges.map(({ opening }) => (f < progress.openings ? opening : NOTHING)),
    )
    for (const kind of ['leading', 'text', 'longLines'] as const) {
      let left = progress[kind]
      for (const { file, range, before, after } of this.#turns[kind]) {
        const lines = Math.min(left, linesIn(after) - linesIn(before))
        if (lines === 0) continue
        spans[file]![range] = grown(before, after, lines) // indices of planned files and ranges
        left -= lines
      }
    }
    return spans
  }

  #with(files: readonly A['files'][number][], progress: Progress): A {
    const { task, gaps, cycles, places } = this.answer
    return {
      ...this.answer,
      files,
      ...(task === undefined || progress.task > 0 ? {} : { task: beginningOf(task) }),
      ...(gaps === undefined ? {} : { gaps: gaps.slice(0, progress.gaps) }),
      ...(cycles === undefined ? {} : { cycles: cycles.slice(0, progress.cycles) }),
      ...(places === undefined ? {} : { places: places.slice(0, PLACES_SHOWN + progress.places) }),
    }
  }

  #left(count: number, spans: readonly (readonly Span[])[], progress: Progress): LeftOut {
    const sizes = this.#sizes
    const shown = this.#files.slice(0, count)
    const lines = shown.reduce((sum, { ranges }, f) => {
      const own = spans[f]!.reduce((n, span) => n + linesIn(span), 0) // a list of spans for each file
      return sum + totalLines(ranges) - own
    }, 0)
    return {
      files: this.#files.length - count,
      lines,
      details: count - Math.min(count, progress.details),
      gaps: sizes.gaps - progress.gaps,
      cycles: sizes.cycles - progress.cycles,
      places: sizes.places - progress.places,
      task: sizes.task - progress.task,
    }
  }
}

/** A file in brief, with a few lines of its best range. */
export function briefly<F extends FittableFile>(file: F, knowledge: FileKnowledge<F>): F {
  const one = planned(file, knowledge)
  return shownFile(
    one,
    one.ranges.map(({ opening }) => opening),
    false,
  )
}

function planned<F extends FittableFile>(file: F, knowledge: FileKnowledge<F>): PlannedFile<F> {
  const order = knowledge.bestRanges(file)
  const openings = openingsOf(file, order, knowledge)
  const ranges = file.ranges.map((range, r): PlannedRange => {
    return { range, lines: textLines(range), opening: openings.get(r) ?? NOTHING }
  })
  const shownInBrief = new Set(openings.size > 0 ? openings.keys() : order.slice(0, 1))
  return { file, brief: knowledge.inBrief(file), ranges, shownInBrief }
}

/** By range: the few lines for a start, of the best range that has them; one shorter than those few is shown beside it. */
function openingsOf<F extends FittableFile>(
  file: F,
  order: readonly number[],
  { interest }: FileKnowledge<F>,
): ReadonlyMap<number, Span> {
  const openings = new Map<number, Span>()
  for (const r of order) {
    const range = file.ranges[r]!
    const lines = textLines(range)
    const opening = openingOf(lines, interest(file, range))
    const { length: worded } = lines.slice(opening.from, opening.to).filter(hasWords)
    const isFew = worded < OPENING_LINES
    if (linesIn(opening) > 0 && (!isFew || openings.size === 0)) openings.set(r, opening)
    if (!isFew) break
  }
  return openings
}

function turnsOf<F>(
  files: readonly PlannedFile<F>[],
  orders: readonly (readonly number[])[],
): Readonly<Record<'leading' | 'text' | 'longLines', readonly Turn[]>> {
  const turns = { leading: [] as Turn[], text: [] as Turn[], longLines: [] as Turn[] }
  orders.forEach((order, file) => {
    order.forEach((range, place) => {
      const { lines, opening } = files[file]!.ranges[range]! // orders are of these files and ranges
      const near = surroundings(lines, opening)
      const isLeading = file < LEADING_FILES && place === 0
      turns[isLeading ? 'leading' : 'text'].push({ file, range, before: opening, after: near })
      turns.longLines.push({ file, range, before: near, after: { from: 0, to: lines.length } })
    })
  })
  return turns
}

/** A file with the lines that its spans say. */
function shownFile<F extends FittableFile>(
  { file, brief, ranges, shownInBrief }: PlannedFile<F>,
  spans: readonly Span[],
  isWhole: boolean,
): F {
  const shown = ranges
    .map((range, r) => shownRange(range, spans[r]!)) // one for each
    .filter((_, r) => isWhole || shownInBrief.has(r))
  return { ...(isWhole ? file : brief), ranges: shown }
}

function shownRange({ range, lines }: PlannedRange, span: Span): AnswerRange {
  if (lines.length === 0 || linesIn(span) === lines.length) return range
  const { start, end, symbol, kind } = range
  const bare = { start, end, ...(symbol === undefined ? {} : { symbol }), kind }
  if (linesIn(span) === 0) return bare
  const text = lines.slice(span.from, span.to).join('\n')
  return { ...bare, start: start + span.from, end: start + span.to - 1, text }
}

function textLines({ text }: AnswerRange): readonly string[] {
  return text === undefined ? [] : text.split('\n')
}

function totalLines(ranges: readonly PlannedRange[]): number {
  return ranges.reduce((sum, { lines }) => sum + lines.length, 0)
}

function linesOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { before, after }) => sum + linesIn(after) - linesIn(before), 0)
}
