/**
 * A plain view of one tree-sitter node that reads its children when asked.
 * The binding's own nodes cost about 11 µs each, the cursor about 2 µs; and a body nobody asks for costs nothing.
 */
import type Parser from 'tree-sitter'

interface Source {
  /** Text of the whole file, also where only a part of it was parsed. */
  readonly text: string
  /** Where the parsed part starts in it. */
  readonly offset: number
  readonly cursor: Parser.TreeCursor
}

const NO_NODES: readonly SyntaxNode[] = []

/** Offsets are UTF-16 indexes into the file's text; `end` is exclusive. */
export class SyntaxNode {
  private read: readonly SyntaxNode[] | undefined

  private constructor(
    private readonly source: Source,
    private readonly index: number,
    readonly type: string,
    readonly start: number,
    readonly end: number,
  ) {}

  static root(tree: Parser.Tree, text: string, offset: number): SyntaxNode {
    return SyntaxNode.current({ text, offset, cursor: tree.walk() })
  }

  private static current(source: Source): SyntaxNode {
    const { cursor, offset } = source
    return new SyntaxNode(
      source,
      cursor.currentDescendantIndex,
      cursor.nodeType,
      cursor.startIndex + offset,
      cursor.endIndex + offset,
    )
  }

  get text(): string {
    return this.source.text.slice(this.start, this.end)
  }

  /** All children, keywords and punctuation included (their type is their text). */
  get children(): readonly SyntaxNode[] {
    this.read ??= this.readChildren()
    return this.read
  }

  private readChildren(): readonly SyntaxNode[] {
    const { cursor } = this.source
    cursor.gotoDescendant(this.index)
    if (!cursor.gotoFirstChild()) return NO_NODES
    const children: SyntaxNode[] = []
    do children.push(SyntaxNode.current(this.source))
    while (cursor.gotoNextSibling())
    return children
  }

  /** First child in the grammar's field of that name. */
  field(name: string): SyntaxNode | undefined {
    return this.fields(name)[0]
  }

  /** All named children in that field. Field names are read only here: most nodes are never asked. */
  fields(name: string): readonly SyntaxNode[] {
    const children = this.children
    const { cursor } = this.source
    cursor.gotoDescendant(this.index)
    if (!cursor.gotoFirstChild()) return NO_NODES
    const found: SyntaxNode[] = []
    let at = 0
    do {
      const child = children[at++]
      if (child && cursor.currentFieldName === name && cursor.nodeIsNamed) found.push(child)
    } while (cursor.gotoNextSibling())
    return found
  }

  /** First child of one of the types. */
  child(...types: readonly string[]): SyntaxNode | undefined {
    return this.children.find((child) => types.includes(child.type))
  }
}
