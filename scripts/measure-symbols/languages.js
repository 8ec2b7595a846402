/**
 * What is measured: per language the repositories (folders below --repositories) and who says what they define.
 * - `leave`: kinds of universal-ctags that name no definition (packages, imports) or one that hone leaves to the text
 *   of its owner on purpose (enumerators, struct members, record fields); `add`: kinds it is silent about unless asked.
 * - `ours`: kinds of hone that this tool cannot tell, so that it cannot confirm them.
 * - `atMargin`: the tool does not know what is inside a function; what is indented is not top-level.
 * - `isFault`: what the tool reports and no reader would.
 */
const CTAGS = 'ctags'

const isInHeredoc = ({ before }) => (before.match(/"""/g)?.length ?? 0) % 2 === 1

const isGuardOrMacroCall = ({ kind, name, text }) =>
  (kind === 'macro' && /_H(?:PP)?_*$/.test(name) && text.trim().endsWith(name)) ||
  (kind === 'prototype' && /^[A-Z_]+$/.test(name))

export const LANGUAGES = [
  // Its tags of `export { type X }` define nothing.
  {
    language: 'typescript',
    repositories: ['trpc'],
    tool: CTAGS,
    name: 'TypeScript',
    leave: 'eplz',
    ours: ['test'],
    atMargin: true,
    isFault: ({ kind, name, text }) => kind === 'alias' && !text.includes(`type ${name}`),
  },
  { language: 'typescript', repositories: ['trpc'], tool: 'typescript', ours: ['test'] },
  { language: 'javascript', repositories: ['axios', 'express'], tool: 'typescript', ours: ['test'] },
  {
    language: 'javascript',
    repositories: ['axios', 'express'],
    tool: CTAGS,
    name: 'JavaScript',
    leave: 'p',
    ours: ['test'],
    atMargin: true,
    isFault: ({ name, kind, text }) =>
      name.startsWith('AnonymousFunction') ||
      text.includes('require(') ||
      (kind === 'function' && /[,(] *(?:async )?function/.test(text)),
  },
  { language: 'tsx', repositories: ['query'], tool: 'typescript', ours: ['test'] },
  {
    language: 'python',
    repositories: ['fastapi', 'pydantic', 'requests', 'starlette', 'model2vec'],
    tool: CTAGS,
    name: 'Python',
    leave: 'Iixlz',
  },
  { language: 'go', repositories: ['chi', 'gin'], tool: CTAGS, name: 'Go', leave: 'PpMRmu' },
  { language: 'java', repositories: ['gson'], tool: CTAGS, name: 'Java', leave: 'pel' },
  {
    language: 'kotlin',
    repositories: ['ktor'],
    tool: CTAGS,
    name: 'Kotlin',
    leave: 'p',
    atMargin: true,
    isFault: ({ name }) => name === '<lambda>',
  },
  { language: 'scala', repositories: ['circe'], tool: 'scala' },
  // A struct made by a macro has no members to tell; a guard of a header names nothing.
  {
    language: 'c',
    repositories: ['curl'],
    tool: CTAGS,
    name: 'C',
    leave: 'Dhelmz',
    add: 'px',
    isFault: isGuardOrMacroCall,
  },
  {
    language: 'cpp',
    repositories: ['fmtlib', 'nlohmann-json'],
    tool: CTAGS,
    name: 'C++',
    leave: 'DhelmzNUZ',
    add: 'pxA',
    isFault: isGuardOrMacroCall,
  },
  // A type parameter with a constraint is no class, an alias of a namespace no type.
  {
    language: 'c-sharp',
    repositories: ['newtonsoft-json'],
    tool: CTAGS,
    name: 'C#',
    leave: 'del',
    isFault: ({ name, text }) => text.includes(`where ${name} :`) || text.startsWith('using '),
  },
  {
    language: 'rust',
    repositories: ['axum', 'tokio'],
    tool: CTAGS,
    name: 'Rust',
    leave: 'ecm',
    ours: ['constant'],
  },
  {
    language: 'ruby',
    repositories: ['sinatra'],
    tool: CTAGS,
    name: 'Ruby',
    leave: 'L',
    isFault: ({ name, kind }) => kind === 'accessor' && name.endsWith('='),
  },
  { language: 'php', repositories: ['monolog'], tool: CTAGS, name: 'PHP', leave: 'aln' },
  { language: 'swift', repositories: ['alamofire', 'snapkit'], tool: 'swift' },
  {
    language: 'elixir',
    repositories: ['phoenix'],
    tool: CTAGS,
    name: 'Elixir',
    leave: 'eri',
    isFault: isInHeredoc,
  },
  // Record fields are tagged as functions.
  {
    language: 'haskell',
    repositories: ['xmonad'],
    tool: CTAGS,
    name: 'Haskell',
    leave: 'cm',
    isFault: ({ kind, name, text }) =>
      kind === 'function' &&
      (/^\s*[{,]|\{ \w+ +::/.test(text) || /^(?:class|infix[lr]?|[A-Z].*)$/.test(name)),
    isSignatureFirst: true,
  },
  {
    language: 'lua',
    repositories: ['mini.nvim', 'telescope.nvim'],
    tool: CTAGS,
    name: 'Lua',
    ours: ['constant', 'variable', 'test'],
    atMargin: true,
  },
  // An array `x=()` is tagged as a function.
  {
    language: 'bash',
    repositories: ['bats-core', 'nvm'],
    tool: CTAGS,
    name: 'Sh',
    leave: 'hsa',
    ours: ['constant', 'variable'],
    isFault: ({ name }) => name.endsWith('='),
  },
  { language: 'zig', repositories: ['zls'], tool: 'zig', ours: ['test'] },
]
