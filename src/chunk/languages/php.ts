import type { SyntaxNode } from '../syntax-node.js'
import { byType, inField, ofEach } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

function propertyName(element: SyntaxNode): readonly Named[] {
  const name = element.field('name')
  return name ? [{ name: name.text.replace(/^\$/, ''), at: name.start }] : []
}

const CLASS: SymbolRule = { kind: 'class', members: inField('body') }

export const PHP: LanguageRow = {
  name: 'php',
  comments: {
    line: ['//', '#'],
    block: [['/*', '*/']],
    strings: [],
    longStrings: [
      ['"', '"'],
      ["'", "'"],
    ],
    markerNeedsSpace: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-php', member: 'php' },
    symbols: {
      namespace_definition: {
        kind: (node) => (node.field('body') ? 'module' : undefined),
        members: inField('body'),
      },
      function_definition: { kind: 'function' },
      class_declaration: CLASS,
      trait_declaration: CLASS,
      interface_declaration: { kind: 'interface', members: inField('body') },
      enum_declaration: { kind: 'enum', members: inField('body') },
      method_declaration: { kind: 'method' },
      const_declaration: { kind: 'constant', names: ofEach('const_element', byType('name')) },
      property_declaration: { kind: 'field', names: ofEach('property_element', propertyName) },
    },
    through: ['compound_statement', 'if_statement', 'namespace_definition'],
    wrappers: ['expression_statement'],
  },
}
