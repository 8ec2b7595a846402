import type { SyntaxNode } from '../syntax-node.js'
import { inField, named } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

/** `f x`, `a <+> b`, `f, g :: T`, `(<+>) :: T`. */
function boundNames(node: SyntaxNode): readonly Named[] {
  const name = node.field('name')
  if (name) return [{ name: name.text.replace(/^\((.*)\)$/, '$1'), at: name.start }]
  const names = node.field('names')
  if (names) return names.fields('name').flatMap(named)
  return named(node.child('infix')?.field('operator'))
}

const FUNCTION: SymbolRule = { kind: 'function', names: boundNames }
const TYPE: SymbolRule = { kind: 'type' }

export const HASKELL: LanguageRow = {
  name: 'haskell',
  comments: { line: ['--'], block: [['{-', '-}']], strings: ['"'], hasCharLiterals: true },
  rules: {
    grammar: { module: 'tree-sitter-haskell' },
    symbols: {
      function: FUNCTION,
      bind: FUNCTION,
      signature: FUNCTION,
      data_type: TYPE,
      newtype: TYPE,
      type_synomym: TYPE,
      type_family: TYPE,
      class: { kind: 'interface', members: inField('declarations') },
      instance: { kind: 'class', members: inField('declarations'), isReopening: true },
    },
    through: ['declarations', 'class_declarations', 'instance_declarations'],
    wrappers: [],
    joinsEquations: true,
  },
}
