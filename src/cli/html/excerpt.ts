/** The ranges of a file: where they are, what they are, and their lines with what was looked for. */
import type { AnswerRange, CodeMarker, CodeMarks, TextSpan } from '../../index.js'
import { marked, type LookedFor } from './looked-for.js'
import { html, LINE_END, type Content, type Safe } from './markup.js'

export interface ExcerptOptions {
  readonly mark: CodeMarker
  readonly words: LookedFor
  /** Ranges that are open from the start. */
  readonly open: ReadonlySet<AnswerRange>
}

// About four screens of code, from the best file on; more is a wall before the next file. And a long range opens first
// of all only: beyond a screen one wants to know first whether it is the right one.
const OPEN_LINES = 160
const LONG_RANGE = 50

/** The ranges that are worth being open from the start, of files in order. */
export function openRanges(
  files: readonly { readonly ranges: readonly AnswerRange[] }[],
): ReadonlySet<AnswerRange> {
  const open = new Set<AnswerRange>()
  let lines = 0
  for (const range of files.flatMap(({ ranges }) => ranges)) {
    const length = range.end - range.start + 1
    if (open.size > 0 && (length > LONG_RANGE || lines + length > OPEN_LINES)) continue
    open.add(range)
    lines += length
  }
  return open
}

export function excerpts(
  path: string,
  ranges: readonly AnswerRange[],
  options: ExcerptOptions,
): Safe | false {
  if (ranges.length === 0) return false
  return html`<div class="excerpts">${ranges.map((range) => excerpt(path, range, options))}</div>`
}

function excerpt(path: string, range: AnswerRange, options: ExcerptOptions): Safe {
  const { text } = range
  if (text === undefined) return html`<p class="range">${title(range)}</p>`
  return html`<details class="range" ${options.open.has(range) && html` open`}>
    <summary>${title(range)}</summary>
    ${code(path, { ...range, text }, options)}
  </details>`
}

function title({ start, end, symbol, kind }: AnswerRange): Safe {
  const where = start === end ? `Line ${start}` : `Lines ${start}\u2013${end}`
  return html`<span class="lines">${where}</span>
    <span class="kind">${kind}</span>${symbol !== undefined && html` <code class="symbol">${symbol}</code>`}`
}

/** Numbers are attributes that the style shows: who copies code does not get them. */
function code(path: string, range: AnswerRange & { readonly text: string }, options: ExcerptOptions): Safe {
  const { start, end, text } = range
  const { mark, words } = options
  const marks = mark({ path, text, words: [...words.keys()] })
  const lines = linesOf(text).map(
    (line, i) =>
      html`<span class="line" data-line="${start + i}"
        >${pieces(text, line, { marks, words })}${LINE_END}</span
      >`,
  )
  const next = start + lines.length
  const rest = next > end ? false : html`<p class="rest">Lines ${next}–${end} are no longer in the file.</p>`
  return html`<pre class="code">${lines}</pre>
    ${rest}`
}

/** Spans of the lines, breaks left out. */
function linesOf(text: string): readonly TextSpan[] {
  let start = 0
  return text.split('\n').map((line) => {
    const span = { start, end: start + line.length }
    start = span.end + 1
    return span
  })
}

interface Marked {
  readonly marks: CodeMarks
  readonly words: LookedFor
}

/** A line in pieces, each of which is wholly comment or code, wholly a word looked for or not. */
function pieces(text: string, line: TextSpan, { marks, words }: Marked): readonly Content[] {
  const touches = ({ start, end }: TextSpan): boolean => start < line.end && end > line.start
  const comments = marks.comments.filter(touches)
  const places = marks.words.filter(touches)
  const ends = [...comments, ...places].flatMap(({ start, end }) => [start, end])
  const cuts = [line.start, ...ends.filter((at) => at > line.start && at < line.end), line.end]
  const borders = [...new Set(cuts)].sort((a, b) => a - b)
  return borders.slice(0, -1).map((from, i) => {
    const to = borders[i + 1]! // there is one more border than there are pieces
    const covers = ({ start, end }: TextSpan): boolean => start <= from && end >= to
    const origin = words.get(places.find(covers)?.word ?? '')
    const piece = text.slice(from, to)
    const shown = origin === undefined ? piece : marked(piece, origin)
    return comments.some(covers) ? html`<span class="c">${shown}</span>` : shown
  })
}
