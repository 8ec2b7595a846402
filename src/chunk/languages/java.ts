import { byField, inField, ofEach } from './naming.js'
import type { LanguageRow, SymbolRule } from './row.js'

const TYPE: SymbolRule = { kind: 'class', members: inField('body') }
const METHOD: SymbolRule = { kind: 'method' }
const FIELD: SymbolRule = { kind: 'field', names: ofEach('variable_declarator', byField('name')) }

export const JAVA: LanguageRow = {
  name: 'java',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: ['"'],
    longStrings: [['"""', '"""']],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-java' },
    symbols: {
      class_declaration: TYPE,
      record_declaration: TYPE,
      interface_declaration: { kind: 'interface', members: inField('body') },
      annotation_type_declaration: { kind: 'interface', members: inField('body') },
      enum_declaration: { kind: 'enum', members: inField('body') },
      method_declaration: METHOD,
      constructor_declaration: METHOD,
      compact_constructor_declaration: METHOD,
      annotation_type_element_declaration: METHOD,
      field_declaration: FIELD,
      constant_declaration: { ...FIELD, kind: 'constant' },
    },
    through: ['enum_body_declarations'],
    wrappers: [],
  },
}
