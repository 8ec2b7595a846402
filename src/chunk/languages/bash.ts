import type { LanguageRow } from './row.js'

export const BASH: LanguageRow = {
  name: 'bash',
  comments: {
    line: ['#'],
    block: [],
    strings: [],
    longStrings: [
      ['"', '"'],
      ["'", "'", 'raw'],
    ],
    markerNeedsSpace: true,
  },
  rules: {
    grammar: { module: 'tree-sitter-bash' },
    symbols: {
      function_definition: { kind: 'function' },
      variable_assignment: {
        kind: (node) => (node.field('name')?.type === 'variable_name' ? 'variable' : undefined),
      },
    },
    through: ['if_statement', 'else_clause', 'elif_clause', 'compound_statement'],
    wrappers: ['declaration_command'],
  },
}

/** Bash with `@test "title" { ... }`, which the grammar reads as broken commands. */
export const BATS: LanguageRow = {
  name: 'bats',
  comments: BASH.comments,
  patterns: [
    { pattern: /^\s*@test\s+["']?(?<name>.*?)["']?\s*\{/, kind: 'test' },
    { pattern: /^\s*(?:function\s+)?(?<name>[\w:.-]+)\s*\(\)/, kind: 'function' },
    { pattern: /^\s*function\s+(?<name>[\w:.-]+)/, kind: 'function' },
  ],
}
