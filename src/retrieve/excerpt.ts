/** Which lines of a range are shown when there is no room for all of it. */

/** Lines of a text by index, end excluded; nothing where both are equal. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The words of the task that a line holds, with what each is worth. */
export type Interest = (line: string) => ReadonlyMap<string, number>

export const NOTHING: Span = { from: 0, to: 0 }

const NO_WORDS: ReadonlyMap<string, number> = new Map()

// So many lines with words in them tell what a piece of code is; blank ones and lone brackets do not count.
export const OPENING_LINES = 3
// A hundred and twenty tokens: three lines of 160 bytes. Longer ones would take the room of other files.
const MOST_OPENING_BYTES = 480
// No one writes such lines: generated, minified, data. They come after everything else.
const LONG_LINE_BYTES = 1000

/** Whether a line says anything by itself. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}

/**
 * The few neighbouring lines that hold most of what is looked for, each word counted once; of equals those that begin
 * with most of it, then the first. All lines with words where there are no more than a few; nothing where they are too
 * long to be shown for a start.
 */
export function openingOf(lines: readonly string[], interest: Interest): Span {
  const worded = [...lines.keys()].filter((i) => hasWords(lines[i]!)) // keys are indices
  if (worded.length === 0) return NOTHING
  const most = Math.min(OPENING_LINES, worded.length)
  const words = worded.map((i) => interestIn(lines[i]!, interest))
  let best: Span = NOTHING
  let bestWorth: readonly [number, number] = [-1, -1]
  for (let w = 0; w + most <= worded.length; w++) {
    const span = { from: worded[w]!, to: worded[w + most - 1]! + 1 } // w + most is no more than there are
    const worth = [worthOf(words.slice(w, w + most)), worthOf(words.slice(w, w + 1))] as const
    if (!isMore(worth, bestWorth) || bytesOf(lines, span) > MOST_OPENING_BYTES) continue
    best = span
    bestWorth = worth
  }
  return best
}

/** Nothing in a line that is too long for any opening: it may be a megabyte. */
function interestIn(line: string, interest: Interest): ReadonlyMap<string, number> {
  return line.length > MOST_OPENING_BYTES ? NO_WORDS : interest(line)
}

function isMore(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1])
}

/** What can be shown beside an opening before a line that is too long comes. */
export function surroundings(lines: readonly string[], opening: Span): Span {
  const isLong = (line: string | undefined): boolean =>
    line === undefined || Buffer.byteLength(line) > LONG_LINE_BYTES
  let { from, to } = opening
  while (!isLong(lines[from - 1])) from--
  while (!isLong(lines[to])) to++
  return { from, to }
}

/** `span` with `more` lines of `within`, below and above in turn. */
export function grown(span: Span, within: Span, more: number): Span {
  const above = span.from - within.from
  const below = within.to - span.to
  const up = Math.min(above, Math.max(Math.floor(more / 2), more - below))
  return { from: span.from - up, to: span.to + Math.min(below, more - up) }
}

export function linesIn({ from, to }: Span): number {
  return to - from
}

function worthOf(lines: readonly ReadonlyMap<string, number>[]): number {
  const words = new Map(lines.flatMap((line) => [...line]))
  return [...words.values()].reduce((sum, worth) => sum + worth, 0)
}

function bytesOf(lines: readonly string[], { from, to }: Span): number {
  return lines.slice(from, to).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}
