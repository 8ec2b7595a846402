/** Finds comments by their markers, without a grammar: strings are skipped, markers stripped. Approximate by design. */
import type { CommentSyntax } from './languages/row.js'
import type { LineTable } from './line-table.js'

export interface CommentLines {
  /** Stripped comment text per line; index 0 is line 1. Lines without comment are absent. */
  readonly textOf: ReadonlyMap<number, string>
  /** Lines that hold a comment and nothing else. */
  readonly isOnlyComment: ReadonlySet<number>
}

const NO_COMMENTS: CommentLines = { textOf: new Map(), isOnlyComment: new Set() }

/** `text` must have Unix breaks (same length as the text of `lines`). */
export type CommentScan = (text: string, lines: LineTable) => CommentLines

/** Offsets of every comment and documentation string in a text with Unix breaks, markers included; in order. */
export function commentSpans(
  syntax: CommentSyntax,
): (text: string) => readonly { readonly start: number; readonly end: number }[] {
  if (syntax.line.length + syntax.block.length === 0) return () => []
  const token = new RegExp(tokenSource(syntax), 'gm')
  return (text) =>
    [...text.matchAll(token)]
      .filter(({ 1: block = '', 2: line = '', 3: doc = '', index }) => {
        return block !== '' || line !== '' || (doc !== '' && isStatement(text, index))
      })
      .map(({ 0: whole, index }) => ({ start: index, end: index + whole.length }))
}

/** Compiles one regular expression out of the syntax; reuse the returned scanner. */
export function commentScanner(syntax: CommentSyntax): CommentScan {
  if (syntax.line.length + syntax.block.length === 0) return () => NO_COMMENTS
  const token = new RegExp(tokenSource(syntax), 'gm')
  return (text, lines) => {
    const found = new CommentCollector(text, lines, syntax)
    for (const match of text.matchAll(token)) found.add(match)
    return found
  }
}

/** Group 1: line comment, group 2: block comment, group 3: string that may be documentation; else a string. */
function tokenSource(syntax: CommentSyntax): string {
  const lead = syntax.markerNeedsSpace ? '(?<![^\\s;&|(])' : ''
  const line = any(syntax.line.map((marker) => `${escape(marker)}[^\\n]*`))
  const block = any(syntax.block.map(([open, close]) => blockSource(open, close)))
  const long = (syntax.longStrings ?? []).map(([open, close, raw]) => longStringSource(open, close, raw))
  const parts = [`(${block})`, `${lead}(${line})`]
  if (syntax.hasDocStrings) parts.push(`(${any(long)})`)
  else parts.push('(?!)()', ...long)
  if (syntax.hasCharLiterals) parts.push(`'(?:\\\\[^\\n']+|\\\\'|[^\\\\'\\n])'`)
  parts.push(...syntax.strings.map(stringSource))
  return parts.join('|')
}

function any(sources: readonly string[]): string {
  return sources.length === 0 ? '(?!)' : sources.join('|')
}

/** A marker that starts with a letter ("=begin", "=pod") counts only at the start of a line. */
function blockSource(open: string, close: string): string {
  const anchor = open.startsWith('=') ? '^' : ''
  return `${anchor}${escape(open)}[^]*?(?:${anchor}${escape(close)}|(?![^]))`
}

function longStringSource(open: string, close: string, raw?: 'raw'): string {
  if (raw) return blockSource(open, close)
  return `${escape(open)}[^\\\\]*?(?:\\\\[^][^\\\\]*?)*?(?:${escape(close)}|(?![^]))`
}

function stringSource(quote: string): string {
  const inside = `[^\\\\\\n${escape(quote)}]*`
  return `${escape(quote)}${inside}(?:\\\\[^]${inside})*${escape(quote)}?`
}

function escape(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

class CommentCollector implements CommentLines {
  readonly textOf = new Map<number, string>()
  readonly isOnlyComment = new Set<number>()

  constructor(
    private readonly text: string,
    private readonly lines: LineTable,
    private readonly syntax: CommentSyntax,
  ) {}

  add(match: RegExpExecArray): void {
    const [whole, block, line, doc] = match
    const start = match.index
    const end = start + whole.length
    if (start === 0 && whole.startsWith('#!')) return
    if (line) {
      this.addLine(this.lines.lineAt(start), stripLine(line))
    } else if (block || (doc && isStatement(this.text, start))) {
      this.addBlock(this.lines.lineAt(start), stripBlock(whole, this.syntax))
    } else {
      return
    }
    if (!doc) this.markLines(start, end)
  }

  private addBlock(firstLine: number, texts: readonly string[]): void {
    texts.forEach((text, offset) => {
      this.addLine(firstLine + offset, text)
    })
  }

  private addLine(line: number, text: string): void {
    if (text === '') return
    const before = this.textOf.get(line)
    this.textOf.set(line, before === undefined ? text : `${before} ${text}`)
  }

  /** Only lines with nothing but white space around the comment count. */
  private markLines(start: number, end: number): void {
    const first = this.lines.lineAt(start)
    const last = this.lines.lineAt(Math.max(start, end - 1))
    const startsLine = this.isOnlyComment.has(first) || this.isSpace(this.lines.startOf(first), start)
    const endsLine = this.isSpace(end, this.lines.startOf(last + 1))
    for (let line = first; line <= last; line++) {
      if ((line > first || startsLine) && (line < last || endsLine)) this.isOnlyComment.add(line)
    }
  }

  private isSpace(from: number, to: number): boolean {
    return to <= from || this.text.slice(from, to).trim() === ''
  }
}

/** True when the string starts its line (a prefix letter or Elixir's @doc aside) and the code before it does not continue here. */
function isStatement(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  if (!/^\s*(?:[rRuU]|@\w*doc\s+(?:~[sS])?)?$/.test(text.slice(lineStart, start))) return false
  let at = lineStart - 1
  while (at >= 0 && /\s/.test(text.charAt(at))) at--
  return at < 0 || !'([{,=+\\%'.includes(text.charAt(at))
}

function stripLine(comment: string): string {
  return comment.replace(/^(?:\/{2,}!?|#+!?|--+(?: ?[|^])?|;+|%+|"+|'+)/, '').trim()
}

function stripBlock(comment: string, syntax: CommentSyntax): readonly string[] {
  const markers = [...syntax.block, ...(syntax.longStrings ?? [])].find(([open]) => comment.startsWith(open))
  const [open, close] = markers ?? ['', '']
  const end = comment.length >= open.length + close.length && comment.endsWith(close) ? close.length : 0
  const inside = comment.slice(open.length, comment.length - end)
  return inside.split('\n').map((line) => line.replace(/^\s*[*!|]*(?:\s|$)|\*+\s*$/g, '').trim())
}
