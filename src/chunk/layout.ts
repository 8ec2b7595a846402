/** From the outline of a file to its chunks' ranges: whole symbols, headers and members, pieces, joined tiny ones. */
import type { ChunkKind } from '../types.js'
import type { CommentLines } from './comment-scan.js'
import { cutLines, type LineRange } from './line-cut.js'
import type { LineTable } from './line-table.js'
import type { Entry } from './entry.js'

/** A chunk to be: its lines, and the symbol it is (or is a piece of). */
export interface Span extends LineRange {
  readonly kind: ChunkKind
  readonly name: string
  readonly scope: string
}

// 60 lines / 2,400 chars: longer functions hold several thoughts; below, cutting loses more context than it sharpens.
const WHOLE_LINES = 60
const WHOLE_CHARS = 2400
// 40 lines / 1,500 chars: a class this small reads as one thing; its members alone would be stumps.
const WHOLE_CLASS_LINES = 40
const WHOLE_CLASS_CHARS = 1500
// 6 lines / 400 chars: constants, prototypes, accessors; too little text for a chunk of their own.
const TINY_LINES = 6
const TINY_CHARS = 400
// 25 lines / 1,000 chars: joined tiny symbols stay well below a normal chunk, so each name still carries weight.
const BLOCK_LINES = 25
const BLOCK_CHARS = 1000
// 4: a lone constant or call between two functions reads with the function it stands before.
const STRAY_LINES = 4

/** Lines that stay together, with the symbols that start on them. */
interface Unit extends LineRange {
  readonly entries: readonly Entry[]
}

/** Spans that cover every line of the file exactly once, in order. */
export function layout(lines: LineTable, comments: CommentLines, entries: readonly Entry[]): readonly Span[] {
  if (lines.count === 0) return []
  return new Layouter(lines, comments).spansOf({ from: 1, to: lines.count }, entries, undefined)
}

class Layouter {
  constructor(
    private readonly lines: LineTable,
    private readonly comments: CommentLines,
  ) {}

  spansOf(range: LineRange, entries: readonly Entry[], owner: Entry | undefined): readonly Span[] {
    const spans: Span[] = []
    let tiny: Unit[] = []
    const flush = (): void => {
      spans.push(...this.joined(tiny, tiny[0]?.from === range.from ? owner : undefined))
      tiny = []
    }
    const units = this.units(range, entries)
    units.forEach((unit, index) => {
      const isHeader = owner !== undefined && index === 0 && unit.entries.length === 0
      if (isHeader && !this.isAtMost(unit, TINY_LINES, TINY_CHARS))
        return spans.push(...this.header(unit, owner))
      if (this.isTiny(unit)) {
        if (!this.fits(tiny[0], unit)) flush()
        return tiny.push(unit)
      }
      const stray = this.isStray(tiny) && unit.entries.length > 0 ? tiny : []
      if (stray.length === 0) flush()
      tiny = []
      return spans.push(...this.spansOfUnit(unit, stray))
    })
    if (this.isStray(tiny) && spans.length > 0) this.absorb(spans, tiny)
    else flush()
    return spans
  }

  /** Entries that share a line become one unit; what lies between them becomes units without entries. */
  private units(range: LineRange, entries: readonly Entry[]): readonly Unit[] {
    const units: Unit[] = []
    let next = range.from
    for (const entry of entries) {
      const from = Math.max(entry.startLine, range.from)
      const to = Math.min(Math.max(entry.endLine, from), range.to)
      const previous = units.at(-1)
      if (previous && from < next) {
        units[units.length - 1] = {
          from: previous.from,
          to: Math.max(previous.to, to),
          entries: [...previous.entries, entry],
        }
      } else {
        const start = Math.max(next, this.commentStart(from))
        if (start > next) this.pushGap(units, { from: next, to: start - 1 })
        units.push({ from: Math.max(start, (units.at(-1)?.to ?? 0) + 1), to, entries: [entry] })
      }
      next = Math.max(next, to + 1)
    }
    if (next <= range.to) this.pushGap(units, { from: next, to: range.to })
    return units
  }

  /** A comment one blank line above a symbol is read with it, unless it opens the file (a licence). */
  private commentStart(symbolLine: number): number {
    let line = symbolLine - 1
    if (line >= 1 && this.lines.isBlank(line)) line--
    const end = line
    while (this.comments.isOnlyComment.has(line)) line--
    return line === end || line === 0 ? symbolLine : line + 1
  }

  /** Blank lines and closing brackets after a symbol go with it; the rest of the gap is a unit of its own. */
  private pushGap(units: Unit[], gap: LineRange): void {
    let { from } = gap
    const previous = units.at(-1)
    while (previous && from <= gap.to && this.isFiller(from)) from++
    if (previous && from > gap.from) units[units.length - 1] = { ...previous, to: from - 1 }
    if (from <= gap.to) units.push({ from, to: gap.to, entries: [] })
  }

  private isFiller(line: number): boolean {
    return /^\s*(?:[)\]};,]*|end|#endif.*)\s*$/.test(this.lines.slice(line, line))
  }

  /** A class from its first line to its first member. */
  private header(range: LineRange, owner: Entry): readonly Span[] {
    return this.pieces({ from: range.from, to: range.to }, symbolOf(owner))
  }

  /** `stray`: tiny units directly above that have no other place to go. */
  private spansOfUnit(unit: Unit, stray: readonly Unit[]): readonly Span[] {
    const from = stray[0]?.from ?? unit.from
    const range = { from, to: unit.to }
    const main = mainEntry(unit.entries)
    if (!main) return cutLines(this.lines, range).map((piece) => ({ ...piece, ...BLOCK }))
    if (main.members.length > 0 && unit.entries.length === 1 && !this.isWholeClass(unit)) {
      const [head, ...rest] = this.spansOf({ from: unit.from, to: unit.to }, main.members, main)
      return head ? [{ ...head, from }, ...rest] : rest
    }
    const symbol = {
      kind: main.isReopening ? ('piece' as const) : main.kind,
      name: main.name,
      scope: main.scope,
    }
    return this.pieces(range, symbol)
  }

  private pieces(range: LineRange, symbol: Omit<Span, 'from' | 'to'>): readonly Span[] {
    if (this.isWhole(range)) return [{ ...range, ...symbol }]
    return cutLines(this.lines, range).map((piece, index) => ({
      ...piece,
      ...symbol,
      kind: index === 0 ? symbol.kind : 'piece',
    }))
  }

  /** `owner`: the class whose header is the first of the units. */
  private joined(units: readonly Unit[], owner: Entry | undefined): readonly Span[] {
    const [first] = units
    const last = units.at(-1)
    if (!first || !last) return []
    const range = { from: first.from, to: last.to }
    if (owner) return this.header(range, owner)
    const isOne = units.length === 1 && first.entries.length === 1
    return isOne ? this.spansOfUnit(first, []) : [{ ...range, ...BLOCK }]
  }

  private absorb(spans: Span[], units: readonly Unit[]): void {
    const previous = spans.at(-1)
    const to = units.at(-1)?.to
    if (previous && to !== undefined) spans[spans.length - 1] = { ...previous, to }
  }

  private isStray(units: readonly Unit[]): boolean {
    const [first] = units
    const last = units.at(-1)
    return first !== undefined && last !== undefined && last.to - first.from < STRAY_LINES
  }

  private fits(first: Unit | undefined, unit: Unit): boolean {
    return first === undefined || this.isAtMost({ from: first.from, to: unit.to }, BLOCK_LINES, BLOCK_CHARS)
  }

  private isTiny(unit: Unit): boolean {
    // Code between symbols (imports above all) joins them as long as it fits into a block.
    if (unit.entries.length === 0) return this.isAtMost(unit, BLOCK_LINES, BLOCK_CHARS)
    return this.isAtMost(unit, TINY_LINES, TINY_CHARS)
  }

  private isWhole(range: LineRange): boolean {
    return this.isAtMost(range, WHOLE_LINES, WHOLE_CHARS)
  }

  private isWholeClass(range: LineRange): boolean {
    return this.isAtMost(range, WHOLE_CLASS_LINES, WHOLE_CLASS_CHARS)
  }

  private isAtMost({ from, to }: LineRange, maxLines: number, maxChars: number): boolean {
    return to - from + 1 <= maxLines && this.lines.chars(from, to) <= maxChars
  }
}

const BLOCK = { kind: 'block', name: '', scope: '' } as const

function symbolOf({ kind, name, scope, isReopening }: Entry): Omit<Span, 'from' | 'to'> {
  return { kind: isReopening ? 'piece' : kind, name, scope }
}

/** The longest entry of a unit; the first of equals. */
function mainEntry(entries: readonly Entry[]): Entry | undefined {
  let main: Entry | undefined
  for (const entry of entries) {
    if (!main || entry.endLine - entry.startLine > main.endLine - main.startLine) main = entry
  }
  return main
}
