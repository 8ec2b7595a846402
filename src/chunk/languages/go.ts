import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { allFields, inField } from './naming.js'
import type { LanguageRow, Named } from './row.js'

/** `func (s *Server[T]) Run()` is Run in the scope Server. */
function methodName(node: SyntaxNode): readonly Named[] {
  const name = node.field('name')
  const receiver = /(\w+)\s*(?:\[[^\]]*\])?\s*\)$/.exec(node.field('receiver')?.text ?? '')?.[1]
  return name ? [{ name: name.text, at: name.start, ...(receiver ? { scope: receiver } : {}) }] : []
}

/** `var _ I = (*T)(nil)` proves something and defines nothing. */
function declaredNames(node: SyntaxNode): readonly Named[] {
  return allFields('name')(node).filter(({ name }) => name !== '_')
}

function typeKind(node: SyntaxNode): SymbolKind {
  const type = node.field('type')?.type
  if (type === 'struct_type') return 'class'
  return type === 'interface_type' ? 'interface' : 'type'
}

export const GO: LanguageRow = {
  name: 'go',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: ['"'],
    longStrings: [['`', '`', 'raw']],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-go' },
    symbols: {
      function_declaration: { kind: 'function' },
      method_declaration: { kind: 'method', names: methodName },
      method_elem: { kind: 'method' },
      type_spec: { kind: typeKind, members: inField('type') },
      type_alias: { kind: 'type' },
      const_spec: { kind: 'constant', names: declaredNames },
      var_spec: { kind: 'variable', names: declaredNames },
    },
    through: [],
    wrappers: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  },
}
