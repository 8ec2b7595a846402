/** Elixir: everything is a call; the word called tells what is defined. */
import type { SymbolKind } from '../../types.js'
import type { SyntaxNode } from '../syntax-node.js'
import { inType, named } from './naming.js'
import type { LanguageRow, Named } from './row.js'

const KIND_OF_WORD: ReadonlyMap<string, SymbolKind> = new Map([
  ['defmodule', 'module'],
  ['defprotocol', 'interface'],
  ['defimpl', 'module'],
  ['def', 'function'],
  ['defp', 'function'],
  ['defdelegate', 'function'],
  ['defguard', 'macro'],
  ['defguardp', 'macro'],
  ['defmacro', 'macro'],
  ['defmacrop', 'macro'],
  ['describe', 'test'],
  ['test', 'test'],
  ['property', 'test'],
])
const TYPE_ATTRIBUTE = /^@(?:type|typep|opaque|callback|macrocallback)\s/
const LEAD_ATTRIBUTE = /^@(?:doc|typedoc|spec|impl|deprecated|tag|dialyzer)\b/

/** `f(a) when a > 1`, `a + b`, `f`: the head of a definition down to its name. */
function headName(head: SyntaxNode | undefined): readonly Named[] {
  if (head?.type === 'call') return headName(head.field('target'))
  if (head?.type !== 'binary_operator') return named(head)
  const operator = head.field('operator') ?? head.children[1]
  const isGuard = operator?.text === 'when' || operator?.text === '::'
  return isGuard ? headName(head.field('left')) : named(operator)
}

function typeNames(node: SyntaxNode): readonly Named[] {
  return headName(node.child('call')?.child('arguments')?.children[0])
}

export const ELIXIR: LanguageRow = {
  name: 'elixir',
  comments: {
    line: ['#'],
    block: [],
    strings: [],
    longStrings: [
      ['"""', '"""'],
      ['"', '"'],
    ],
    hasDocStrings: true,
    markerNeedsSpace: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-elixir' },
    symbols: {
      call: {
        kind: (node) => KIND_OF_WORD.get(node.field('target')?.text ?? ''),
        names: (node) => headName(node.child('arguments')?.children.find((child) => child.type !== '(')),
        members: (node) => {
          const kind = KIND_OF_WORD.get(node.field('target')?.text ?? '')
          // Functions and macros may quote definitions: those of whoever uses them.
          const isCase = kind === 'test' && node.field('target')?.text !== 'describe'
          return kind === undefined || isCase ? [] : inType('do_block')(node)
        },
      },
      unary_operator: {
        kind: (node) => (TYPE_ATTRIBUTE.test(node.text) ? 'type' : undefined),
        names: typeNames,
      },
    },
    through: ['do_block'],
    wrappers: [],
    itemsOf: (node) => (node.field('target')?.text === 'quote' ? node.child('do_block') : undefined),
    isLead: (node) => node.type === 'unary_operator' && LEAD_ATTRIBUTE.test(node.text),
    joinsEquations: true,
  },
}
