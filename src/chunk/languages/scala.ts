import type { SyntaxNode } from '../syntax-node.js'
import { inField, named } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

function patternNames(node: SyntaxNode): readonly Named[] {
  const pattern = node.field('pattern')
  if (pattern?.type === 'identifier') return named(pattern)
  return pattern?.children.filter((child) => child.type === 'identifier').flatMap(named) ?? []
}

const CLASS: SymbolRule = { kind: 'class', members: inField('body') }
const FUNCTION: SymbolRule = { kind: 'function' }

export const SCALA: LanguageRow = {
  name: 'scala',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: ['"'],
    longStrings: [['"""', '"""', 'raw']],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-scala' },
    symbols: {
      object_definition: CLASS,
      package_object: CLASS,
      class_definition: CLASS,
      trait_definition: { kind: 'interface', members: inField('body') },
      enum_definition: { kind: 'enum', members: inField('body') },
      given_definition: { kind: 'constant', members: inField('body') },
      function_definition: FUNCTION,
      function_declaration: FUNCTION,
      val_definition: { kind: 'variable', names: patternNames },
      var_definition: { kind: 'variable', names: patternNames },
      val_declaration: { kind: 'variable' },
      type_definition: { kind: 'type' },
    },
    through: ['extension_definition', 'package_clause', 'template_body'],
    wrappers: [],
  },
}
