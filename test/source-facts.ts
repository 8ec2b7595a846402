/** What a source file imports and touches, read from its syntax; and the rules over many of them. For tests only. */
import { posix } from 'node:path'
import ts from 'typescript'

export interface SourceFacts {
  /** Relative to src/, with "/": "cli/main.ts". */
  readonly path: string
  /** Module specifiers of imports, exports, import() and import types. */
  readonly imports: readonly string[]
  /** String literals that are in the code at run time: type-only imports left out. */
  readonly strings: ReadonlySet<string>
  readonly usesConsole: boolean
  readonly readsEnvironment: boolean
}

/** Area -> areas it may import. An area is a folder below src/, or a file directly in it without its ending. */
export type Layers = Readonly<Record<string, readonly string[]>>

export function factsOf(path: string, text: string): SourceFacts {
  const imports: string[] = []
  const strings = new Set<string>()
  let usesConsole = false
  let readsEnvironment = false
  const visit = (node: ts.Node, isType: boolean): void => {
    const specifier = moduleSpecifierOf(node)
    if (specifier !== undefined) imports.push(specifier)
    if (!isType && ts.isStringLiteralLike(node)) strings.add(node.text)
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const owner = node.expression.getText()
      usesConsole ||= owner === 'console'
      readsEnvironment ||= owner === 'process' && /^process(\.env|\[['"]env['"]\])$/.test(node.getText())
    }
    ts.forEachChild(node, (child) => {
      visit(child, isType || isTypeOnly(node))
    })
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), false)
  return { path, imports, strings, usesConsole, readsEnvironment }
}

function moduleSpecifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return literal(node.moduleSpecifier)
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return literal(node.arguments[0])
  }
  return undefined
}

function literal(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  return ts.isImportTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

/** Imports that the table of layers does not allow, as "from -> to" lines; also areas that it does not know. */
export function layerViolations(files: readonly SourceFacts[], layers: Layers): readonly string[] {
  return files.flatMap((file) => {
    const from = areaOf(file.path)
    const allowed = layers[from]
    if (allowed === undefined) return [`${file.path}: "${from}" is not in the table of layers`]
    return localImports(file)
      .filter((path) => areaOf(path) !== from && !allowed.includes(areaOf(path)))
      .map((path) => `${file.path} -> ${path}`)
  })
}

/** One line for each file that can reach itself, with the way round: "a.ts -> b.ts -> a.ts". */
export function importCycles(files: readonly SourceFacts[]): readonly string[] {
  const next = new Map(files.map((file) => [file.path, localImports(file)]))
  return files.flatMap(({ path }) => {
    const way = wayBack(path, next)
    return way === undefined ? [] : [way.join(' -> ')]
  })
}

/** Shortest way from `start` back to itself. */
function wayBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const seen = new Set<string>()
  let ways: readonly string[][] = [[start]]
  while (ways.length > 0) {
    const longer: string[][] = []
    for (const way of ways) {
      for (const path of next.get(way.at(-1) ?? start) ?? []) {
        if (path === start) return [...way, path]
        if (!seen.has(path)) longer.push([...way, path])
        seen.add(path)
      }
    }
    ways = longer
  }
  return undefined
}

function areaOf(path: string): string {
  return (path.split('/')[0] ?? path).replace(/\.ts$/, '')
}

/** Paths, relative to src/, of the files that a file imports from this package. */
function localImports(file: SourceFacts): readonly string[] {
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts'))
}
