import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { descend, inField, named } from './naming.js'
import type { LanguageRow, Named, SymbolRule } from './row.js'

const GROUP_WORDS: ReadonlySet<string> = new Set(['describe', 'context', 'feature'])
const TEST_WORDS: ReadonlySet<string> = new Set([
  ...GROUP_WORDS,
  'it',
  'specify',
  'scenario',
  'test',
  'should',
])
const ACCESSOR = /^(?:attr_(?:reader|writer|accessor)|define_method|alias_method|delegate|scope)$/

/** `A::B` is B in the scope A. */
function constantName(node: SyntaxNode): readonly Named[] {
  const name = node.field('name')
  if (!name) return []
  const parts = name.text.split('::').filter((part) => part !== '')
  const last = parts.pop()
  if (last === undefined) return []
  return [{ name: last, at: name.end - last.length, ...(parts.length > 0 ? { scope: parts.join('.') } : {}) }]
}

function callKind(node: SyntaxNode): SymbolKind | undefined {
  const word = node.field('method')?.text ?? ''
  if (TEST_WORDS.has(word) && node.field('block')) return 'test'
  return ACCESSOR.test(word) ? 'field' : undefined
}

function callNames(node: SyntaxNode): readonly Named[] {
  const values = node.field('arguments')?.children ?? []
  if (callKind(node) === 'test') return named(values[0]?.type === '(' ? values[1] : values[0])
  return values
    .filter((value) => value.type === 'simple_symbol')
    .map((value) => ({ name: value.text.slice(1), at: value.start }))
}

function groupMembers(node: SyntaxNode): readonly SyntaxNode[] {
  const isGroup = GROUP_WORDS.has(node.field('method')?.text ?? '')
  const body = isGroup ? descend(node, ['block', 'body']) : undefined
  return body ? [body] : []
}

const MODULE: SymbolRule = { kind: 'module', names: constantName, members: inField('body') }

export const RUBY: LanguageRow = {
  name: 'ruby',
  comments: {
    line: ['#'],
    block: [['=begin', '=end']],
    strings: [],
    longStrings: [
      ['"', '"'],
      ["'", "'"],
    ],
    markerNeedsSpace: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-ruby' },
    symbols: {
      module: MODULE,
      class: { ...MODULE, kind: 'class' },
      method: { kind: 'function' },
      singleton_method: { kind: 'function' },
      alias: { kind: 'function' },
      assignment: {
        kind: (node) => (node.field('left')?.type === 'constant' ? 'constant' : undefined),
        names: (node) => named(node.field('left')),
        members: inField('right', 'block', 'body'),
      },
      call: { kind: callKind, names: callNames, members: groupMembers },
    },
    through: ['singleton_class', 'body_statement', 'do_block', 'if', 'unless', 'then', 'else', 'begin'],
    wrappers: ['call', 'argument_list'],
  },
}
