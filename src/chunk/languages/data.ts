/** Data and settings: cut at top-level keys, tables, stages. The keys name pieces; they define nothing. */
import { headedOutline, type Heading } from '../headed-outline.js'
import { jsonMembers } from '../json-members.js'
import type { LineTable } from '../line-table.js'
import type { CommentSyntax, LanguageRow, LineOutline } from './row.js'

const HASH: CommentSyntax = { line: ['#'], block: [], strings: ['"', "'"], markerNeedsSpace: true }
// A key stands at the start of its line; what is longer is a value.
const MAX_KEY_LINE_CHARS = 2000

/** Lines on which the pattern matches; group `name` is the name. */
function byLine(pattern: RegExp): LineOutline {
  return ({ lines, isOnlyComment }) =>
    headedOutline(headingsBy(pattern, lines), { lines, isOnlyComment, kind: 'section', areSymbols: false })
}

function headingsBy(pattern: RegExp, lines: LineTable): readonly Heading[] {
  const headings: Heading[] = []
  for (let line = 1; line <= lines.count; line++) {
    if (lines.chars(line, line) > MAX_KEY_LINE_CHARS) continue
    const name = pattern.exec(lines.slice(line, line).trimEnd())?.groups?.['name']
    if (name !== undefined) headings.push({ line, level: 1, name })
  }
  return headings
}

const jsonOutline: LineOutline = ({ lines, text, isOnlyComment }) => {
  const headings: Heading[] = []
  for (const { name, at } of jsonMembers(text)) {
    const line = lines.lineAt(at)
    if (line !== headings.at(-1)?.line) headings.push({ line, level: 1, name })
  }
  return headedOutline(headings, { lines, isOnlyComment, kind: 'section', areSymbols: false })
}

export const DATA_ROWS: readonly LanguageRow[] = [
  { name: 'json', comments: { line: [], block: [], strings: [] }, outline: jsonOutline },
  {
    name: 'jsonc',
    comments: { line: ['//'], block: [['/*', '*/']], strings: ['"'] },
    outline: jsonOutline,
  },
  {
    name: 'yaml',
    comments: HASH,
    outline: byLine(/^["']?(?<name>[^\s#"'&*!|>%@`{}[\],:-][^#"':]*?)["']?\s*:(?:\s|$)/),
  },
  {
    name: 'toml',
    comments: { ...HASH, longStrings: [['"""', '"""']] },
    outline: byLine(/^\[{1,2}\s*(?<name>[^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/),
  },
  {
    name: 'ini',
    comments: { line: ['#', ';'], block: [], strings: [], markerNeedsSpace: true },
    outline: byLine(/^\[(?<name>[^\]]+)\]/),
  },
  // A stage with its name, or with the image it starts from.
  {
    name: 'dockerfile',
    comments: HASH,
    outline: byLine(/^FROM\s+(?:--\S+\s+)*(?:\S+\s+AS\s+)?(?<name>\S+)/i),
  },
]
