/** The one door to tree-sitter: loads grammars on first use and turns text into plain lazy nodes. */
import { createRequire } from 'node:module'
import type Parser from 'tree-sitter'
import { messageOf } from '../errors.js'
import { nativeFault } from '../native-fault.js'
import { SyntaxNode } from './syntax-node.js'
import type { GrammarSource } from './languages/row.js'

const require = createRequire(import.meta.url)

export type Parsed =
  { readonly kind: 'tree'; readonly root: SyntaxNode } | { readonly kind: 'failed'; readonly reason: string }

type Loaded = { readonly parser: Parser } | { readonly reason: string }

/** Owns one parser per grammar. A grammar that cannot be loaded is remembered with its reason, never retried. */
export class Grammars {
  private readonly newParser = parserMaker()
  private readonly loaded = new Map<string, Loaded>()

  /** Loads the grammar (4-16 ms the first time). Never throws: `parse` reports why a grammar is missing. */
  async load(language: string, source: GrammarSource): Promise<void> {
    if (this.loaded.has(language)) return
    let loaded: Loaded
    try {
      const parser = this.newParser()
      parser.setLanguage(await importGrammar(source))
      loaded = { parser }
    } catch (error) {
      loaded = { reason: `grammar ${source.module} cannot be loaded: ${messageOf(error)}` }
    }
    this.loaded.set(language, loaded)
  }

  /** Synchronous. `part` limits the parse to a range of the text; offsets stay those of the text. Throws when `load` was never awaited for this language, which is a fault of the caller. */
  parse(language: string, text: string, part = { start: 0, end: text.length }): Parsed {
    const loaded = this.loaded.get(language)
    if (!loaded)
      throw new Error(`grammar of ${language} was not prepared: await prepare("${language}") first`)
    if ('reason' in loaded) return { kind: 'failed', reason: loaded.reason }
    try {
      const tree = loaded.parser.parse(text.slice(part.start, part.end))
      return { kind: 'tree', root: SyntaxNode.root(tree, text, part.start) }
    } catch (error) {
      return { kind: 'failed', reason: `parser failed: ${messageOf(error)}` }
    }
  }
}

/** Throws NATIVE_MODULE: without the parser itself every language would silently be cut by lines. */
function parserMaker(): () => Parser {
  try {
    const Constructor = require('tree-sitter') as typeof Parser
    return () => new Constructor()
  } catch (error) {
    throw nativeFault('tree-sitter', error)
  }
}

/** require() serves all grammars but the two that are ES modules. */
async function importGrammar(source: GrammarSource): Promise<Parser.Language> {
  const exported: unknown = source.isEsModule
    ? ((await import(source.module)) as { default: unknown }).default
    : require(source.module)
  return (source.member ? (exported as Record<string, unknown>)[source.member] : exported) as Parser.Language
}
