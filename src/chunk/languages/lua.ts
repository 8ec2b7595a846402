import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { descend, named } from './naming.js'
import type { LanguageRow, Named } from './row.js'

const GROUP_WORDS: ReadonlySet<string> = new Set(['describe', 'context', 'insulate'])
const TEST_WORDS: ReadonlySet<string> = new Set([...GROUP_WORDS, 'it', 'pending', 'test'])

/** `M.foo` and `M:foo` are foo in the scope M; `M['k']` is k in M. */
function variableName(name: SyntaxNode | undefined): readonly Named[] {
  const table = name?.field('table')
  if (!name || !table) return named(name)
  const last = name.field('field') ?? name.field('method')
  return named(last).map((it) => ({ ...it, scope: table.text.replace(/[:[].*$/s, '') }))
}

function assigned(node: SyntaxNode): SyntaxNode | undefined {
  return node.child('expression_list')?.field('value')
}

function assignedKind(node: SyntaxNode): SymbolKind | undefined {
  const assignedNode = assigned(node)
  const value = assignedNode?.type
  // `local x = require('x')` imports; it defines nothing.
  if (value === 'function_call' && assignedNode?.field('name')?.text === 'require') return undefined
  if (value === 'function_definition') return 'function'
  return value === 'table_constructor' ? 'constant' : 'variable'
}

function tableOf(node: SyntaxNode): readonly SyntaxNode[] {
  const value = assigned(node)
  return value?.type === 'table_constructor' ? [value] : []
}

function groupMembers(node: SyntaxNode): readonly SyntaxNode[] {
  const isGroup = GROUP_WORDS.has(node.field('name')?.text ?? '')
  const body = isGroup ? node.field('arguments')?.child('function_definition')?.field('body') : undefined
  return body ? [body] : []
}

export const LUA: LanguageRow = {
  name: 'lua',
  comments: {
    line: ['--'],
    block: [
      ['--[==[', ']==]'],
      ['--[=[', ']=]'],
      ['--[[', ']]'],
    ],
    strings: ['"', "'"],
    longStrings: [['[[', ']]', 'raw']],
  },
  rules: {
    grammar: { module: '@tree-sitter-grammars/tree-sitter-lua/bindings/node/index.js', isEsModule: true },
    symbols: {
      function_declaration: { kind: 'function', names: (node) => variableName(node.field('name')) },
      assignment_statement: {
        kind: assignedKind,
        names: (node) => node.child('variable_list')?.fields('name').flatMap(variableName) ?? [],
        members: tableOf,
      },
      field: {
        kind: (node) => (node.field('value')?.type === 'function_definition' ? 'function' : undefined),
      },
      function_call: {
        kind: (node) => (TEST_WORDS.has(node.field('name')?.text ?? '') ? 'test' : undefined),
        names: (node) => named(descend(node, ['arguments'])?.child('string')),
        members: groupMembers,
      },
    },
    through: ['expression_list', 'table_constructor', 'do_statement', 'if_statement'],
    wrappers: ['variable_declaration', 'return_statement'],
  },
}
