import type { SyntaxNode } from '../syntax-node.js'
import { byType, inField, named } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

// The field "name" also yields the condition of an #if inside the head; the first identifier is the name.
const TYPE: SymbolRule = { kind: 'class', names: typeName, members: inField('body') }
const METHOD: SymbolRule = { kind: 'method' }
const FIELD: SymbolRule = { kind: 'field', names: declaredFields }

function declaredFields(node: SyntaxNode): readonly Named[] {
  const declarators = node.child('variable_declaration')?.children ?? []
  return declarators
    .filter((child) => child.type === 'variable_declarator')
    .flatMap((child) => named(child.field('name') ?? child.child('identifier')))
}

/** An #if inside the head hides the name in an ERROR, and its condition looks like the name. */
function typeName(node: SyntaxNode): readonly Named[] {
  if (!node.child('ERROR')) return byType('identifier')(node)
  const match = /\b(?:class|struct|interface|record)\s+(?:class\s+|struct\s+)?(\w+)/.exec(node.text)
  return match?.[1]
    ? [{ name: match[1], at: node.start + match.index + match[0].length - match[1].length }]
    : []
}

function conversionName(node: SyntaxNode): readonly Named[] {
  const type = /\boperator\s+([^(]+?)\s*\(/.exec(node.text)?.[1]
  return type === undefined
    ? []
    : [{ name: `operator ${type}`, at: node.child('operator')?.start ?? node.start }]
}

function operatorName(node: SyntaxNode): readonly Named[] {
  const operator = /\boperator\s*(\S+?)\s*\(/.exec(node.text)?.[1]
  return operator === undefined
    ? []
    : [{ name: `operator ${operator}`, at: node.field('parameters')?.start ?? node.start }]
}

export const C_SHARP: LanguageRow = {
  name: 'c-sharp',
  comments: {
    line: ['//'],
    block: [['/*', '*/']],
    strings: ['"'],
    longStrings: [
      ['"""', '"""', 'raw'],
      ['@"', '"', 'raw'],
    ],
    hasCharLiterals: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-c-sharp/bindings/node/index.js', isEsModule: true },
    symbols: {
      namespace_declaration: { kind: 'module', members: inField('body') },
      class_declaration: TYPE,
      struct_declaration: TYPE,
      record_declaration: TYPE,
      record_struct_declaration: TYPE,
      interface_declaration: { ...TYPE, kind: 'interface' },
      enum_declaration: { kind: 'enum' },
      delegate_declaration: { kind: 'type' },
      method_declaration: METHOD,
      constructor_declaration: METHOD,
      destructor_declaration: METHOD,
      local_function_statement: { kind: 'function' },
      operator_declaration: { kind: 'method', names: operatorName },
      conversion_operator_declaration: { kind: 'method', names: conversionName },
      indexer_declaration: { kind: 'method', names: byType('this') },
      property_declaration: { kind: 'field' },
      event_declaration: { kind: 'field' },
      field_declaration: FIELD,
      event_field_declaration: FIELD,
    },
    through: ['preproc_if', 'preproc_else', 'preproc_elif', 'preproc_region', 'declaration_list'],
    wrappers: ['global_statement'],
  },
}
