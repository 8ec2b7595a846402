/** What is related, as text, markdown, JSON, paths or a page. */
import pc from 'picocolors'
import type { RelatedAnswer } from '../index.js'
import {
  excerpt,
  fitted,
  ranges,
  written,
  type Format,
  type FormatOptions,
  type PlainFormat,
} from './format.js'
import { PLAIN } from './layout.js'
import { placesInWords } from './places-in-words.js'
import { allVisible } from './visible.js'

/** The writer of a format, as `formatter` is for answers. */
export async function relatedFormatter(
  as: Format,
): Promise<(answer: RelatedAnswer, options: FormatOptions) => string> {
  if (as !== 'html') return (answer, options) => formatRelated(answer, as, options)
  const { relatedPageWriter } = await import('./html/related-page.js')
  return relatedPageWriter()
}

export function formatRelated(answer: RelatedAnswer, as: PlainFormat, options: FormatOptions): string {
  return written(answer, as, options, { markdown, text })
}

function text(raw: RelatedAnswer, { isColoured, layout = PLAIN }: FormatOptions): string {
  const c = pc.createColors(isColoured)
  const answer = allVisible(raw)
  const lines = answer.files.flatMap((file, i) => [
    `${c.bold(file.relatedness.toFixed(2))} ${c.cyan(layout.link(file.path, raw.files[i]?.path ?? file.path))}  ${c.dim(ranges(file))}`,
    `     ${file.reason}`,
  ])
  if (answer.files.length === 0) lines.push('Nothing related found.')
  lines.push('', c.dim(`related to ${placesInWords(answer)}; ${answer.index.files} files, ${answer.ms} ms`))
  for (const { message } of answer.notes) lines.push(c.yellow(`note: ${message}`))
  return fitted(lines, layout)
}

/** The ranges are expected to carry their text. */
function markdown(answer: RelatedAnswer): string {
  const parts = [`# Related to ${placesInWords(answer)}`, '']
  for (const file of answer.files) {
    parts.push(`## ${file.path}`, '', `${file.relatedness.toFixed(2)}: ${file.reason}`, '')
    for (const range of file.ranges) parts.push(...excerpt(file, range))
  }
  if (answer.files.length === 0) parts.push('Nothing related found.', '')
  for (const { message } of answer.notes) parts.push(`- note: ${message}`)
  return `${parts.join('\n').trimEnd()}\n`
}
