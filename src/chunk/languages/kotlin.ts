import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { byType, inType, named } from './naming.js'
import type { LanguageRow, Named } from './row.js'

function classKind(node: SyntaxNode): SymbolKind {
  if (node.child('interface')) return 'interface'
  return node.child('enum_class_body') ? 'enum' : 'class'
}

function propertyNames(node: SyntaxNode): readonly Named[] {
  const single = node.child('variable_declaration')
  const all = single ? [single] : (node.child('multi_variable_declaration')?.children ?? [])
  return all.flatMap((declaration) => named(declaration.child('simple_identifier')))
}

function propertyKind(node: SyntaxNode): SymbolKind {
  return /\bconst\b/.test(node.child('modifiers')?.text ?? '') ? 'constant' : 'variable'
}

// Behind a property with a getter, the grammar takes an annotated function for an expression.
const ANNOTATED_FUNCTION =
  /^(?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?\s*)+(?:[a-z]+\s+)*?fun\s+(?:<[^>]*>\s*)?(?:[\w.<>?*, ]+\.)?(\w+)\s*\(/

function annotatedFunction(node: SyntaxNode): readonly Named[] {
  const match = ANNOTATED_FUNCTION.exec(node.text)
  if (match?.[1] === undefined) return []
  return [{ name: match[1], at: node.start + match[0].lastIndexOf(match[1]) }]
}

export const KOTLIN: LanguageRow = {
  name: 'kotlin',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: ['"'],
    longStrings: [['"""', '"""', 'raw']],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-kotlin' },
    symbols: {
      class_declaration: {
        kind: classKind,
        names: byType('type_identifier'),
        members: inType('class_body', 'enum_class_body'),
      },
      object_declaration: { kind: 'class', names: byType('type_identifier'), members: inType('class_body') },
      function_declaration: { kind: 'function', names: byType('simple_identifier') },
      property_declaration: { kind: propertyKind, names: propertyNames },
      prefix_expression: { kind: 'function', names: annotatedFunction },
      type_alias: { kind: 'type', names: byType('type_identifier') },
    },
    through: ['companion_object', 'class_body'],
    wrappers: [],
  },
}
