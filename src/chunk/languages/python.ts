import type { SyntaxNode } from '../syntax-node.js'
import { byField, inField, named } from './naming.js'
import type { LanguageRow, Named } from './row.js'

const CONSTANT_NAME = /^_*[A-Z][A-Z0-9_]*$/

/** `A`, `A, B` and `(A, B)` declare names; `a.b` and `a[0]` do not. */
function targets(node: SyntaxNode): readonly Named[] {
  const left = node.field('left')
  if (left?.type === 'identifier') return named(left)
  if (left?.type !== 'pattern_list' && left?.type !== 'tuple_pattern') return []
  return left.children.filter((child) => child.type === 'identifier').flatMap(named)
}

export const PYTHON: LanguageRow = {
  name: 'python',
  comments: {
    line: ['#'],
    block: [],
    strings: ['"', "'"],
    longStrings: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
    hasDocStrings: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-python' },
    symbols: {
      function_definition: { kind: 'function' },
      class_definition: { kind: 'class', members: inField('body') },
      assignment: {
        kind: (node) => (CONSTANT_NAME.test(node.field('left')?.text ?? '') ? 'constant' : 'variable'),
        names: targets,
      },
      type_alias_statement: { kind: 'type', names: byField('left') },
    },
    through: [
      'if_statement',
      'elif_clause',
      'else_clause',
      'try_statement',
      'except_clause',
      'finally_clause',
      'with_statement',
      'block',
    ],
    wrappers: ['decorated_definition', 'expression_statement'],
    isLead: (node) => node.type === 'decorator',
  },
}
