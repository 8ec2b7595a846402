/** C and C++: names hide inside declarators, and the preprocessor cuts across everything. */
import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { withoutMacros } from './c-macros.js'
import { inField, named } from './naming.js'
import type { CommentSyntax, LanguageRow, Named, SymbolRule } from './row.js'

const COMMENTS: CommentSyntax = {
  line: ['//'],
  block: [['/*', '*/']],
  strings: ['"'],
  hasCharLiterals: true,
}

const NAME_TYPES: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
])
const TEST_MACRO = /^(?:TYPED_)?TEST(?:_F|_P|_CASE|_SUITE)?$/

/** One step inwards: `*x`, `x[]`, `(x)`, `x(args)`, `x = 1` all hold x. */
function inner(declarator: SyntaxNode): SyntaxNode | undefined {
  return (
    declarator.field('declarator') ??
    declarator.children.find((child) => child.type.endsWith('declarator') || NAME_TYPES.has(child.type))
  )
}

function declaratorName(declarator: SyntaxNode | undefined): readonly Named[] {
  let at = declarator
  const scopes: string[] = []
  while (at && !NAME_TYPES.has(at.type)) {
    if (at.type === 'qualified_identifier') {
      const scope = at.field('scope')
      if (scope) scopes.push(withoutTypeArguments(scope))
      at = at.field('name')
    } else if (at.type.startsWith('template_')) {
      at = at.field('name')
    } else {
      at = inner(at)
    }
  }
  if (!at) return []
  const name = at.text.replace(/\s+/g, ' ')
  if (name.includes('{')) return [] // a declarator that swallowed what the grammar did not understand
  return [{ name, at: at.start, ...(scopes.length > 0 ? { scope: scopes.join('.') } : {}) }]
}

function withoutTypeArguments(scope: SyntaxNode): string {
  return (scope.field('name') ?? scope).text.replace(/::/g, '.')
}

/** `f(int)` declares a function, `(*f)(int)` a variable. */
function isFunction(declarator: SyntaxNode | undefined): boolean {
  let at = declarator
  while (at && !NAME_TYPES.has(at.type) && at.type !== 'init_declarator') {
    if (at.type === 'function_declarator') return inner(at)?.type !== 'parenthesized_declarator'
    at = inner(at)
  }
  return false
}

function declaredKind(node: SyntaxNode): SymbolKind {
  if (isFunction(node.field('declarator'))) return 'function'
  return node.children.some((child) => child.type === 'type_qualifier' && child.text.startsWith('const'))
    ? 'constant'
    : 'variable'
}

function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.field('type')?.field('body')
}

/** Names of the declarators, and of a struct that is defined in passing. */
function declaredNames(node: SyntaxNode): readonly Named[] {
  const names = node.fields('declarator').flatMap(declaratorName)
  const type = bodyOf(node) && node.field('type')
  const tag = type ? recordName(type) : []
  return [...names, ...tag.filter(({ name }) => name !== names[0]?.name)]
}

function typedefKind(node: SyntaxNode): SymbolKind {
  if (!bodyOf(node)) return 'type'
  return node.field('type')?.type === 'enum_specifier' ? 'enum' : 'class'
}

/** A C function's macro look-alike `TEST(Suite, Case) {}` is named by its arguments. */
function functionNames(node: SyntaxNode): readonly Named[] {
  const names = declaratorName(node.field('declarator'))
  if (!isTest(node)) return names
  const parameters = node.field('declarator')?.field('parameters')
  return parameters ? [{ name: parameters.text.slice(1, -1), at: parameters.start }] : names
}

function isTest(node: SyntaxNode): boolean {
  return !node.field('type') && TEST_MACRO.test(declaratorName(node.field('declarator'))[0]?.name ?? '')
}

/** `formatter<T, Char>` specialises formatter. */
function recordName(node: SyntaxNode): readonly Named[] {
  const name = node.field('name')
  if (name?.type === 'qualified_identifier') return declaratorName(name)
  return named(name?.type === 'template_type' ? name.field('name') : name)
}

const RECORD: SymbolRule = {
  kind: (node) => (node.field('body') ? 'class' : undefined),
  names: recordName,
  members: inField('body'),
}
// An include guard (`CURL_URL_H`, `FMT_ARGS_H_`, `JSON_HPP`) names nothing anyone looks for.
const GUARD = /_(?:H|HH|HPP|HXX|INCLUDED|GUARD)_*$/
const MACRO: SymbolRule = {
  kind: (node) => {
    const isSwitch = !node.field('value') && !node.field('parameters')
    return isSwitch && GUARD.test(node.field('name')?.text ?? '') ? undefined : 'macro'
  },
}

const SYMBOLS: Readonly<Record<string, SymbolRule>> = {
  function_definition: { kind: (node) => (isTest(node) ? 'test' : 'function'), names: functionNames },
  declaration: { kind: declaredKind, names: declaredNames },
  // Data fields of a struct are its text; only methods are symbols.
  field_declaration: {
    kind: (node) => (isFunction(node.field('declarator')) ? 'function' : undefined),
    names: declaredNames,
  },
  type_definition: { kind: typedefKind, names: declaredNames },
  struct_specifier: RECORD,
  union_specifier: RECORD,
  class_specifier: RECORD,
  enum_specifier: { kind: (node) => (node.field('body') ? 'enum' : undefined) },
  preproc_def: MACRO,
  preproc_function_def: MACRO,
  namespace_definition: {
    kind: 'module',
    names: (node) => named(node.field('name')).map((it) => ({ ...it, name: it.name.replace(/::/g, '.') })),
    members: inField('body'),
  },
  alias_declaration: { kind: 'type' },
  concept_definition: { kind: 'type' },
}

function cFamily(name: string, module: string): LanguageRow {
  return {
    name,
    comments: name === 'cpp' ? { ...COMMENTS, longStrings: [['R"(', ')"', 'raw']] } : COMMENTS,
    rules: {
      grammar: { module },
      readable: withoutMacros,
      symbols: SYMBOLS,
      through: [
        'preproc_if',
        'preproc_ifdef',
        'preproc_else',
        'preproc_elif',
        'preproc_elifdef',
        'linkage_specification',
        'declaration_list',
        'namespace_definition', // without a name
        'field_declaration', // enum or struct inside a class
      ],
      wrappers: ['template_declaration', 'friend_declaration'],
    },
  }
}

export const C = cFamily('c', 'tree-sitter-c')
export const CPP = cFamily('cpp', 'tree-sitter-cpp')
