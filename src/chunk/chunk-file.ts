/** The chunker: text of one file in, chunks and symbols out. No I/O but loading grammars in `prepare`. */
import type { SyntaxNode } from './syntax-node.js'
import type { Chunk, ChunkedFile, CodeSymbol } from '../types.js'
import { commentScanner, type CommentLines, type CommentScan } from './comment-scan.js'
import type { Entry } from './entry.js'
import { Grammars } from './grammar.js'
import { languageOf } from './language.js'
import type { GrammarRules, LanguageRow, ScriptsIn } from './languages/row.js'
import { rowOf } from './languages/table.js'
import { layout, type Span } from './layout.js'
import { cutLines } from './line-cut.js'
import { LineTable, withUnixBreaks } from './line-table.js'
import { outline } from './outline.js'
import { patternOutline } from './pattern-outline.js'

// 1,000,000 chars: the walk's own limit; a file beyond it is generated, and a parse of it takes seconds.
const MAX_PARSE_CHARS = 1_000_000
// 20,000 chars: no hand writes such a line; on minified code a parse costs much and its symbols mean nothing.
const MAX_PARSE_LINE_CHARS = 20_000

export interface Chunker {
  /** Loads what a language needs; instant when it is loaded or needs nothing. */
  prepare(language: string): Promise<void>
  /** Synchronous and pure. Throws when the file's language was not prepared. */
  chunk(path: string, text: string): ChunkedFile
}

/** One chunker per thread: it owns that thread's parsers. */
export function createChunker(): Promise<Chunker> {
  return Promise.resolve(new FileChunker())
}

interface Source {
  readonly lines: LineTable
  readonly comments: CommentLines
}

interface Found {
  readonly symbols: readonly CodeSymbol[]
  readonly spans: readonly Span[]
  readonly fallback?: string
}

class FileChunker implements Chunker {
  private readonly grammars = new Grammars()
  private readonly scanners = new Map<string, CommentScan>()

  async prepare(language: string): Promise<void> {
    const { rules } = rowOf(language)
    if (rules) await this.grammars.load(language, rules.grammar)
    for (const inner of rowOf(language).scripts?.languages ?? []) await this.prepare(inner)
  }

  chunk(path: string, text: string): ChunkedFile {
    const row = rowOf(languageOf(path, text))
    const lines = LineTable.of(text)
    const unix = withUnixBreaks(text)
    const comments = this.scannerOf(row)(unix, lines)
    const found = this.find(row, unix, { lines, comments })
    const chunks = toChunks(found, lines, comments)
    const { symbols, fallback } = found
    return { language: row.name, chunks, symbols, ...(fallback === undefined ? {} : { fallback }) }
  }

  private find(row: LanguageRow, text: string, source: Source): Found {
    const { lines, comments } = source
    if (!row.rules) {
      const { patterns = [] } = row
      const { isOnlyComment } = comments
      if (row.outline) return byEntries(source, row.outline({ lines, text, isOnlyComment }))
      if (row.scripts && refusalToParse(lines) === undefined)
        return this.findInScripts(row.scripts, text, source)
      // A pattern may still match in minified or huge text; such names mean nothing.
      const isUsable = patterns.length > 0 && refusalToParse(lines) === undefined
      return isUsable ? byEntries(source, patternOutline({ lines, comments, patterns })) : byLines(lines)
    }
    return this.findByGrammar(row, row.rules, { text, source })
  }

  private findByGrammar(
    row: LanguageRow,
    rules: GrammarRules,
    given: { text: string; source: Source },
  ): Found {
    const { text, source } = given
    const { lines, comments } = source
    const refusal = refusalToParse(lines)
    if (refusal !== undefined) return { ...byLines(lines), fallback: refusal }
    const readable = rules.readable?.(text) ?? text
    const parsed = this.grammars.parse(row.name, readable)
    if (parsed.kind === 'failed') return { ...byLines(lines), fallback: parsed.reason }
    const parsePart = (part: { start: number; end: number }): SyntaxNode | undefined => {
      const inside = this.grammars.parse(row.name, readable, part)
      return inside.kind === 'tree' ? inside.root : undefined
    }
    return byEntries(source, outline(parsed.root, { rules, lines, comments, parsePart }))
  }

  /** Markup with scripts inside: the symbols of each script, and the markup between them as lines. */
  private findInScripts(scripts: ScriptsIn, text: string, source: Source): Found {
    const entries = scripts.blocks(text).flatMap(({ language, start, end }) => {
      const { rules } = rowOf(language)
      if (!rules) return []
      const parsed = this.grammars.parse(language, text, { start, end })
      return parsed.kind === 'tree'
        ? outline(parsed.root, { rules, ...source, parsePart: () => undefined })
        : []
    })
    return byEntries(source, entries)
  }

  private scannerOf(row: LanguageRow): CommentScan {
    let scan = this.scanners.get(row.name)
    if (!scan) {
      scan = commentScanner(row.comments)
      this.scanners.set(row.name, scan)
    }
    return scan
  }
}

function refusalToParse(lines: LineTable): string | undefined {
  const { length } = lines.text
  if (length > MAX_PARSE_CHARS) return `too large to parse: ${length} > ${MAX_PARSE_CHARS} characters`
  for (let line = 1; length > MAX_PARSE_LINE_CHARS && line <= lines.count; line++) {
    const chars = lines.chars(line, line)
    if (chars > MAX_PARSE_LINE_CHARS) return `line ${line} is too long to parse: ${chars} characters`
  }
  return undefined
}

function byEntries(source: Source, entries: readonly Entry[]): Found {
  return { symbols: flatten(entries), spans: layout(source.lines, source.comments, entries) }
}

function byLines(lines: LineTable): Found {
  const ranges = cutLines(lines, { from: 1, to: lines.count })
  return { symbols: [], spans: ranges.map((range) => ({ ...range, kind: 'block', name: '', scope: '' })) }
}

/** Depth first, in source order: an owner before its members. */
function flatten(entries: readonly Entry[]): readonly CodeSymbol[] {
  const symbols: CodeSymbol[] = []
  const visit = (entry: Entry): void => {
    const { name, kind, scope, line, startLine, endLine } = entry
    if (!entry.isReopening) symbols.push({ name, kind, scope, line, startLine, endLine })
    entry.members.forEach(visit)
  }
  entries.forEach(visit)
  return symbols
}

function toChunks(found: Found, lines: LineTable, comments: CommentLines): readonly Chunk[] {
  const starting = namesByLine(found.symbols)
  return found.spans.map(({ from, to, kind, name, scope }) => {
    // A comment above a symbol may have been cut off from it; the chunk that is the symbol names it all the same.
    const names = new Set<string>(kind === 'piece' || kind === 'block' ? [] : [name])
    const texts: string[] = []
    for (let line = from; line <= to; line++) {
      for (const started of starting.get(line) ?? []) names.add(started)
      const comment = comments.textOf.get(line)
      if (comment !== undefined) texts.push(comment)
    }
    return {
      startLine: from,
      endLine: to,
      kind,
      name,
      scope,
      symbols: names.has(name) ? [name, ...[...names].filter((other) => other !== name)] : [...names],
      text: lines.slice(from, to),
      comment: texts.join('\n'),
    }
  })
}

function namesByLine(symbols: readonly CodeSymbol[]): ReadonlyMap<number, readonly string[]> {
  const byLine = new Map<number, string[]>()
  for (const { name, startLine } of symbols) {
    const names = byLine.get(startLine)
    if (names) names.push(name)
    else byLine.set(startLine, [name])
  }
  return byLine
}
