/** Markup with scripts inside: HTML, Vue, Svelte. Each script is read by the grammar of its language. */
import type { CommentSyntax, LanguageRow, ScriptBlock, ScriptsIn } from './row.js'

const SCRIPT = /(<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>)([^]*?)<\/script\s*>/gi
const FRONT_MATTER = /^(---\r?\n)([^]*?)\r?\n---/
// What a browser runs; a template, a shader or JSON in a script tag is no JavaScript.
const RUN_TYPES = /^(?:module|(?:text|application)\/(?:java|ecma|type)script|text\/babel|text\/jsx)$/i

function scriptBlocks(text: string): readonly ScriptBlock[] {
  return [...text.matchAll(SCRIPT)].flatMap(({ 1: tag = '', 2: attributes = '', 3: body = '', index }) => {
    const language = scriptLanguage(attributes)
    if (language === undefined || body.trim() === '') return []
    const start = index + tag.length
    return [{ language, start, end: start + body.length }]
  })
}

function scriptLanguage(attributes: string): string | undefined {
  const type = attribute(attributes, 'type') ?? ''
  const lang = attribute(attributes, 'lang') ?? ''
  if (/^tsx$/i.test(lang)) return 'tsx'
  if (/^(?:ts|typescript)$/i.test(lang) || /typescript/i.test(type)) return 'typescript'
  return type === '' || RUN_TYPES.test(type) ? 'javascript' : undefined
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  return match?.[1] ?? match?.[2] ?? match?.[3]
}

/** Astro: TypeScript between two lines of "---", then markup. */
function astroBlocks(text: string): readonly ScriptBlock[] {
  const [, open = '', body = ''] = FRONT_MATTER.exec(text) ?? []
  const front = { language: 'typescript', start: open.length, end: open.length + body.length }
  return body === '' ? scriptBlocks(text) : [front, ...scriptBlocks(text)]
}

const SCRIPTS: ScriptsIn = { languages: ['javascript', 'typescript', 'tsx'], blocks: scriptBlocks }

const MARKUP: CommentSyntax = { line: [], block: [['<!--', '-->']], strings: [] }
const MIXED: CommentSyntax = {
  line: ['//'],
  block: [
    ['<!--', '-->'],
    ['/*', '*/'],
  ],
  strings: ['"', "'"],
}

export const MARKUP_ROWS: readonly LanguageRow[] = [
  { name: 'vue', comments: MIXED, scripts: SCRIPTS },
  { name: 'svelte', comments: MIXED, scripts: { ...SCRIPTS, blocks: astroBlocks } },
  { name: 'html', comments: MARKUP, scripts: SCRIPTS },
]
