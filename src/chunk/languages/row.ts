/** What one row of the language table says. Data only; `outline.ts` and `comment-scan.ts` read it. */
import type { SymbolKind } from '../../types.js'
import type { Entry } from '../entry.js'
import type { LineTable } from '../line-table.js'
import type { SyntaxNode } from '../syntax-node.js'

export interface GrammarSource {
  /** npm package. */
  readonly module: string
  /** Export that holds the grammar where the package has several. */
  readonly member?: string
  /** True for packages that can only be loaded with import(). */
  readonly isEsModule?: boolean
}

/** A name and the offset where it stands. */
export interface Named {
  readonly name: string
  readonly at: number
  /** Qualifier written with the name, e.g. "Foo" of `Foo::bar`; joined to the scope. */
  readonly scope?: string
}

/** How a node type becomes a symbol. */
export interface SymbolRule {
  /** `undefined` from the function: not a symbol after all; the node is left as lines. `wrapper`: directly around. */
  readonly kind: SymbolKind | ((node: SyntaxNode, wrapper?: SyntaxNode) => SymbolKind | undefined)
  /** Several where one node declares several. Default: the field "name". No name: not a symbol. */
  readonly names?: (node: SyntaxNode) => readonly Named[]
  /** Nodes whose children are looked at for members. Default: none, the inside is opaque. */
  readonly members?: (node: SyntaxNode) => readonly SyntaxNode[]
  /** True where the node only groups members under a name defined elsewhere (Rust impl): chunks, but no symbol. */
  readonly isReopening?: boolean
}

export interface CommentSyntax {
  /** Markers of comments that end with the line. */
  readonly line: readonly string[]
  readonly block: readonly (readonly [open: string, close: string])[]
  /** Delimiters of strings that end at the line's end at the latest; backslash escapes. */
  readonly strings: readonly string[]
  /** Delimiters of strings that may span lines; longer ones first. "raw": a backslash escapes nothing. */
  readonly longStrings?: readonly (readonly [open: string, close: string, raw?: 'raw'])[]
  /** True where 'x' is one character and a lone ' something else (lifetime, type variable, prime). */
  readonly hasCharLiterals?: boolean
  /** True where a line marker counts only at the start of a word (shell: `$#`, `a#b` are no comments). */
  readonly markerNeedsSpace?: boolean
  /** True where a long string that stands as a statement documents what is around it (Python). */
  readonly hasDocStrings?: boolean
}

/** One definition a line may hold, for languages without a grammar. Group `name` is the name. */
export interface DefinitionPattern {
  readonly pattern: RegExp
  readonly kind: SymbolKind
  /** As in SymbolRule: it groups members of a symbol defined elsewhere. */
  readonly isReopening?: boolean
}

export interface GrammarRules {
  readonly grammar: GrammarSource
  readonly symbols: Readonly<Record<string, SymbolRule>>
  /** Nodes that are only looked through: preprocessor branches, blocks of statements, ERROR. */
  readonly through: readonly string[]
  /** Looked through, and their first and last symbol take the wrapper's extent: export, template, decorators. */
  readonly wrappers: readonly string[]
  /** The text as the grammar can read it: same length, names in place. Default: as it is. */
  readonly readable?: (text: string) => string
  /** Siblings that belong to the next symbol: attributes, annotations, Haskell signatures. */
  readonly isLead?: (node: SyntaxNode) => boolean
  /** A node that is only looked through when it is of a certain make; the node that holds its items. */
  readonly itemsOf?: (node: SyntaxNode) => SyntaxNode | undefined
  /** The inside of a macro call that holds items of the language; parsed once more, as the top of a file. */
  readonly itemsInside?: (node: SyntaxNode) => SyntaxNode | undefined
  /** True where neighbouring symbols of the same name are one (equations of a Haskell function). */
  readonly joinsEquations?: boolean
}

export interface OutlineSource {
  readonly lines: LineTable
  /** Text with Unix breaks, of the same length as that of `lines`. */
  readonly text: string
  readonly isOnlyComment: ReadonlySet<number>
}

/** Finds the parts of a file that is not code. Entries in order, none overlapping another but its own members. */
export type LineOutline = (source: OutlineSource) => readonly Entry[]

export interface ScriptBlock {
  readonly language: string
  /** Offsets of what is between the tags. */
  readonly start: number
  readonly end: number
}

/** Scripts inside of markup. */
export interface ScriptsIn {
  readonly languages: readonly string[]
  readonly blocks: (text: string) => readonly ScriptBlock[]
}

export interface LanguageRow {
  readonly name: string
  readonly comments: CommentSyntax
  readonly rules?: GrammarRules
  readonly patterns?: readonly DefinitionPattern[]
  readonly outline?: LineOutline
  readonly scripts?: ScriptsIn
}
