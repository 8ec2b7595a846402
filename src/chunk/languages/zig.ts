import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { byType, inType, named } from './naming.js'
import type { LanguageRow } from './row.js'

const CONTAINERS = [
  'struct_declaration',
  'union_declaration',
  'enum_declaration',
  'opaque_declaration',
] as const

/** What stands behind the "=". */
function valueOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.children[node.children.findIndex(({ type }) => type === '=') + 1]
}

function declaredKind(node: SyntaxNode): SymbolKind | undefined {
  // `const std = @import("std")` defines nothing, nor does `const mem = std.mem`.
  const value = valueOf(node)
  if (value?.type === 'field_expression' || value?.text.startsWith('@import(')) return undefined
  if (node.child('enum_declaration')) return 'enum'
  if (node.child(...CONTAINERS)) return 'class'
  return node.child('var') ? 'variable' : 'constant'
}

/** A function of type `type` builds a container: `return struct { ... };` holds its methods. */
function builtContainer(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.field('type')?.text !== 'type') return []
  const statements = node.field('body')?.children ?? []
  return statements
    .flatMap((statement) => [statement, ...statement.children])
    .filter((statement) => statement.type === 'return_expression')
    .flatMap(inType(...CONTAINERS))
}

export const ZIG: LanguageRow = {
  name: 'zig',
  comments: { line: ['//'], block: [], strings: ['"'], hasCharLiterals: true },
  rules: {
    grammar: { module: '@tree-sitter-grammars/tree-sitter-zig' },
    symbols: {
      function_declaration: { kind: 'function', members: builtContainer },
      variable_declaration: {
        kind: declaredKind,
        names: byType('identifier'),
        members: inType(...CONTAINERS),
      },
      test_declaration: { kind: 'test', names: (node) => named(node.child('string', 'identifier')) },
    },
    through: [],
    wrappers: [],
  },
}
