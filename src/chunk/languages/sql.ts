/** SQL of any dialect: one entry a CREATE statement, from the line it starts on to the one that ends it. */
import type { SymbolKind } from '../../types.js'
import type { Entry } from '../entry.js'
import type { LanguageRow, LineOutline, OutlineSource } from './row.js'

const CREATE =
  /^\s*create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:global|local|temp(?:orary)?|unlogged|materialized|unique|virtual|external|recursive|definer\s*=\s*\S+)\s+)*(?<what>table|view|function|procedure|proc|trigger|index|type|domain|sequence|schema|package)\s+(?:body\s+)?(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?<name>[\w."`[\]$]+)/i
const NEXT_STATEMENT =
  /^(?:create|alter|drop|insert|update|delete|grant|revoke|comment|delimiter|use|set|begin|commit|go)\b/i
const DOLLAR_QUOTE = /\$\w*\$/g
// A definition stands near the start of its line; longer lines are data.
const MAX_LINE_CHARS = 2000

const KIND_OF: ReadonlyMap<string, SymbolKind> = new Map([
  ['function', 'function'],
  ['procedure', 'function'],
  ['proc', 'function'],
  ['trigger', 'function'],
  ['index', 'constant'],
  ['sequence', 'constant'],
  ['schema', 'module'],
  ['package', 'module'],
])

const sqlOutline: LineOutline = (source) => {
  const entries: Entry[] = []
  for (let line = 1; line <= source.lines.count; line++) {
    const entry = definitionAt(line, entries.at(-1)?.endLine ?? 0, source)
    if (!entry) continue
    entries.push(entry)
    line = entry.endLine
  }
  return entries
}

function definitionAt(line: number, floor: number, source: OutlineSource): Entry | undefined {
  const { what, name } = CREATE.exec(lineText(source, line))?.groups ?? {}
  if (what === undefined || name === undefined || source.isOnlyComment.has(line)) return undefined
  const kind = KIND_OF.get(what.toLowerCase()) ?? 'type'
  let startLine = line
  while (startLine - 1 > floor && source.isOnlyComment.has(startLine - 1)) startLine--
  const endLine = endOf(line, kind === 'function' || kind === 'module', source)
  const bare = name.replace(/["`[\]]/g, '').replace(/^\.+|\.+$/g, '')
  return { name: bare, kind, scope: '', line, startLine, endLine, members: [], isReopening: false }
}

/** The line that ends in ";". Inside of a body, which has such lines too, the dollar quote or the next statement. */
function endOf(start: number, hasBody: boolean, source: OutlineSource): number {
  let isQuoted = false
  let wasQuoted = false
  let lastWithText = start
  for (let line = start; line <= source.lines.count; line++) {
    const text = lineText(source, line)
    if (
      line > start &&
      !isQuoted &&
      NEXT_STATEMENT.test(text) &&
      !(hasBody && /^(?:begin|set)\b/i.test(text))
    )
      return lastWithText
    if (!source.isOnlyComment.has(line) && text.trim() !== '') lastWithText = line
    if ((text.match(DOLLAR_QUOTE)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted
    wasQuoted ||= isQuoted
    if (!isQuoted && (!hasBody || wasQuoted) && /;\s*(?:--.*)?$/.test(text)) return line
  }
  return lastWithText
}

function lineText({ lines }: OutlineSource, line: number): string {
  return lines.chars(line, line) > MAX_LINE_CHARS ? '' : lines.slice(line, line).trimEnd()
}

export const SQL: LanguageRow = {
  name: 'sql',
  comments: { line: ['--'], block: [['/*', '*/']], strings: ["'"] },
  outline: sqlOutline,
}
