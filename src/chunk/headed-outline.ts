/** From headings to an outline: each heading holds what follows, up to the next one of its level or above. */
import type { SymbolKind } from '../types.js'
import type { Entry } from './entry.js'
import type { LineTable } from './line-table.js'

export interface Heading {
  readonly line: number
  /** 1 is the outermost. */
  readonly level: number
  readonly name: string
}

export interface HeadedInput {
  readonly lines: LineTable
  readonly isOnlyComment: ReadonlySet<number>
  readonly kind: SymbolKind
  /** False where the headings only name pieces (keys of data): nobody asks where such a name is defined. */
  readonly areSymbols: boolean
}

interface Section extends Entry {
  readonly members: Section[]
  readonly level: number
}

/** `headings` in the order of their lines, one a line at most. */
export function headedOutline(headings: readonly Heading[], input: HeadedInput): readonly Entry[] {
  const top: Section[] = []
  const open: Section[] = []
  for (const [index, heading] of headings.entries()) {
    const startLine = startOf(heading, headings[index - 1], input)
    closeFrom(open, heading.level, startLine - 1)
    const owner = open.at(-1)
    const section = asSection(heading, { startLine, owner, input })
    ;(owner?.members ?? top).push(section)
    open.push(section)
  }
  closeFrom(open, 0, input.lines.count)
  return top
}

function asSection(
  { name, line, level }: Heading,
  at: { startLine: number; owner: Section | undefined; input: HeadedInput },
): Section {
  const { startLine, owner, input } = at
  const scope = owner ? [owner.scope, owner.name].filter((part) => part !== '').join('.') : ''
  const isReopening = !input.areSymbols
  return { name, kind: input.kind, scope, line, startLine, endLine: line, members: [], isReopening, level }
}

function closeFrom(open: Section[], level: number, endLine: number): void {
  for (let last = open.at(-1); last && last.level >= level; last = open.at(-1)) {
    last.endLine = Math.max(last.line, endLine)
    open.pop()
  }
}

/** The comment lines directly above belong to the heading. */
function startOf({ line }: Heading, previous: Heading | undefined, { isOnlyComment }: HeadedInput): number {
  let start = line
  while (start - 1 > (previous?.line ?? 0) && isOnlyComment.has(start - 1)) start--
  return start
}
