/** One symbol of a file's outline, or a named group of lines. */
import type { SymbolKind } from '../types.js'

export interface Entry {
  readonly name: string
  readonly kind: SymbolKind
  readonly scope: string
  /** Line of the name. */
  readonly line: number
  startLine: number
  endLine: number
  readonly members: readonly Entry[]
  /** A group of members of a symbol defined elsewhere: it names chunks but is no symbol itself. */
  readonly isReopening: boolean
}
