/**
 * Compares the symbols hone finds with those of an independent tool, on real repositories, and prints a table.
 *
 * usage: node scripts/measure-symbols/main.js --repositories DIR [--hone DIST] [--python BIN] [--folder DIR]
 *          [--only LANGUAGE] [--misses N] [--out FILE]
 *
 * See README.md beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { LANGUAGES } from './languages.js'
import { TOOLS } from './tools.js'

const { values: args } = parseArgs({
  options: {
    repositories: { type: 'string' },
    hone: { type: 'string', default: 'dist' },
    python: { type: 'string', default: 'python3' },
    folder: { type: 'string', default: '.' },
    only: { type: 'string' },
    misses: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
})
const load = (path) => import(pathToFileURL(join(process.cwd(), args.hone, path)).href)
const { walk } = await load('walk/walk.js')
const { readSource } = await load('walk/read-source.js')
const { createChunker } = await load('chunk/chunk-file.js')
const { languageOf } = await load('chunk/language.js')
const chunker = await createChunker()
const MAX_FILE_BYTES = 1_000_000

/** Files of one language and the symbols hone finds in them; no file that is generated, binary or too large. */
async function symbolsOf(root, language) {
  const { files } = await walk({ root, include: [], exclude: [], maxFileBytes: MAX_FILE_BYTES })
  const found = new Map()
  for (const file of files) {
    const read = readSource(file, MAX_FILE_BYTES)
    if (read.kind !== 'text' || languageOf(file.path, read.source.text) !== language) continue
    await chunker.prepare(language)
    found.set(file.absolutePath, chunker.chunk(file.path, read.source.text))
  }
  return found
}

/** "A::b", "M.b", "M:b" and "`b`" name b. */
const bare = (name) => (/\s/.test(name) ? name : name.replace(/[`"]/g, '').replace(/^.*(?:::|\.|:)(?=.)/, ''))
const squeezed = (name) => bare(name.trim()).replace(/\s+/g, '')
const key = (path, { line, name }) => `${path}:${line}:${squeezed(name)}`

/** The clauses of one function are one definition, at the line of the first. */
function withoutClauses(definitions) {
  const seen = new Set()
  return definitions.filter(({ path, name, kind, scope }) => {
    const clause = [path, scope, kind, name].join(':')
    const isFirst = !seen.has(clause)
    seen.add(clause)
    return isFirst || !/\.(exs?|hs)$/.test(path)
  })
}

/** Without what the row calls faults, and with `isTop` as the row understands it. */
function cleaned(told, { isFault = () => false, atMargin = false }) {
  const linesOf = new Map()
  return told.flatMap((it) => {
    if (!linesOf.has(it.path)) linesOf.set(it.path, readFileSync(it.path, 'utf8').split(/\r\n|\r|\n/))
    const lines = linesOf.get(it.path)
    const text = lines[it.line - 1] ?? ''
    const about = { ...it, text, get before() { return lines.slice(0, it.line - 1).join('\n') } } // prettier-ignore
    return isFault(about) ? [] : [{ ...it, isTop: it.isTop && !(atMargin && /^\s/.test(text)) }]
  })
}

function isTopOf(chunked) {
  const modules = new Set(
    chunked.symbols
      .filter(({ kind }) => kind === 'module')
      .map(({ scope, name }) => (scope === '' ? name : `${scope}.${name}`)),
  )
  return ({ scope }) => scope === '' || modules.has(scope)
}

/** `isSignatureFirst`: the tool gives the line of the first equation, hone that of the signature above it. */
function compare(found, told, { ours: notKnown = [], isSignatureFirst = false }) {
  const ours = new Set()
  const theirs = new Set(told.map((it) => key(it.path, it)))
  for (const [path, { symbols }] of found)
    for (const symbol of symbols) {
      ours.add(key(path, symbol))
      for (let line = symbol.line + 1; isSignatureFirst && line <= symbol.endLine; line++) {
        ours.add(key(path, { ...symbol, line }))
        if (theirs.has(key(path, { ...symbol, line }))) theirs.add(key(path, symbol))
      }
    }
  const top = withoutClauses(told.filter((it) => it.isTop))
  const missed = top.filter((it) => !ours.has(key(it.path, it)))
  const mine = [...found].flatMap(([path, chunked]) =>
    chunked.symbols
      .filter(isTopOf(chunked))
      .filter(({ kind }) => !notKnown.includes(kind))
      .map((symbol) => ({ path, ...symbol })),
  )
  const extra = mine.filter((it) => !theirs.has(key(it.path, it)))
  const inner = withoutClauses(told.filter((it) => !it.isTop))
  const missedInner = inner.filter((it) => !ours.has(key(it.path, it)))
  return { top, missed, mine, extra, inner, missedInner }
}

const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`)
const show = (title, list) => {
  const step = Math.max(1, Math.floor(list.length / Number(args.misses)))
  for (let at = 0; at < list.length && at / step < Number(args.misses); at += step) {
    const { path, line, name, kind } = list[at]
    const text = readFileSync(path, 'utf8').split(/\r\n|\r|\n/)[line - 1] ?? ''
    console.log(`  ${title} ${path}:${line} ${kind ?? ''} ${name} | ${text.trim().slice(0, 100)}`)
  }
}

const rows = []
for (const row of LANGUAGES) {
  if (args.only && args.only !== row.language) continue
  const found = new Map()
  for (const name of row.repositories)
    for (const entry of await symbolsOf(join(args.repositories, name), row.language)) found.set(...entry)
  const told = cleaned(TOOLS[row.tool]([...found.keys()], { ...args, ...row }), row)
  const { top, missed, mine, extra, inner, missedInner } = compare(found, told, row)
  const share = percent(top.length - missed.length, top.length)
  const innerShare = percent(inner.length - missedInner.length, inner.length)
  rows.push(
    `| ${row.language} | ${row.repositories.join(', ')} | ${row.tool} | ${found.size} | ${top.length} | ${share} | ${percent(mine.length - extra.length, mine.length)} | ${inner.length} | ${innerShare} |`,
  )
  console.log(rows.at(-1))
  if (Number(args.misses) > 0) {
    show('missed', missed)
    show('extra', extra)
    show('inner', missedInner)
  }
}

const table = [
  '| language | repositories | told by | files | top-level | found | of ours known there | inner | found |',
  '|---|---|---|---|---|---|---|---|---|',
  ...rows,
].join('\n')
if (args.out) writeFileSync(args.out, `${table}\n`)
