/** Prose with headings: Markdown and reStructuredText. */
import { headedOutline, type Heading } from '../headed-outline.js'
import type { LineTable } from '../line-table.js'
import type { LanguageRow, LineOutline } from './row.js'

// 4: deeper headings stand over a paragraph or two; as sections of their own they would be stumps.
const MAX_LEVEL = 4
// A heading is a short line; a longer one is a paragraph.
const MAX_HEADING_CHARS = 200
// Markdown takes one "=" for an underline; two keep a stray one out.
const UNDERLINE = /^(={2,}|-{2,})\s*$/
const NO_TEXT = /^(?:\s*$|\s*[-*+>|]|\s*\d+[.)]\s| {4}|#)/

function lineText(lines: LineTable, line: number): string {
  return line < 1 || line > lines.count || lines.chars(line, line) > MAX_HEADING_CHARS
    ? ''
    : lines.slice(line, line).trimEnd()
}

function outlineBy(headingsOf: (lines: LineTable) => readonly Heading[]): LineOutline {
  // Comments stand inside sections; none belongs to the heading below it.
  return ({ lines }) =>
    headedOutline(headingsOf(lines), { lines, isOnlyComment: new Set(), kind: 'section', areSymbols: true })
}

/** Headings with "#" or underlined, outside fences and front matter. */
function markdownHeadings(lines: LineTable): readonly Heading[] {
  const headings: Heading[] = []
  let fence = ''
  for (let line = firstAfterFrontMatter(lines); line <= lines.count; line++) {
    const text = lineText(lines, line)
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence) && text.trim() === mark) fence = ''
    } else if (mark !== '') fence = mark
    else {
      const heading = markdownHeading(lines, line, text)
      if (heading && heading.level <= MAX_LEVEL) headings.push(heading)
    }
  }
  return headings
}

function markdownHeading(lines: LineTable, line: number, text: string): Heading | undefined {
  const [, marks = '', title = ''] = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?$/.exec(text) ?? []
  if (title !== '') return { line, level: marks.length, name: title }
  const under = UNDERLINE.exec(lineText(lines, line + 1))?.[1]
  if (under === undefined || NO_TEXT.test(text) || !NO_TEXT.test(lineText(lines, line - 1))) return undefined
  return { line, level: under.startsWith('=') ? 1 : 2, name: text.trim() }
}

function firstAfterFrontMatter(lines: LineTable): number {
  if (lineText(lines, 1) !== '---') return 1
  for (let line = 2; line <= lines.count; line++) if (lineText(lines, line) === '---') return line + 1
  return 1
}

const RST_UNDERLINE = /^([=\-`:'"~^_*+#<>.])\1{2,}$/

/** A line of text over a line of punctuation; the order in which marks first appear is their level. */
function rstHeadings(lines: LineTable): readonly Heading[] {
  const headings: Heading[] = []
  const marks: string[] = []
  for (let line = 1; line < lines.count; line++) {
    const title = lineText(lines, line)
    const under = lineText(lines, line + 1)
    const mark = RST_UNDERLINE.exec(under)?.[1]
    const isTitle = title !== '' && !/^\s|^\.\. /.test(title) && !RST_UNDERLINE.test(title)
    if (mark === undefined || !isTitle || under.length < title.trim().length) continue
    const style = lineText(lines, line - 1) === under ? mark + mark : mark
    if (!marks.includes(style)) marks.push(style)
    const level = marks.indexOf(style) + 1
    if (level <= MAX_LEVEL) headings.push({ line, level, name: title.trim() })
  }
  return headings
}

export const MARKDOWN: LanguageRow = {
  name: 'markdown',
  comments: { line: [], block: [['<!--', '-->']], strings: [] },
  outline: outlineBy(markdownHeadings),
}

export const RST: LanguageRow = {
  name: 'rst',
  comments: { line: [], block: [], strings: [] },
  outline: outlineBy(rstHeadings),
}
