/**
 * Module hooks: files of scripts/, test/helpers/ and what is bundled (src/cli, src/mcp) are compiled when loaded, and
 * what they import from src/ otherwise comes from dist/, so that the code that ships is measured. Types are checked by `npm run typecheck`, not here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const OWN = ['../', '../../test/helpers/', '../../src/cli/', '../../src/mcp/'].map(
  (folder) => new URL(folder, import.meta.url).href,
)
const SOURCE = new URL('../../src/', import.meta.url).href
const BUILT = new URL('../../dist/', import.meta.url).href

const isOwn = (url) => OWN.some((folder) => url.startsWith(folder))

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !isOwn(context.parentURL ?? '')) return next(specifier, context)
  const url = new URL(specifier, context.parentURL).href
  if (url.startsWith(SOURCE) && !isOwn(url)) return next(BUILT + url.slice(SOURCE.length), context)
  const source = url.replace(/\.js$/, '.ts')
  return existsSync(fileURLToPath(source)) ? { url: source, shortCircuit: true } : next(specifier, context)
}

export async function load(url, context, next) {
  if (!isOwn(url) || !url.endsWith('.ts')) return next(url, context)
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    fileName: fileURLToPath(url),
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}
