/**
 * Fitting an answer into a number of tokens. What counts is what is emitted, so the caller says how it emits.
 * Diagnostics go first, then the text of ranges from the end, then files from the end; a note says what went.
 */
import { HoneError } from '../errors.js'
import type { Answer, AnswerFile, Note } from '../types.js'

export interface Budget {
  readonly tokens: number
  /** The answer as it will be written out. */
  readonly emit: (answer: Answer) => string
  /** Indices of a file's ranges, best first. */
  readonly bestRanges: (file: AnswerFile) => readonly number[]
}

/** Tokens of a text: its UTF-8 bytes / 4, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/**
 * The answer, or as much of it as keeps the budget when emitted: files in order, and the text of their best ranges in
 * whole lines. Throws USAGE when not even the first file fits.
 */
export function fitAnswer(answer: Answer, budget: Budget): Answer {
  const size = (candidate: Answer): number => tokensOf(budget.emit(withLongTimes(candidate)))
  const fits = (candidate: Answer): boolean => size(candidate) <= budget.tokens
  if (fits(answer)) return answer
  const cuts = cutsOf(answer)
  const all = cuts.find((cut) => fits(shortened(cut, { files: answer.files.length, lines: 0, budget })))
  if (all !== undefined) return withText(all, answer.files.length, { budget, fits })
  const last = cuts[cuts.length - 1]! // cutsOf never returns an empty list
  const files = largest(answer.files.length, (n) => fits(shortened(last, { files: n, lines: 0, budget })))
  if (files > 0) return withText(last, files, { budget, fits })
  const least = shortened(last, { files: Math.min(1, answer.files.length), lines: 0, budget })
  if (answer.files.length === 0 && fits(least)) return least
  throw new HoneError(
    'USAGE',
    `a budget of ${budget.tokens} tokens is too small for this answer; the least that says anything takes ${size(least)}`,
  )
}

/** An answer without some of its diagnostics, and the names of those. */
interface Cut {
  readonly answer: Answer
  readonly without: readonly string[]
}

function cutsOf(answer: Answer): readonly Cut[] {
  return [
    { answer, without: [] },
    { answer: { ...answer, cycles: [] }, without: ['cycles'] },
    { answer: { ...answer, cycles: [], gaps: [] }, without: ['cycles', 'gaps'] },
  ]
}

/** Fills in as many lines as fit, now that `files` files do without any. */
function withText(
  cut: Cut,
  files: number,
  options: { readonly budget: Budget; readonly fits: (answer: Answer) => boolean },
): Answer {
  const { budget, fits } = options
  const total = cut.answer.files.slice(0, files).reduce((sum, file) => sum + linesIn(file), 0)
  const withLines = (lines: number): Answer => shortened(cut, { files, lines, budget })
  return withLines(largest(total, (lines) => fits(withLines(lines))))
}

/** The first `files` files with the first `lines` lines of text, best ranges of the first file first. */
function shortened(
  { answer, without }: Cut,
  to: { readonly files: number; readonly lines: number; readonly budget: Budget },
): Answer {
  const left = { files: answer.files.length - to.files, ranges: 0, rests: [] as string[] }
  let lines = to.lines
  const files = answer.files.slice(0, to.files).map((file) => {
    const ranges = [...file.ranges]
    for (const i of to.budget.bestRanges(file)) {
      const range = ranges[i]
      if (range?.text === undefined) continue
      const { text, ...bare } = range
      const all = text.split('\n')
      const kept = all.slice(0, lines)
      lines -= kept.length
      ranges[i] = kept.length === 0 ? bare : { ...bare, text: kept.join('\n') }
      if (kept.length === 0) left.ranges++
      else if (kept.length < all.length)
        left.rests.push(`${file.path} from line ${range.start + kept.length}`)
    }
    return { ...file, ranges }
  })
  const note = leftOut({ ...left, without })
  return { ...answer, files, notes: note === undefined ? answer.notes : [...answer.notes, note] }
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
    ...left.rests.map((rest) => `the text of ${rest}`),
    ...left.without,
  ]
  if (what.length === 0) return undefined
  return { code: 'LEFT_OUT', message: `left out to keep the budget: ${what.join(', ')}` }
}

function counted(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`
}

function linesIn(file: AnswerFile): number {
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

function withLongTimes(answer: Answer): Answer {
  return {
    ...answer,
    ms: Math.max(LONG_MS, answer.ms),
    cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: Math.max(LONG_MS, cycle.ms) })),
  }
}
