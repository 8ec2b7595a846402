/** The shape of src/ that docs/design.md promises. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { factsOf, importCycles, layerViolations, type Layers, type SourceFacts } from './source-facts.js'

const BASE = ['types', 'errors', 'config', 'digest', 'fence', 'beginning', 'native-fault']
// Words and vectors as such: no files, no index.
const TOOLS = ['text', 'vector']
const STAGES = ['walk', 'chunk', 'embed', 'store', 'history', 'rank']

const LAYERS: Layers = {
  types: [],
  errors: [],
  config: [],
  digest: [],
  fence: [],
  beginning: [],
  'native-fault': ['errors'],
  text: BASE,
  vector: BASE,
  walk: BASE,
  chunk: BASE,
  embed: [...BASE, ...TOOLS],
  store: [...BASE, ...TOOLS],
  history: [...BASE, ...TOOLS],
  rank: [...BASE, ...TOOLS],
  build: [...BASE, ...TOOLS, ...STAGES],
  retrieve: [...BASE, ...TOOLS, ...STAGES],
  library: [...BASE, ...TOOLS, ...STAGES, 'build', 'retrieve'],
  index: ['types', 'errors', 'library', 'build', 'embed', 'retrieve', 'store'], // re-exports only
  cli: [...BASE, 'index', 'mcp'], // the command starts the server, loaded when asked for
  mcp: [...BASE, 'index'],
}

/** Each of these is loaded (or named to the user) by one file, which hides it. */
const NATIVE = [
  'better-sqlite3',
  'tree-sitter',
  'hnswlib-node',
  '@parcel/watcher',
  '#transformers',
  'onnxruntime-node',
  '@xenova/transformers',
]

/** Loaded by the server alone: a query must not pay for it. */
const SERVER_ONLY = '@modelcontextprotocol/sdk'

describe('src/', () => {
  const files = readFolder(fileURLToPath(new URL('../src', import.meta.url)))

  it('is read', () => {
    expect(files.length).toBeGreaterThan(40)
  })

  it('has imports in one direction only', () => {
    expect(layerViolations(files, LAYERS)).toEqual([])
  })

  it('has no import cycle between files', () => {
    expect(importCycles(files)).toEqual([])
  })

  it('prints under cli/ only', () => {
    expect(pathsWhere(files, (file) => file.usesConsole && !file.path.startsWith('cli/'))).toEqual([])
  })

  it('reads the environment in config.ts only', () => {
    expect(pathsWhere(files, (file) => file.readsEnvironment)).toEqual(['config.ts'])
  })

  it('loads the MCP library under mcp/ only, and mcp/ on demand only', () => {
    const loads = (file: SourceFacts): boolean =>
      [...file.strings].some((text) => text.startsWith(SERVER_ONLY)) && !file.path.startsWith('mcp/')
    expect(pathsWhere(files, loads)).toEqual([])
    const starters = files.filter(
      ({ path, imports }) => !path.startsWith('mcp/') && imports.some((to) => to.includes('/mcp/')),
    )
    expect(starters.map(({ path }) => path)).toEqual(['cli/mcp-command.ts'])
    expect(readFileSync(new URL('../src/cli/mcp-command.ts', import.meta.url), 'utf8')).not.toMatch(
      /^import .*mcp\/serve/m,
    )
  })

  it.each(NATIVE)('loads %s in one file at most', (name) => {
    expect(pathsWhere(files, (file) => file.strings.has(name)).length).toBeLessThanOrEqual(1)
  })
})

describe('the checker', () => {
  const layers: Layers = { base: [], walk: ['base'], cli: ['walk'] }
  const file = (path: string, text: string): SourceFacts => factsOf(path, text)

  it('finds an arrow that points the wrong way, however it is written', () => {
    const files = [
      file('walk/a.ts', "import { x } from '../cli/main.js'"),
      file('walk/b.ts', "import type { X } from '../cli/main.js'"),
      file('walk/c.ts', "export * from '../cli/main.js'"),
      file('walk/d.ts', "export const later = () => import('../cli/main.js')"),
      file('walk/e.ts', "export type Late = typeof import('../cli/main.js')"),
      file('walk/f.ts', "import './a.js'\nimport { z } from '../base.js'\nimport fs from 'node:fs'"),
      file('cli/main.ts', "import '../walk/a.js'"),
      file('base.ts', ''),
    ]
    expect(layerViolations(files, layers)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `walk/${name}.ts -> cli/main.ts`),
    )
  })

  it('finds a folder that the table does not know', () => {
    expect(layerViolations([file('utils/x.ts', '')], layers)).toEqual([
      'utils/x.ts: "utils" is not in the table of layers',
    ])
  })

  it('finds a cycle and not the files that only lead to it', () => {
    const files = [
      file('a.ts', "import './b.js'"),
      file('b.ts', "import './c/d.js'"),
      file('c/d.ts', "import type { B } from '../b.js'"),
      file('e.ts', "import './e.js'"),
    ]
    expect(importCycles(files)).toEqual([
      'b.ts -> c/d.ts -> b.ts',
      'c/d.ts -> b.ts -> c/d.ts',
      'e.ts -> e.ts',
    ])
  })

  it('sees console and process.env in code, not in comments and strings', () => {
    const seen = (text: string): readonly boolean[] => {
      const { usesConsole, readsEnvironment } = file('x.ts', text)
      return [usesConsole, readsEnvironment]
    }
    expect(seen('console.log(1)')).toEqual([true, false])
    expect(seen("console['error'](1)")).toEqual([true, false])
    expect(seen('f(process.env.HOME)')).toEqual([false, true])
    expect(seen("f(process.env['HOME'], process['env'])")).toEqual([false, true])
    expect(seen("// console.log(process.env)\nf('console.log process.env', process.platform)")).toEqual([
      false,
      false,
    ])
  })

  it('tells a library that is loaded from one whose types are used', () => {
    const loads = (text: string): boolean => file('x.ts', text).strings.has('tree-sitter')
    expect(loads("import Parser from 'tree-sitter'")).toBe(true)
    expect(loads("require('tree-sitter')")).toBe(true)
    expect(loads("await import('tree-sitter')")).toBe(true)
    expect(loads("import type Parser from 'tree-sitter'")).toBe(false)
    expect(loads("type Parser = typeof import('tree-sitter')")).toBe(false)
    expect(loads("throw new Error('install tree-sitter')")).toBe(false)
  })
})

function readFolder(folder: string): readonly SourceFacts[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => factsOf(relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')))
    .sort((a, b) => (a.path < b.path ? -1 : 1)) // paths are unique
}

function pathsWhere(files: readonly SourceFacts[], holds: (file: SourceFacts) => boolean): readonly string[] {
  return files.filter(holds).map(({ path }) => path)
}
