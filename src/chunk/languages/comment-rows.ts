/** Languages without a grammar here: comment syntax, and for some a few patterns that find definitions. */
import type { CommentSyntax, LanguageRow } from './row.js'

const SLASHES: CommentSyntax = { line: ['//'], block: [['/*', '*/']], strings: ['"', "'"] }
const HASH: CommentSyntax = { line: ['#'], block: [], strings: ['"', "'"], markerNeedsSpace: true }
const MARKUP: CommentSyntax = { line: [], block: [['<!--', '-->']], strings: [] }
const LISP: CommentSyntax = { line: [';'], block: [], strings: [], longStrings: [['"', '"']] }

// Attributes and modifiers before a keyword; no call and no string stands there.
const SWIFT_HEAD = String.raw`^(?:@\w+(?!\w)(?:\([^)"]*\))?|[^"(@])*\b`
const swiftHead = (rest: string): RegExp => new RegExp(SWIFT_HEAD + rest)

const SWIFT: LanguageRow = {
  name: 'swift',
  comments: { ...SLASHES, strings: ['"'], longStrings: [['"""', '"""']] },
  patterns: [
    { pattern: /\bfunc\s+`?(?<name>\w+|[-+*/=<>!&|^~?%]+)`?\s*[(<]/, kind: 'function' },
    {
      pattern: swiftHead(String.raw`(?:class|actor)\s+(?!func\b|var\b|let\b|subscript\b)(?<name>\w+)`),
      kind: 'class',
    },
    { pattern: swiftHead(String.raw`extension\s+(?<name>[\w.]+)`), kind: 'class', isReopening: true },
    { pattern: swiftHead(String.raw`struct\s+(?<name>\w+)`), kind: 'class' },
    { pattern: swiftHead(String.raw`enum\s+(?<name>\w+)`), kind: 'enum' },
    { pattern: swiftHead(String.raw`protocol\s+(?<name>\w+)`), kind: 'interface' },
    { pattern: swiftHead(String.raw`(?:typealias|associatedtype)\s+(?<name>\w+)`), kind: 'type' },
    {
      pattern:
        /^\s*(?:(?:@\w+(?:\([^)]*\))?|public|open|internal|private|fileprivate|convenience|required|override|nonisolated)\s+)*(?<name>init|subscript)[?!]?\s*[(<]/,
      kind: 'method',
    },
    {
      pattern: /^\s*(?:(?:@\w+(?:\([^)]*\))?|[\w()]+)\s+)*(?:let|var)\s+`?(?<name>\w+)/,
      kind: 'variable',
    },
  ],
}

const PROTOBUF: LanguageRow = {
  name: 'protobuf',
  comments: SLASHES,
  patterns: [
    { pattern: /^\s*message\s+(?<name>\w+)/, kind: 'class' },
    { pattern: /^\s*service\s+(?<name>\w+)/, kind: 'interface' },
    { pattern: /^\s*rpc\s+(?<name>\w+)/, kind: 'method' },
    { pattern: /^\s*enum\s+(?<name>\w+)/, kind: 'enum' },
  ],
}

const GRAPHQL: LanguageRow = {
  name: 'graphql',
  comments: { line: ['#'], block: [], strings: ['"'], longStrings: [['"""', '"""']] },
  patterns: [
    { pattern: /^\s*(?:extend\s+)?(?:type|input|scalar|union)\s+(?<name>\w+)/, kind: 'type' },
    { pattern: /^\s*(?:extend\s+)?interface\s+(?<name>\w+)/, kind: 'interface' },
    { pattern: /^\s*enum\s+(?<name>\w+)/, kind: 'enum' },
    { pattern: /^\s*(?:query|mutation|subscription|fragment)\s+(?<name>\w+)/, kind: 'function' },
  ],
}

const MAKE: LanguageRow = {
  name: 'make',
  comments: { ...HASH, strings: [] },
  patterns: [
    { pattern: /^(?!\.[A-Z])(?<name>[\w./%$(){}-]+(?: [\w./%$(){}-]+)*)\s*::?(?!=)/, kind: 'function' },
  ],
}

const TERRAFORM: LanguageRow = {
  name: 'terraform',
  comments: { line: ['#', '//'], block: [['/*', '*/']], strings: ['"'] },
  patterns: [
    { pattern: /^(?:resource|data)\s+"[^"]+"\s+"(?<name>[^"]+)"\s*\{/, kind: 'constant' },
    { pattern: /^(?:variable|output|module|provider)\s+"(?<name>[^"]+)"\s*\{/, kind: 'constant' },
  ],
}

const VIM: LanguageRow = {
  name: 'vim',
  comments: { line: ['"'], block: [], strings: ["'"], markerNeedsSpace: true },
  patterns: [{ pattern: /^\s*fu(?:nction)?!?\s+(?<name>[\w:#.<>]+)/, kind: 'function' }],
}

const DART: LanguageRow = {
  name: 'dart',
  comments: {
    ...SLASHES,
    longStrings: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
  },
  patterns: [
    {
      pattern: /^\s*(?:abstract\s+|sealed\s+|final\s+)*(?:class|mixin|extension)\s+(?<name>\w+)/,
      kind: 'class',
    },
    { pattern: /^\s*enum\s+(?<name>\w+)/, kind: 'enum' },
    { pattern: /^\s*typedef\s+(?<name>\w+)/, kind: 'type' },
  ],
}

const OBJECTIVE_C: LanguageRow = {
  name: 'objc',
  comments: SLASHES,
  patterns: [
    { pattern: /^\s*@interface\s+(?<name>\w+)/, kind: 'class' },
    { pattern: /^\s*@implementation\s+(?<name>\w+)/, kind: 'class' },
    { pattern: /^\s*@protocol\s+(?<name>\w+)(?!.*;\s*$)/, kind: 'interface' },
    { pattern: /^\s*[-+]\s*\([^)]*\)\s*(?<name>\w+)/, kind: 'method' },
  ],
}

const PERL: LanguageRow = {
  name: 'perl',
  comments: {
    ...HASH,
    block: [
      ['=pod', '=cut'],
      ['=head', '=cut'],
      ['=over', '=cut'],
      ['=item', '=cut'],
    ],
  },
  patterns: [
    { pattern: /^\s*sub\s+(?<name>\w+)/, kind: 'function' },
    { pattern: /^\s*package\s+(?<name>[\w:]+)/, kind: 'module' },
  ],
}

const R: LanguageRow = {
  name: 'r',
  comments: HASH,
  patterns: [{ pattern: /^(?<name>[\w.]+)\s*(?:<-|=)\s*function\b/, kind: 'function' }],
}

const CLOJURE: LanguageRow = {
  name: 'clojure',
  comments: LISP,
  patterns: [
    { pattern: /^\s*\((?:defn-?|defmulti|defmethod)\s+(?:\^\S+\s+)*(?<name>[^\s()[\]]+)/, kind: 'function' },
    { pattern: /^\s*\(defmacro\s+(?<name>[^\s()[\]]+)/, kind: 'macro' },
    { pattern: /^\s*\((?:defprotocol|definterface)\s+(?<name>[^\s()[\]]+)/, kind: 'interface' },
    { pattern: /^\s*\((?:defrecord|deftype)\s+(?<name>[^\s()[\]]+)/, kind: 'class' },
    { pattern: /^\s*\(def(?:once)?\s+(?:\^\S+\s+)*(?<name>[^\s()[\]]+)/, kind: 'constant' },
  ],
}

const LISPS: LanguageRow = {
  name: 'lisp',
  comments: LISP,
  patterns: [
    { pattern: /^\s*\((?:defun|defmacro|defvar|defcustom|define)\s+\(?(?<name>[^\s()]+)/, kind: 'function' },
  ],
}

function plain(name: string, comments: CommentSyntax): LanguageRow {
  return { name, comments }
}

export const COMMENT_ROWS: readonly LanguageRow[] = [
  SWIFT,
  PROTOBUF,
  GRAPHQL,
  MAKE,
  VIM,
  DART,
  PERL,
  R,
  CLOJURE,
  LISPS,
  plain('css', { line: [], block: [['/*', '*/']], strings: ['"', "'"] }),
  plain('scss', SLASHES),
  plain('cmake', { ...HASH, block: [['#[[', ']]']] }),
  plain('nix', { ...HASH, block: [['/*', '*/']] }),
  TERRAFORM,
  plain('xml', MARKUP),
  plain('groovy', SLASHES),
  OBJECTIVE_C,
  plain('fsharp', { line: ['//'], block: [['(*', '*)']], strings: ['"'], hasCharLiterals: true }),
  plain('ocaml', { line: [], block: [['(*', '*)']], strings: ['"'], hasCharLiterals: true }),
  plain('erlang', { line: ['%'], block: [], strings: ['"'] }),
  plain('julia', { ...HASH, block: [['#=', '=#']], longStrings: [['"""', '"""']] }),
  plain('powershell', { ...HASH, block: [['<#', '#>']] }),
  plain('fish', HASH),
]
