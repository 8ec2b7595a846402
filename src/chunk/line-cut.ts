/** Cuts a run of lines where a reader would: at blank lines and shallow indentation, near a wanted size. */
import type { LineTable } from './line-table.js'

export interface LineRange {
  readonly from: number
  readonly to: number
}

/** Wanted size of a piece: about one screen, and about what one embedding holds without blurring. */
export const TARGET_LINES = 30
export const TARGET_CHARS = 1500
/** Twice the target: the latest place to cut when no good border came before. */
const MAX_LINES = 60
const MAX_CHARS = 3000
/** 8: a piece below a quarter of the target says too little to be found by itself. */
const MIN_LINES = 8

/** Costs of a border, in the unit of "a whole target away from the wanted size". */
const COST_NO_BLANK = 0.5
const COST_PER_INDENT = 0.12 // of 4 columns: two levels deeper weigh as much as half a blank line
const MAX_INDENT_COST = 0.6
const COST_CLOSER = 0.8 // a piece must not start with the bracket that ends the piece before

const CLOSER = /^\s*(?:[)\]}]|end\b|else\b|fi\b|done\b|esac\b|except\b|finally\b|catch\b|rescue\b)/

/** Ranges that cover from..to without gap or overlap. Deterministic: the earliest of equally good borders wins. */
export function cutLines(lines: LineTable, range: LineRange): readonly LineRange[] {
  const base = shallowest(lines, range)
  const cut: LineRange[] = []
  let from = range.from
  while (from <= range.to) {
    const to = isWhole(lines, { from, to: range.to })
      ? range.to
      : bestEnd(lines, { from, to: range.to }, base)
    cut.push({ from, to })
    from = to + 1
  }
  return cut
}

/** 4/3 of the target: cutting less leaves a rest too small to stand alone. */
function isWhole(lines: LineTable, { from, to }: LineRange): boolean {
  return to - from + 1 <= (TARGET_LINES * 4) / 3 && lines.chars(from, to) <= (TARGET_CHARS * 4) / 3
}

function bestEnd(lines: LineTable, { from, to }: LineRange, base: number): number {
  let best = from
  let bestCost = Infinity
  const latest = Math.min(to - 1, from + MAX_LINES - 1)
  for (let end = from; end <= latest; end++) {
    const chars = lines.chars(from, end)
    if (end > from && chars > MAX_CHARS) break
    // A line too long to share a chunk with anything ends the piece before it.
    if (lines.chars(end + 1, end + 1) > MAX_CHARS) return end
    const size = Math.max((end - from + 1) / TARGET_LINES, chars / TARGET_CHARS)
    const cost = borderCost(lines, end + 1, base) + Math.abs(1 - size) + (end - from + 1 < MIN_LINES ? 1 : 0)
    if (cost < bestCost) {
      best = end
      bestCost = cost
    }
  }
  return best
}

/** Cost of starting a piece at this line. */
function borderCost(lines: LineTable, line: number, base: number): number {
  if (lines.isBlank(line)) return 2 * COST_NO_BLANK
  const deeper = Math.max(0, lines.indentOf(line) - base) / 4
  const indent = Math.min(MAX_INDENT_COST, deeper * COST_PER_INDENT)
  const blank = lines.isBlank(line - 1) ? 0 : COST_NO_BLANK
  return indent + blank + (CLOSER.test(lines.slice(line, line)) ? COST_CLOSER : 0)
}

function shallowest(lines: LineTable, { from, to }: LineRange): number {
  let least = Infinity
  for (let line = from; line <= to; line++) least = Math.min(least, lines.indentOf(line))
  return least
}
