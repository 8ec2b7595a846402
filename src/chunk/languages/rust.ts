import type { SyntaxNode } from '../syntax-node.js'
import { inField } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

/** `impl<T> Display for Wrapper<T>` reopens Wrapper. */
function implementedType(node: SyntaxNode): readonly Named[] {
  const type = node.field('type')
  const name = type?.text.replace(/<[^]*$/, '').replace(/^.*(?:::|&|\s|')/s, '')
  return type && name ? [{ name, at: type.start }] : []
}

/** `cfg_rt! { pub fn spawn() {} }`: the grammar sees tokens; they are items when one of these words is among them. */
const ITEM =
  /(?:^|[;{}\]\n])\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const)\s+)*(?:fn|struct|enum|trait|impl|mod|type|static)\b/

function macroItems(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== 'macro_invocation') return undefined
  const tokens = node.child('token_tree')
  return tokens?.text.startsWith('{') && ITEM.test(tokens.text) ? tokens : undefined
}

const STRUCT: SymbolRule = { kind: 'class' }
const FUNCTION: SymbolRule = { kind: 'function' }

export const RUST: LanguageRow = {
  name: 'rust',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: [],
    longStrings: [
      ['r##"', '"##', 'raw'],
      ['r#"', '"#', 'raw'],
      ['"', '"'],
    ],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-rust' },
    symbols: {
      function_item: FUNCTION,
      function_signature_item: FUNCTION,
      struct_item: STRUCT,
      union_item: STRUCT,
      enum_item: { kind: 'enum' },
      trait_item: { kind: 'interface', members: inField('body') },
      impl_item: { kind: 'class', names: implementedType, members: inField('body'), isReopening: true },
      mod_item: { kind: 'module', members: inField('body') },
      macro_definition: { kind: 'macro' },
      const_item: { kind: 'constant' },
      static_item: { kind: 'variable' },
      type_item: { kind: 'type' },
      associated_type: { kind: 'type' },
    },
    through: ['foreign_mod_item', 'declaration_list'],
    wrappers: ['expression_statement'],
    itemsInside: macroItems,
    isLead: (node) => node.type === 'attribute_item',
  },
}
