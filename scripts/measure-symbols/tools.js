/**
 * Independent tools that say what files define. Each takes absolute paths and gives `{ path, line, name, isTop }`:
 * top-level is what stands in no class and no function; namespaces, packages and modules do not count as being inside.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'

// 500 MB: ctags writes about 200 bytes a tag.
const MAX_OUTPUT_BYTES = 500_000_000
const OPEN_SCOPES = new Set(['namespace', 'package', 'module', 'implementation'])
const here = import.meta.dirname

const run = (command, args, input) =>
  execFileSync(command, args, {
    input,
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })

function ctags(paths, { name, leave = '', add = '' }) {
  const kinds = [...leave].map((kind) => `-${kind}`).concat([...add].map((kind) => `+${kind}`))
  const args = [
    '--options=NONE',
    '--output-format=json',
    '--fields=+nKsSe',
    '--sort=no',
    `--languages=${name}`,
  ]
  const output = run(
    'ctags',
    [
      ...args,
      `--language-force=${name}`,
      ...(kinds.length > 0 ? [`--kinds-${name}=${kinds.join('')}`] : []),
      '-L',
      '-',
      '-f',
      '-',
    ],
    paths.join('\n'),
  )
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((tag) => !tag.name.startsWith('__anon'))
    .map((tag) => ({
      path: tag.path,
      line: tag.line,
      name: tag.name,
      kind: tag.kind,
      scope: tag.scope,
      isTop: tag.scope === undefined || OPEN_SCOPES.has(tag.scopeKind),
    }))
}

/** @param {{ folder: string }} options where `npm install scalameta-parsers` was run */
function scala(paths, { folder }) {
  const { parseSource } = createRequire(join(folder, 'package.json'))('scalameta-parsers')
  return paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const trees = ['Scala213', 'Scala3'].map((dialect) => parseSource(text, dialect))
    const tree = trees.find((candidate) => candidate.error === undefined)
    return tree
      ? scalaDefinitions(tree.stats, true).map((it) => ({ path, line: lineAt(text, it.at), ...it }))
      : []
  })
}

function scalaDefinitions(stats, isTop) {
  return (stats ?? []).flatMap((stat) => {
    if (stat.type === 'Pkg') return scalaDefinitions(stat.body?.stats ?? stat.stats, isTop)
    if (!/^(Defn|Decl|Pkg\.Object)/.test(stat.type)) return []
    const names = stat.name
      ? [stat.name]
      : (stat.pats ?? []).filter((pat) => pat.type === 'Pat.Var').map((pat) => pat.name)
    const own = names
      .filter(({ type, value }) => value && type !== 'Name.Anonymous')
      .map((name) => ({ name: name.value, at: name.pos.start, isTop }))
    return [...own, ...scalaDefinitions(stat.templ?.body?.stats ?? stat.templ?.stats, false)]
  })
}

const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

/** The compiler itself, for TypeScript, TSX and JavaScript. An import, also by \`require\`, defines nothing. */
function typescript(paths) {
  return paths.flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const told = (name, isTop) =>
      name && !ts.isComputedPropertyName(name)
        ? [
            {
              path,
              line: file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1,
              name: name.text ?? name.getText(file),
              isTop,
            },
          ]
        : []
    return file.statements.flatMap((statement) => tsDefinitions(statement, told))
  })
}

function tsDefinitions(node, told) {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations
      .filter(
        ({ initializer }) => !/^(?:await\s+)?(?:require|import)\s*\(/.test(initializer?.getText() ?? ''),
      )
      .flatMap(({ name }) =>
        ts.isIdentifier(name)
          ? told(name, true)
          : name.elements.flatMap((it) => (ts.isIdentifier(it.name ?? it) ? told(it.name, true) : [])),
      )
  }
  if (ts.isModuleDeclaration(node)) {
    const inner = node.body && ts.isModuleBlock(node.body) ? node.body.statements : []
    return [...told(node.name, true), ...inner.flatMap((it) => tsDefinitions(it, told))]
  }
  const isNamed = [
    ts.isFunctionDeclaration,
    ts.isClassDeclaration,
    ts.isInterfaceDeclaration,
    ts.isTypeAliasDeclaration,
    ts.isEnumDeclaration,
  ].some((is) => is(node))
  if (!isNamed) return []
  const members = ts.isClassDeclaration(node) ? node.members.flatMap((it) => told(it.name, false)) : []
  return [...told(node.name, true), ...members]
}

/** @param {{ python: string }} options a Python with tree-sitter and tree-sitter-swift */
function swift(paths, { python }) {
  return run(python, [join(here, 'definitions_swift.py')], paths.join('\n'))
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [path, line, name, isTop] = row.split('\t')
      return { path, line: Number(line), name, isTop: isTop === '1' }
    })
}

/** @param {{ python: string, folder: string }} options a Python with ziglang; a folder for what it compiles */
function zig(paths, { python, folder }) {
  const program = join(folder, 'zig-definitions')
  run(python, [
    '-m',
    'ziglang',
    'build-exe',
    join(here, 'definitions.zig'),
    '-O',
    'ReleaseSafe',
    `-femit-bin=${program}`,
  ])
  return paths.flatMap((path) =>
    run(program, [], readFileSync(path))
      .split('\n')
      .filter(Boolean)
      .map((row) => ({
        path,
        line: Number(row.split(' ')[0]),
        name: row.slice(row.indexOf(' ') + 1),
        isTop: true,
      })),
  )
}

export const TOOLS = { ctags, typescript, scala, swift, zig }
