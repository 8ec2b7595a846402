/** Ways to find the names a node declares; shared by the language rows. */
import type { SyntaxNode } from '../syntax-node.js'
import type { Named } from './row.js'

type NamesOf = (node: SyntaxNode) => readonly Named[]

/** The node's own text is the name. Quotes around it fall away. */
export function named(node: SyntaxNode | undefined): readonly Named[] {
  if (!node) return []
  const name = node.text.replace(/^(["'`])(.*)\1$/s, '$2')
  return name === '' ? [] : [{ name, at: node.start }]
}

/** Follows one field after the other. */
export function byField(...path: readonly string[]): NamesOf {
  return (node) => named(descend(node, path))
}

/** First child of one of the types. */
export function byType(...types: readonly string[]): NamesOf {
  return (node) => named(node.child(...types))
}

/** The names inside every child of a type, e.g. each declarator of a declaration. */
export function ofEach(type: string, names: NamesOf): NamesOf {
  return (node) => node.children.filter((child) => child.type === type).flatMap(names)
}

export function allFields(field: string): NamesOf {
  return (node) => node.fields(field).flatMap(named)
}

/** A field's node as the place to look for members. */
export function inField(...path: readonly string[]): (node: SyntaxNode) => readonly SyntaxNode[] {
  return (node) => {
    const found = descend(node, path)
    return found ? [found] : []
  }
}

export function inType(...types: readonly string[]): (node: SyntaxNode) => readonly SyntaxNode[] {
  return (node) => node.children.filter((child) => types.includes(child.type))
}

export function descend(node: SyntaxNode, path: readonly string[]): SyntaxNode | undefined {
  let at: SyntaxNode | undefined = node
  for (const field of path) at = at?.field(field)
  return at
}
