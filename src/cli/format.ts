/** An answer as text, markdown, JSON, paths or a page. One function a format, each a pure function of the answer. */
import pc from 'picocolors'
import { fenced } from '../fence.js'
import { nothingFound, type Answer, type AnswerFile, type AnswerRange } from '../index.js'
import { PLAIN, type Layout } from './layout.js'
import { storyOf } from './story.js'
import { allVisible, visibleJson } from './visible.js'

export const FORMATS = ['text', 'json', 'markdown', 'paths', 'html'] as const
export type Format = (typeof FORMATS)[number]
/** What is written line by line. */
export type PlainFormat = Exclude<Format, 'html'>

export interface FormatOptions {
  readonly isColoured: boolean
  /** Without indentation: where every byte counts. */
  readonly isCompact: boolean
  /** Tell the whole story: of the query in text, every signal on a page. */
  readonly isExplained?: boolean
  /** Text: of the terminal. Default: none, nothing is wrapped or linked. */
  readonly layout?: Layout
}

/** The writer of a format. What makes pages is loaded when a page is asked for. */
export async function formatter(as: Format): Promise<(answer: Answer, options: FormatOptions) => string> {
  if (as !== 'html') return (answer, options) => format(answer, as, options)
  const { answerPageWriter } = await import('./html/answer-page.js')
  return answerPageWriter()
}

/**
 * What a format shows that others do not: lines of code (JSON where a budget limits them), and what moved each rating
 * where room is no matter.
 */
export function shownBy(
  as: Format,
  { isCompact }: Pick<FormatOptions, 'isCompact'>,
): { readonly withText?: true; readonly explain?: true } {
  if (as === 'markdown' || (as === 'json' && isCompact)) return { withText: true }
  if (as !== 'html') return {}
  return isCompact ? { withText: true } : { withText: true, explain: true }
}

export function format(answer: Answer, as: PlainFormat, options: FormatOptions): string {
  return written(answer, as, options, { markdown, text })
}

/** How one kind of answer is put for people. */
export interface Wordings<A> {
  readonly markdown: (answer: A) => string
  readonly text: (answer: A, options: FormatOptions) => string
}

/** Any answer that has files: what programs read is the same for all kinds, what people read comes from `wordings`. */
export function written<A extends { readonly files: readonly { readonly path: string }[] }>(
  answer: A,
  as: PlainFormat,
  options: FormatOptions,
  wordings: Wordings<A>,
): string {
  switch (as) {
    case 'json':
      return `${visibleJson(JSON.stringify(answer, null, options.isCompact ? undefined : 2))}\n`
    case 'paths':
      return answer.files.map(({ path }) => `${path}\n`).join('')
    case 'markdown':
      return wordings.markdown(answer)
    case 'text':
      return wordings.text(answer, options)
  }
}

// Columns of the number before a path; what belongs to the file stands below the path.
export const PATH_INDENT = 5

function text(raw: Answer, { isColoured, isExplained, layout = PLAIN }: FormatOptions): string {
  const c = pc.createColors(isColoured)
  const answer = allVisible(raw)
  const link = (file: AnswerFile, i: number): string =>
    layout.link(file.path, raw.files[i]?.path ?? file.path)
  const lines = answer.files.flatMap((file, i) => [
    `${c.bold(percent(file.relevance))} ${c.cyan(link(file, i))}  ${c.dim(ranges(file))}`,
    `     ${file.reason}`,
    ...(file.evidence ?? []).map(({ signal, value, effect }) =>
      c.dim(`       ${signal.padEnd(20)} ${value.toFixed(3).padStart(7)}  ${signed(effect)}`),
    ),
    ...file.missingContext.map((m) =>
      c.yellow(`     needs ${m.name}${m.definedIn === undefined ? '' : ` (${m.definedIn})`}`),
    ),
  ])
  if (answer.files.length === 0) lines.push(nothingFound(answer))
  if (isExplained === true) lines.push('', ...storyOf(answer).map(c.dim))
  lines.push('', c.dim(summary(answer)))
  for (const { message } of answer.notes) lines.push(c.yellow(`note: ${message}`))
  return fitted(lines, layout)
}

/** Lines that are not indented belong to a number: what goes on below stands under the path. */
export function fitted(lines: readonly string[], layout: Layout): string {
  return lines
    .map((line) => `${layout.fit(line, /^\S*\d\.\d\d/.test(line) ? PATH_INDENT : undefined)}\n`)
    .join('')
}

/** The ranges are expected to carry their text. */
function markdown(answer: Answer): string {
  const parts = [`# ${answer.task.trim().split('\n')[0] ?? ''}`, '']
  for (const file of answer.files) {
    parts.push(
      `## ${file.path}`,
      '',
      `Relevance ${file.relevance.toFixed(2)} (${file.band}): ${file.reason}`,
      '',
    )
    for (const range of file.ranges) parts.push(...excerpt(file, range))
  }
  if (answer.files.length === 0) parts.push(nothingFound(answer), '')
  for (const gap of answer.gaps) {
    parts.push(`- missing: ${gap.name}${gap.definedIn === undefined ? '' : ` (${gap.definedIn})`}`)
  }
  for (const { message } of answer.notes) parts.push(`- note: ${message}`)
  return `${parts.join('\n').trimEnd()}\n`
}

export function excerpt(
  file: { readonly path: string },
  { start, end, symbol, text: code }: AnswerRange,
): readonly string[] {
  const title = `Lines ${start}-${end}${symbol === undefined ? '' : `, ${symbol}`}`
  if (code === undefined) return [title, '']
  return [`${title}:`, '', ...fenced(file.path, code), '']
}

function summary({ stop, cycles, index, ms }: Answer): string {
  const bridges = cycles
    .flatMap(({ bridged }) => bridged)
    .map(({ word, to }) => `${word} -> ${to.join(', ')}`)
  const said = bridges.length === 0 ? '' : `; words bridged: ${bridges.join('; ')}`
  // A budget may have left the cycles out.
  const after = cycles.length === 0 ? '' : ` after ${cycles.length} cycle${cycles.length === 1 ? '' : 's'}`
  return `${stop}${after}, ${index.files} files, ${ms} ms${said}`
}

export function ranges({ ranges: all }: Pick<AnswerFile, 'ranges'>): string {
  return all
    .map(({ start, end, symbol }) => `${start}-${end}${symbol === undefined ? '' : ` ${symbol}`}`)
    .join(', ')
}

function percent(relevance: number): string {
  return relevance.toFixed(2)
}

function signed(effect: number): string {
  return `${effect >= 0 ? '+' : ''}${effect.toFixed(2)}`
}
