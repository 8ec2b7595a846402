/** JavaScript, TypeScript and TSX: three grammars, one set of rules. */
import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { byField, inField, named } from './naming.js'
import type { CommentSyntax, GrammarSource, LanguageRow, Named, SymbolRule } from './row.js'

const COMMENTS: CommentSyntax = {
  line: ['//'],
  block: [['/*', '*/']],
  strings: ['"', "'"],
  longStrings: [['`', '`']],
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function',
  'generator_function',
])
const TEST_WORDS: ReadonlySet<string> = new Set(['describe', 'suite', 'context', 'it', 'test', 'bench'])
const GROUP_WORDS: ReadonlySet<string> = new Set(['describe', 'suite', 'context'])

function valueKind(node: SyntaxNode, otherwise: SymbolKind): SymbolKind {
  const type = node.field('value')?.type ?? node.field('right')?.type ?? ''
  if (FUNCTIONS.has(type)) return 'function'
  return type === 'class' ? 'class' : otherwise
}

/** `const x = require('x')` imports; it defines nothing. */
function declaredKind(node: SyntaxNode, declaration?: SyntaxNode): SymbolKind | undefined {
  if (/^(?:await\s+)?(?:require|import)\s*\(/.test(node.field('value')?.text.slice(0, 24) ?? ''))
    return undefined
  return valueKind(node, declaration?.text.startsWith('const') ? 'constant' : 'variable')
}

function declaratorNames(node: SyntaxNode): readonly Named[] {
  const name = node.field('name')
  if (name?.type !== 'object_pattern' && name?.type !== 'array_pattern') return named(name)
  return name.children.filter((child) => child.type.includes('identifier')).flatMap(named)
}

/** Members of what stands on the right: an object's methods, a class's body. */
function valueMembers(node: SyntaxNode): readonly SyntaxNode[] {
  const value = unwrapped(node.field('value') ?? node.field('right'))
  if (value?.type === 'object') return [value]
  const body = value?.type === 'class' ? value.field('body') : undefined
  return body ? [body] : []
}

/** `{...} as const`, `({...})`, `Object.freeze({...})`, `defineComponent({...})` hold an object all the same. */
function unwrapped(value: SyntaxNode | undefined): SyntaxNode | undefined {
  if (!value) return undefined
  if (/^(as|satisfies|parenthesized)_expression$/.test(value.type)) return unwrapped(value.child('object'))
  if (value.type === 'call_expression') return value.field('arguments')?.child('object')
  return value
}

/** `exports.a = `, `module.exports.a = `, `A.prototype.b = `, `a.b = function`: the last part named, the rest scope. */
function assignedNames(node: SyntaxNode): readonly Named[] {
  const right = node.field('right')
  const also = right?.type === 'assignment_expression' ? assignedNames(right) : []
  return [...assignedName(node), ...also]
}

function assignedName(node: SyntaxNode): readonly Named[] {
  const left = node.field('left')
  if (left?.type !== 'member_expression') return []
  const property = left.field('property')
  const object = left.field('object')?.text ?? ''
  if (!property || !/^[\w$.]+$/.test(object)) return []
  if (property.text === 'exports' && object === 'module') return []
  const scope = object.replace(/^(module\.)?exports\.?|^(this|window|global|globalThis)$/, '')
  return [{ name: property.text, at: property.start, scope: scope.replace(/\.prototype$/, '') }]
}

function assignedKind(node: SyntaxNode): SymbolKind | undefined {
  const right = node.field('right')
  // `a.b = a.c = function () {}`
  const kind = right?.type === 'assignment_expression' ? assignedKind(right) : valueKind(node, 'constant')
  if (kind !== 'constant') return kind
  const left = node.field('left')?.text ?? ''
  const isExport = /^(module\.)?exports\./.test(left)
  return isExport || valueMembers(node).length > 0 ? 'constant' : undefined
}

/** The word of `it(`, `it.skip(`, `it.each(...)(`. */
function calledWord(node: SyntaxNode): string {
  let callee = node.field('function')
  while (callee?.type === 'member_expression' || callee?.type === 'call_expression') {
    callee = callee.field('object') ?? callee.field('function')
  }
  return callee?.type === 'identifier' ? callee.text : ''
}

function testTitle(node: SyntaxNode): readonly Named[] {
  return named(node.field('arguments')?.child('string', 'template_string'))
}

function testBody(node: SyntaxNode): readonly SyntaxNode[] {
  if (!GROUP_WORDS.has(calledWord(node))) return []
  const body = node
    .field('arguments')
    ?.child(...FUNCTIONS)
    ?.field('body')
  return body ? [body] : []
}

const CLASS: SymbolRule = { kind: 'class', members: inField('body') }
const FUNCTION: SymbolRule = { kind: 'function' }
const METHOD: SymbolRule = { kind: 'method' }
const FIELD: SymbolRule = {
  kind: (node) => (valueKind(node, 'field') === 'function' ? 'method' : 'field'),
  names: (node) => named(node.field('name') ?? node.field('property')),
}
const MODULE: SymbolRule = { kind: 'module', members: inField('body') }
const ASSIGNMENT: SymbolRule = { kind: assignedKind, names: assignedNames, members: valueMembers }

const SYMBOLS: Readonly<Record<string, SymbolRule>> = {
  function_declaration: FUNCTION,
  generator_function_declaration: FUNCTION,
  function_signature: FUNCTION,
  class_declaration: CLASS,
  abstract_class_declaration: CLASS,
  method_definition: METHOD,
  abstract_method_signature: METHOD,
  method_signature: METHOD,
  field_definition: FIELD,
  public_field_definition: FIELD,
  property_signature: { kind: 'field' },
  interface_declaration: { kind: 'interface', members: inField('body') },
  type_alias_declaration: { kind: 'type' },
  enum_declaration: { kind: 'enum' },
  internal_module: MODULE,
  module: MODULE,
  variable_declarator: {
    kind: declaredKind,
    names: declaratorNames,
    members: valueMembers,
  },
  assignment_expression: ASSIGNMENT,
  pair: {
    kind: (node) => (FUNCTIONS.has(node.field('value')?.type ?? '') ? 'method' : undefined),
    names: byField('key'),
  },
  call_expression: {
    kind: (node) => (TEST_WORDS.has(calledWord(node)) ? 'test' : undefined),
    names: testTitle,
    members: testBody,
  },
}

function ecmascript(name: string, grammar: GrammarSource): LanguageRow {
  return {
    name,
    comments: COMMENTS,
    rules: {
      grammar,
      symbols: SYMBOLS,
      through: ['statement_block'],
      wrappers: [
        'export_statement',
        'expression_statement',
        'lexical_declaration',
        'variable_declaration',
        'ambient_declaration',
        'object',
      ],
      isLead: (node) => node.type === 'decorator',
    },
  }
}

export const TYPESCRIPT = ecmascript('typescript', { module: 'tree-sitter-typescript', member: 'typescript' })
export const TSX = ecmascript('tsx', { module: 'tree-sitter-typescript', member: 'tsx' })
export const JAVASCRIPT = ecmascript('javascript', { module: 'tree-sitter-javascript' })
