/** The outline of languages without a grammar: patterns find where a symbol starts, indentation where it ends. */
import type { SymbolKind } from '../types.js'
import type { CommentLines } from './comment-scan.js'
import type { DefinitionPattern } from './languages/row.js'
import type { LineTable } from './line-table.js'
import type { Entry } from './entry.js'

// 400: a definition's name stands near the start of its line; longer lines are data.
const MAX_LINE_CHARS = 400

const CONTAINERS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['class', 'interface', 'enum', 'module'])
const CLOSER = /^\s*(?:[)\]}]|end\b)/

interface OpenEntry extends Entry {
  readonly members: Entry[]
  readonly indent: number
}

interface PatternInput {
  readonly lines: LineTable
  readonly comments: CommentLines
  readonly patterns: readonly DefinitionPattern[]
}

/** Definitions inside functions are left out: only classes and their like have members. */
export function patternOutline(input: PatternInput): readonly Entry[] {
  const { lines, comments } = input
  const top: Entry[] = []
  const open: OpenEntry[] = []
  for (let line = 1; line <= lines.count; line++) {
    const indent = lines.indentOf(line)
    if (indent === Infinity || comments.isOnlyComment.has(line)) continue
    close(open, { line, indent, isCloser: CLOSER.test(lines.slice(line, line)) })
    for (const entry of open) entry.endLine = line
    const owner = open.at(-1)
    if (owner && !CONTAINERS.has(owner.kind)) continue
    const entry = definitionAt(line, input, owner)
    if (!entry) continue
    ;(owner?.members ?? top).push(entry)
    open.push(entry)
  }
  return top
}

/** Ends every entry that does not reach this line; a closing bracket is the last line of what it closes. */
function close(open: OpenEntry[], at: { line: number; indent: number; isCloser: boolean }): void {
  for (let last = open.at(-1); last && at.indent <= last.indent; last = open.at(-1)) {
    // `) -> Result {` and `{` on a line of their own continue a head; only a bracket after it closes.
    if (at.isCloser && at.indent === last.indent) {
      last.endLine = at.line
    }
    open.pop()
  }
}

function definitionAt(
  line: number,
  input: PatternInput,
  owner: OpenEntry | undefined,
): OpenEntry | undefined {
  const { lines, comments, patterns } = input
  if (lines.chars(line, line) > MAX_LINE_CHARS) return undefined
  const text = lines.slice(line, line).trimEnd()
  for (const { pattern, kind, isReopening } of patterns) {
    const name = pattern.exec(text)?.groups?.['name']
    if (name === undefined) continue
    let startLine = line
    while (comments.isOnlyComment.has(startLine - 1) || isAttribute(lines, startLine - 1)) startLine--
    return {
      name,
      kind: kindIn(kind, owner),
      scope: owner ? [owner.scope, owner.name].filter((part) => part !== '').join('.') : '',
      line,
      startLine,
      endLine: line,
      members: [],
      isReopening: isReopening === true,
      indent: lines.indentOf(line),
    }
  }
  return undefined
}

function kindIn(kind: SymbolKind, owner: OpenEntry | undefined): SymbolKind {
  if (!owner || owner.kind === 'module') return kind
  if (kind === 'function') return 'method'
  return kind === 'variable' ? 'field' : kind
}

function isAttribute(lines: LineTable, line: number): boolean {
  return line >= 1 && /^\s*@\w+(?:\(.*\))?\s*$/.test(lines.slice(line, line))
}
