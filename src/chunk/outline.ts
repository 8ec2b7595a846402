/** The symbols of one parsed file as a tree of entries: who is inside whom, and on which lines. */
import type { SymbolKind } from '../types.js'
import type { CommentLines } from './comment-scan.js'
import type { Entry } from './entry.js'
import type { GrammarRules, Named, SymbolRule } from './languages/row.js'
import { named } from './languages/naming.js'
import type { LineTable } from './line-table.js'
import type { SyntaxNode } from './syntax-node.js'

// 24: classes in namespaces in preprocessor branches in ERROR nodes reach 10; beyond that it is generated or broken code.
const MAX_DEPTH = 24

/** Kinds whose functions are methods and whose variables are fields. */
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['class', 'interface', 'type', 'enum'])

interface Place {
  readonly scope: string
  readonly owner: SymbolKind | undefined
  readonly depth: number
  /** The wrapper directly around, e.g. the declaration around a declarator. */
  readonly wrapper?: SyntaxNode
}

const TOP: Place = { scope: '', owner: undefined, depth: 0 }

export interface OutlineInput {
  readonly rules: GrammarRules
  readonly lines: LineTable
  readonly comments: CommentLines
  /** Parses a part of the file as if it were a file. */
  readonly parsePart: (part: { start: number; end: number }) => SyntaxNode | undefined
}

/** Entries in source order; no entry starts on a line above the end of the entry before it unless they share a line. */
export function outline(root: SyntaxNode, input: OutlineInput): readonly Entry[] {
  return new Outliner(input).entriesIn(root.children, TOP)
}

class Outliner {
  private readonly wrappers: ReadonlySet<string>
  private readonly through: ReadonlySet<string>

  constructor(private readonly input: OutlineInput) {
    this.wrappers = new Set(input.rules.wrappers)
    this.through = new Set([...input.rules.through, 'ERROR'])
  }

  entriesIn(nodes: readonly SyntaxNode[], place: Place): readonly Entry[] {
    if (place.depth > MAX_DEPTH) return []
    const entries: Entry[] = []
    let leadStart: number | undefined
    for (const node of nodes) {
      if (node.type.endsWith('comment')) continue
      if (this.input.rules.isLead?.(node)) {
        leadStart ??= node.start
        continue
      }
      const found = this.entriesOf(node, place)
      const [first] = found
      // What is above a node that is only looked through belongs to that node, not to its first symbol.
      if (first && !this.through.has(node.type)) this.extendUp(first, leadStart ?? node.start, entries.at(-1))
      for (const entry of found) this.append(entries, entry)
      leadStart = undefined
    }
    return entries
  }

  private entriesOf(node: SyntaxNode, place: Place): readonly Entry[] {
    const rule = this.input.rules.symbols[node.type]
    if (rule) {
      const found = this.symbols(node, rule, place)
      if (found.length > 0) return found
    }
    const inner = { ...place, depth: place.depth + 1 }
    const items = this.input.rules.itemsInside?.(node)
    if (items) return this.entriesInside(items, inner)
    const holder = this.input.rules.itemsOf?.(node)
    if (holder) return this.entriesIn(holder.children, inner)
    if (this.through.has(node.type)) return this.entriesIn(node.children, inner)
    if (!this.wrappers.has(node.type)) return []
    const found = this.entriesIn(node.children, { ...inner, wrapper: node })
    const [first] = found
    const last = found.at(-1)
    if (first) first.startLine = Math.min(first.startLine, this.input.lines.lineAt(node.start))
    if (last) last.endLine = Math.max(last.endLine, this.lastLine(node))
    return found
  }

  /** `braces`: a node whose text is the items in a pair of brackets. */
  private entriesInside(braces: SyntaxNode, place: Place): readonly Entry[] {
    const root = this.input.parsePart({ start: braces.start + 1, end: braces.end - 1 })
    return root ? this.entriesIn(root.children, place) : []
  }

  private symbols(node: SyntaxNode, rule: SymbolRule, place: Place): readonly Entry[] {
    const written = typeof rule.kind === 'function' ? rule.kind(node, place.wrapper) : rule.kind
    if (written === undefined) return []
    const names = rule.names ? rule.names(node) : defaultNames(node)
    const kind = kindWithin(written, place.owner)
    if (kind === undefined) return []
    return names.map((name, index) => this.entry({ node, rule, name, kind, place, isFirst: index === 0 }))
  }

  private entry(found: {
    node: SyntaxNode
    rule: SymbolRule
    name: Named
    kind: SymbolKind
    place: Place
    isFirst: boolean
  }): Entry {
    const { node, rule, name, place } = found
    const { lines } = this.input
    const scope = join(place.scope, name.scope ?? '')
    const inside = { scope: join(scope, name.name), owner: found.kind, depth: place.depth + 1 }
    const holders = found.isFirst ? (rule.members?.(node) ?? []) : []
    return {
      name: name.name,
      kind: found.kind === 'function' && name.scope ? 'method' : found.kind,
      scope,
      line: lines.lineAt(name.at),
      startLine: found.isFirst ? lines.lineAt(node.start) : lines.lineAt(name.at),
      endLine: this.lastLine(node),
      members: holders.flatMap((holder) => this.entriesIn(holder.children, inside)),
      isReopening: rule.isReopening === true,
    }
  }

  /** Takes in attributes and the comment lines directly above. */
  private extendUp(entry: Entry, start: number, previous: Entry | undefined): void {
    const { lines, comments } = this.input
    let line = Math.min(entry.startLine, lines.lineAt(start))
    const floor = previous ? previous.endLine : 0
    while (line - 1 > floor && comments.isOnlyComment.has(line - 1)) line--
    entry.startLine = Math.min(entry.startLine, Math.max(line, floor))
  }

  private append(entries: Entry[], entry: Entry): void {
    const previous = entries.at(-1)
    const isSame = previous?.name === entry.name && previous.kind === entry.kind
    if (previous && isSame && this.input.rules.joinsEquations && !entry.isReopening) {
      previous.endLine = Math.max(previous.endLine, entry.endLine)
    } else {
      entries.push(entry)
    }
  }

  /** Some nodes end after their line break; that break's next line is not theirs. */
  private lastLine(node: SyntaxNode): number {
    const { lines } = this.input
    let end = node.end
    while (end > node.start + 1 && /\s/.test(lines.text.charAt(end - 1))) end--
    return lines.lineAt(Math.max(node.start, end - 1))
  }
}

function defaultNames(node: SyntaxNode): readonly Named[] {
  return named(node.field('name'))
}

/** A function in a class is a method; only tests and functions count inside a test. */
function kindWithin(kind: SymbolKind, owner: SymbolKind | undefined): SymbolKind | undefined {
  if (owner === 'test') return kind === 'test' || kind === 'function' ? kind : undefined
  if (owner === undefined || !TYPE_KINDS.has(owner)) return kind
  if (kind === 'function') return 'method'
  return kind === 'variable' ? 'field' : kind
}

function join(scope: string, name: string): string {
  if (scope === '' || name === '') return scope + name
  return `${scope}.${name}`
}
