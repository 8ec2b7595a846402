/**
 * Fitting an answer into a number of tokens. What counts is what is emitted, so the caller says how it emits.
 * Diagnostics go first, then the text of ranges from the end, then files from the end; a note says what went.
 */
import { HoneError } from '../errors.js'
import type { Answer, AnswerRange, Note } from '../types.js'

/** What can be fitted: files with ranges; `cycles` and `gaps` where the answer has them. */
export interface Fittable {
  readonly files: readonly FittableFile[]
  readonly notes: readonly Note[]
  readonly ms: number
  readonly cycles?: Answer['cycles']
  readonly gaps?: Answer['gaps']
}

interface FittableFile {
  readonly path: string
  readonly ranges: readonly AnswerRange[]
}

export interface Budget<A extends Fittable> {
  readonly tokens: number
  /** The answer as it will be written out. */
  readonly emit: (answer: A) => string
  /** Indices of a file's ranges, best first. */
  readonly bestRanges: (file: A['files'][number]) => readonly number[]
}

// Every file gets so many lines of its best range before any gets more: enough to see what it is, and an agent that
// reads ten files' beginnings chooses better than one that has read two whole (npm run bench-budgets).
const FIRST_LINES = 6
// A file with fewer lines says nothing: where they do not fit, the last files go instead.
const LEAST_LINES = 3

/** Tokens of a text: its UTF-8 bytes / 4, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/**
 * The answer, or as much of it as keeps the budget when emitted: files in order, and the text of their best ranges in
 * whole lines. Throws USAGE when not even the first file fits.
 */
export function fitAnswer<A extends Fittable>(answer: A, budget: Budget<A>): A {
  const size = (candidate: A): number => tokensOf(budget.emit(withLongTimes(candidate)))
  const fits = (candidate: A): boolean => size(candidate) <= budget.tokens
  if (fits(answer)) return answer
  const cuts = cutsOf(answer)
  const opened = (cut: Cut<A>, n: number): A =>
    shortened(cut, { files: n, lines: openingLines(answer.files.slice(0, n), budget.bestRanges), budget })
  const all = cuts.find((cut) => fits(opened(cut, answer.files.length)))
  if (all !== undefined) return withText(all, answer.files.length, { budget, fits })
  const last = cuts[cuts.length - 1]! // cutsOf never returns an empty list
  const withOpening = largest(answer.files.length, (n) => fits(opened(last, n)))
  const files =
    withOpening > 0
      ? withOpening
      : largest(Math.min(1, answer.files.length), (n) =>
          fits(shortened(last, { files: n, lines: 0, budget })),
        )
  if (files > 0) return withText(last, files, { budget, fits })
  const least = shortened(last, { files: Math.min(1, answer.files.length), lines: 0, budget })
  if (answer.files.length === 0 && fits(least)) return least
  throw new HoneError(
    'USAGE',
    `a budget of ${budget.tokens} tokens is too small for this answer; the least that says anything takes ${size(least)}`,
  )
}

/** Lines of the least that is worth showing of each file. */
function openingLines<F extends FittableFile>(
  files: readonly F[],
  bestRanges: (file: F) => readonly number[],
): number {
  return files.reduce((sum, file) => {
    const best = bestRanges(file).find((r) => file.ranges[r]?.text !== undefined)
    const text = best === undefined ? undefined : file.ranges[best]?.text
    return sum + (text === undefined ? 0 : Math.min(LEAST_LINES, text.split('\n').length))
  }, 0)
}

/** An answer without some of its diagnostics, and the names of those. */
interface Cut<A> {
  readonly answer: A
  readonly without: readonly string[]
}

function cutsOf<A extends Fittable>(answer: A): readonly Cut<A>[] {
  return [
    { answer, without: [] },
    ...(answer.cycles === undefined ? [] : [{ answer: { ...answer, cycles: [] }, without: ['cycles'] }]),
    ...(answer.gaps === undefined
      ? []
      : [{ answer: { ...answer, cycles: [], gaps: [] }, without: ['cycles', 'gaps'] }]),
  ]
}

/** Fills in as many lines as fit, now that `files` files do without any. */
function withText<A extends Fittable>(
  cut: Cut<A>,
  files: number,
  options: { readonly budget: Budget<A>; readonly fits: (answer: A) => boolean },
): A {
  const { budget, fits } = options
  const total = cut.answer.files.slice(0, files).reduce((sum, file) => sum + linesIn(file), 0)
  const withLines = (lines: number): A => shortened(cut, { files, lines, budget })
  return withLines(largest(total, (lines) => fits(withLines(lines))))
}

/** The first `files` files with `lines` lines of text in all. */
function shortened<A extends Fittable>(
  { answer, without }: Cut<A>,
  to: { readonly files: number; readonly lines: number; readonly budget: Budget<A> },
): A {
  const shown = answer.files.slice(0, to.files)
  const granted = grantLines(shown, to.lines, to.budget.bestRanges)
  const left = { files: answer.files.length - to.files, ranges: 0, rests: [] as string[] }
  const files = shown.map((file, f) => {
    const ranges = file.ranges.map((range, r) => {
      const { text, ...bare } = range
      if (text === undefined) return range
      const all = text.split('\n')
      const kept = all.slice(0, granted[f]?.[r] ?? 0)
      if (kept.length === 0) left.ranges++
      else if (kept.length < all.length)
        left.rests.push(`${file.path} from line ${range.start + kept.length}`)
      return kept.length === 0 ? bare : { ...bare, text: kept.join('\n') }
    })
    return { ...file, ranges }
  })
  const note = leftOut({ ...left, without })
  return { ...answer, files, notes: note === undefined ? answer.notes : [...answer.notes, note] }
}

/**
 * By file and range, how many lines it may keep: the first few of every file's best range, file by file, then the
 * rest, best ranges of the first file first.
 */
function grantLines<F extends FittableFile>(
  files: readonly F[],
  lines: number,
  bestRanges: (file: F) => readonly number[],
): readonly (readonly number[])[] {
  const granted = files.map(({ ranges }) => ranges.map(() => 0))
  let left = lines
  const grant = (f: number, r: number, most: number): void => {
    const given = Math.min(left, most - granted[f]![r]!) // f and r are indices
    granted[f]![r]! += given
    left -= given
  }
  const orders = files.map((file) => bestRanges(file).filter((r) => file.ranges[r]?.text !== undefined))
  const linesOf = (f: number, r: number): number => files[f]!.ranges[r]!.text!.split('\n').length
  for (const most of [LEAST_LINES, FIRST_LINES]) {
    orders.forEach(([best], f) => {
      if (best !== undefined) grant(f, best, Math.min(most, linesOf(f, best)))
    })
  }
  orders.forEach((order, f) => {
    for (const r of order) grant(f, r, linesOf(f, r))
  })
  return granted
}

function leftOut(left: {
  readonly files: number
  readonly ranges: number
  readonly rests: readonly string[]
  readonly without: readonly string[]
}): Note | undefined {
  const what = [
    ...(left.files === 0 ? [] : [counted(left.files, 'file')]),
    ...(left.ranges === 0 ? [] : [`the text of ${counted(left.ranges, 'range')}`]),
    ...(left.rests.length > MAX_RESTS
      ? [`the end of ${counted(left.rests.length, 'range')}`]
      : left.rests.map((rest) => `the text of ${rest}`)),
    ...left.without,
  ]
  if (what.length === 0) return undefined
  return { code: 'LEFT_OUT', message: `left out to keep the budget: ${what.join(', ')}` }
}

// Cut ranges named one by one; a longer list would take the room of what it tells about.
const MAX_RESTS = 2

function counted(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`
}

function linesIn(file: FittableFile): number {
  return file.ranges.reduce((sum, { text }) => sum + (text === undefined ? 0 : text.split('\n').length), 0)
}

/** The largest n in 0..most for which `holds`, given that it holds for smaller ones too; 0 when for none. */
function largest(most: number, holds: (n: number) => boolean): number {
  if (holds(most)) return most
  let low = 0
  let high = most
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

// Wide enough for a quarter of an hour, so that what is left out does not depend on how long the answer took.
const LONG_MS = 999_999.9

function withLongTimes<A extends Fittable>(answer: A): A {
  return {
    ...answer,
    ms: Math.max(LONG_MS, answer.ms),
    ...(answer.cycles === undefined
      ? {}
      : { cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: Math.max(LONG_MS, cycle.ms) })) }),
  }
}
