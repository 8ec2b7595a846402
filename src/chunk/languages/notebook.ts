/** Jupyter notebooks: JSON whose cells are the pieces; definitions and headings are read from their source lines. */
import type { SymbolKind } from '../../types.js'
import type { Entry } from '../entry.js'
import { jsonElements } from '../json-members.js'
import type { LineTable } from '../line-table.js'
import type { LanguageRow, LineOutline } from './row.js'

/** A source line is a JSON string on a line of its own: `    "def load(path):\\n",`. Only the margin of the cell counts. */
const PATTERNS: readonly { readonly pattern: RegExp; readonly kind: SymbolKind }[] = [
  { pattern: /^\s*(?:"source":\s*\[?)?"(?:async )?def (?<name>\w+)/, kind: 'function' },
  { pattern: /^\s*(?:"source":\s*\[?)?"class (?<name>\w+)/, kind: 'class' },
  { pattern: /^\s*(?:"source":\s*\[?)?"#{1,4} (?<name>[^"\\]+)/, kind: 'section' },
]
// An output may be a picture on one line.
const MAX_LINE_CHARS = 2000

const notebookOutline: LineOutline = ({ lines, text }) => {
  const entries: Entry[] = []
  for (const { start, end } of jsonElements(text, 'cells')) {
    const startLine = Math.max(lines.lineAt(start), (entries.at(-1)?.endLine ?? 0) + 1)
    const endLine = lines.lineAt(end)
    if (endLine >= startLine) entries.push(cell(lines, { startLine, endLine }))
  }
  return entries
}

/** Named for its first definition or heading; the cell itself is none. */
function cell(lines: LineTable, at: { startLine: number; endLine: number }): Entry {
  const { startLine, endLine } = at
  const members = definitionsIn(lines, at)
  members.forEach((member, index) => (member.endLine = (members[index + 1]?.line ?? endLine + 1) - 1))
  const name = members[0]?.name ?? ''
  return { name, kind: 'section', scope: '', line: startLine, startLine, endLine, members, isReopening: true }
}

function definitionsIn(
  lines: LineTable,
  { startLine, endLine }: { startLine: number; endLine: number },
): Entry[] {
  const found: Entry[] = []
  for (let line = startLine; line <= endLine; line++) {
    if (lines.chars(line, line) > MAX_LINE_CHARS) continue
    const text = lines.slice(line, line)
    for (const { pattern, kind } of PATTERNS) {
      const name = pattern.exec(text)?.groups?.['name']?.trim()
      if (name === undefined || name === '' || (kind === 'section' && isCode(lines, startLine, line)))
        continue
      const at = { line, startLine: line, endLine: line }
      found.push({ name, kind, scope: '', ...at, members: [], isReopening: false })
    }
  }
  return found
}

/** "# note" is a heading in a Markdown cell and a comment in a code cell; the cell's type stands above its source. */
function isCode(lines: LineTable, from: number, to: number): boolean {
  return /"cell_type":\s*"code"/.test(lines.slice(from, to))
}

export const NOTEBOOK: LanguageRow = {
  name: 'notebook',
  comments: { line: [], block: [], strings: [] },
  outline: notebookOutline,
}
