/**
 * Mines (words, code) pairs out of bare git mirrors with hone's own chunker and tokeniser. One repository at a time,
 * resumable: a repository whose shard is there is left alone. What cannot be mined is named at the end (exit code 1).
 *
 * usage: node mine-pairs.js --hone DIST --mirrors DIR --list mirrors.tsv --reserved reserved.txt --copies shingles.f64
 *          --out DIR [--what code|commits] [--part 0/2] [--tmp DIR] [repository ...]
 *
 * Shards: NAME.WHAT.jsonl with lines ["d", head, code, comment] (a document, numbered in order; three bags) and
 * ["p", kind, query, document, withComments, without] (a pair; `without` = identifiers the document must not show),
 * NAME.WHAT.idents (bags.js) and NAME.WHAT.json (counts; written last).
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Bags, LineWriter, NOT_SOURCE, digest, loadHone, share, shingles } from './bags.js'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(
      ['hone', 'mirrors', 'list', 'reserved', 'copies', 'out', 'part', 'tmp'].map((name) => [
        name,
        { type: 'string' },
      ]),
    ),
    what: { type: 'string', default: 'code' },
  },
})

// Repositories left out although mirrored: near relatives of benchmark repositories.
const LEFT_OUT = new Set(['puma/puma', 'urllib3/urllib3', 'c-ares/c-ares'])
// Vendored, generated and copied code teaches another project's words, or the benchmark's.
const FOREIGN =
  /(^|\/)(vendor(ed)?|third[-_]?party|3rd[-_]?party|external|externals|extern|deps|node_modules|bower_components|dist|generated|gen|__snapshots__|snapshots|testdata|fixtures?|golden|corpus|locale|locales|i18n|translations?)\/|\.(min|bundle|generated|g|pb|designer)\.[a-z]+$|(^|\/)(sqlite3(ext)?\.[ch]|facil\.io|fio[^/]*\.[ch]|jquery[^/]*\.js|single_include)|jsonschema|json-schema|(^|\/)facil/i
const MAX_CODE_DOCUMENTS = 9000
const MAX_PAIRS = 14000
const MAX_COMMITS = 900
const MAX_FILES_IN_COMMIT = 6
const MAX_DOCUMENT_LINES = 70
const COPIED_FILE = 0.3
const COPIED_TEXT = 0.5

const hone = await loadHone(args.hone)
const reserved = new Set(readFileSync(args.reserved, 'utf8').toLowerCase().split('\n').filter(Boolean))
const copies = new Set(new Float64Array(Uint8Array.from(readFileSync(args.copies)).buffer))
const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
const rows = readFileSync(args.list, 'utf8')
  .split('\n')
  .slice(1)
  .filter(Boolean)
  .map((line) => line.split('\t'))
// In an order that mixes languages, so that what is mined so far can be trained on.
rows.sort((a, b) => (digest(a[0]) < digest(b[0]) ? -1 : 1))
mkdirSync(args.out, { recursive: true })

// ------------------------------------------------------------------------------------------------ one shard

function Shard(base) {
  const bags = new Bags(hone)
  const out = new LineWriter(`${base}.jsonl`)
  const seen = new Set()
  const stats = { documents: 0, pairs: 0, kinds: {}, copiedFiles: 0, copiedTexts: 0, repeated: 0 }
  this.bags = bags
  this.stats = stats
  this.isFull = () => stats.pairs >= MAX_PAIRS || stats.documents >= MAX_CODE_DOCUMENTS
  this.document = (head, code, comment) => {
    out.write(['d', head, code, comment])
    return stats.documents++
  }
  this.pair = (kind, text, document, { withComments = 1, without = [] } = {}) => {
    const key = digest(`${kind}:${text.toLowerCase()}`)
    if (seen.has(key)) return void stats.repeated++
    seen.add(key)
    out.write(['p', kind, bags.of(text), document, withComments, without])
    stats.pairs++
    stats.kinds[kind] = (stats.kinds[kind] ?? 0) + 1
  }
  this.close = async (about) => {
    await out.close()
    bags.write(`${base}.idents`, hone)
    writeFileSync(`${base}.json`, JSON.stringify({ ...about, ...stats }))
    console.log(JSON.stringify({ ...about, ...stats }))
  }
}

// ------------------------------------------------------------------------------------------------ code of a tree

async function mineCode(shard, { git, commit }) {
  const root = mkdtempSync(join(args.tmp ?? tmpdir(), 'mine-'))
  try {
    const index = join(root, '.tree-index')
    const tree = join(root, 'tree') + '/'
    const run = (...words) =>
      execFileSync('git', ['--git-dir', git, ...words], {
        env: { ...process.env, GIT_INDEX_FILE: index, GIT_NO_LAZY_FETCH: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1e9,
      })
    run('read-tree', commit)
    mkdirSync(tree)
    try {
      run('checkout-index', '-a', '-f', '-q', `--prefix=${tree}`)
    } catch {
      shard.stats.isPartial = true // a mirror may lack its largest blobs; all others are laid out
    }
    await mineTree(shard, tree)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function mineTree(shard, root) {
  const { files } = await hone.walk({ root, include: [], exclude: [], maxFileBytes: 400_000 })
  const kept = files.filter(({ path }) => !FOREIGN.test(path))
  const analyser = await hone.Analyser.create(400_000)
  // Spread over the tree, always the same: large repositories are cut short.
  kept.sort((a, b) => (digest(a.path) < digest(b.path) ? -1 : 1))
  const pages = []
  const named = new Map()
  for (const file of kept) {
    if (shard.isFull()) break
    const analysis = await analyser.analyse(file, undefined)
    if (analysis.kind !== 'file') continue
    const { record, chunks } = analysis.file
    const text = chunks.map((chunk) => chunk.text).join('\n')
    if (isCopied(shard, text)) continue
    if (record.language === 'markdown' || record.language === 'rst') pages.push({ path: record.path, text })
    if (NOT_SOURCE.has(record.language) || record.language === 'text' || isGenerated(text)) continue
    mineFile(shard, { file: analysis.file, named, text })
  }
  for (const page of pages) if (!shard.isFull()) minePage(shard, page, named)
}

function isCopied(shard, text) {
  const found = shingles(withoutLicence(text), hone.identifiersIn)
  if (found.length < 3 || share(found, copies) < COPIED_FILE) return false
  shard.stats.copiedFiles++
  return true
}

function isCopiedText(shard, text) {
  const found = shingles(text, hone.identifiersIn)
  if (found.length < 2 || share(found, copies) < COPIED_TEXT) return false
  shard.stats.copiedTexts++
  return true
}

function withoutLicence(text) {
  const head = text.slice(0, 4000)
  const end = head.search(/\n\s*\n/)
  return end > 0 && /licen[sc]e|copyright/i.test(head.slice(0, end)) ? text.slice(end) : text
}

function isGenerated(text) {
  return /@generated|DO NOT EDIT|auto-?generated|automatically generated/i.test(text.slice(0, 1500))
}

/** Documents of a file's chunks, each with the pairs its comments and its name make. */
function mineFile(shard, { file, named, text }) {
  const { record, chunks, symbols } = file
  const { bags } = shard
  const lines = hone.LineTable.of(text)
  const comments = hone.commentScanner(hone.rowOf(record.language).comments)(hone.withUnixBreaks(text), lines)
  const isTest = /(^|\/)(tests?|specs?|__tests__)\/|[._-](test|spec)s?\.|_test\.|Tests?\.|Spec\./i.test(
    record.path,
  )
  const documents = []
  let fileWords
  for (const chunk of chunks) {
    if (chunk.text.length < 60 || isCopiedText(shard, chunk.text)) continue
    const all = bags.of(chunk.text)
    const comment = bags.of(chunk.comment)
    const code = bags.minus(all, comment)
    if (code.length < 8) {
      if (chunk.startLine === 1) fileWords = described(chunk.comment)
      continue
    }
    const head = bags.of(hone.embeddingText(record.path, { ...chunk, text: '' }))
    const document = shard.document(head, code, comment)
    documents.push(document)
    rememberNames(named, { names: chunk.symbols, document })
    const main = symbols.find(
      (s) => s.name === chunk.name && s.startLine >= chunk.startLine && s.startLine <= chunk.endLine,
    )
    fileWords = mineComments(shard, { chunk, main, comments, document, fileWords })
    if (main !== undefined) mineName(shard, { chunk, main, isTest, document })
  }
  if (fileWords !== undefined && documents.length > 1) mineFileWords(shard, fileWords, documents)
}

function rememberNames(named, { names, document }) {
  for (const name of names) {
    const at = named.get(name)
    if (at) at.push(document)
    else named.set(name, [document])
  }
}

/** Returns what the file as a whole says, where this chunk opens it; else `fileWords` as it was. */
function mineComments(shard, { chunk, main, comments, document, fileWords }) {
  let inline = 0
  for (const run of commentRuns(comments, chunk)) {
    const words = described(run.text)
    if (words === undefined) continue
    if (opensFile({ chunk, run, main })) {
      fileWords ??= words
      continue
    }
    const isDoc = main !== undefined && run.from <= main.line + 3 && run.to >= main.startLine - 3
    if (!isDoc && (inline >= 3 || words.first.split(' ').length < 5)) continue
    if (!isDoc) inline++
    shard.pair(isDoc ? 'doc' : 'inline', words.first, document, { withComments: 0 })
    if (isDoc && words.all.length > words.first.length * 1.5)
      shard.pair('docs', words.all, document, { withComments: 0 })
  }
  return fileWords
}

function opensFile({ chunk, run, main }) {
  return chunk.startLine === 1 && run.from < 4 && (main === undefined || run.to < main.line - 3)
}

/** A test's title, or a symbol's name in words, with the code it names; the code does not show the name itself. */
function mineName(shard, { chunk, main, isTest, document }) {
  const isTitle = main.kind === 'test' && main.name.includes(' ')
  const nameWords = isTitle ? main.name : splitName(main.name)
  const count = nameWords.split(' ').length
  const without = namesToHide(shard.bags, main.name)
  const isCase = main.kind === 'test' || (isTest && /^test|_test$|^it |should/i.test(main.name))
  if (isCase && count >= 3) shard.pair('test', nameWords, document, { without })
  else if (!isTest) mineShortName(shard, { chunk, main, nameWords, document, without })
}

function mineShortName(shard, { chunk, main, nameWords, document, without }) {
  const count = nameWords.split(' ').length
  if (count < 2 || chunk.text.length <= 150) return
  const scope = main.scope === '' ? '' : ` ${splitName(main.scope.split('.').at(-1))}`
  shard.pair('name', nameWords + (count < 3 ? scope : ''), document, { without })
}

function mineFileWords(shard, fileWords, documents) {
  const step = Math.max(1, Math.floor(documents.length / 2))
  for (const [n, at] of [0, step].entries())
    shard.pair(
      'file',
      n === 0 ? fileWords.first : fileWords.all,
      documents[Math.min(at, documents.length - 1)],
    )
}

function splitName(name) {
  return hone
    .identifiersIn(name)
    .flatMap((identifier) => hone.partsOf(identifier))
    .join(' ')
}

function namesToHide(bags, name) {
  return hone
    .identifiersIn(name)
    .filter((identifier) => hone.partsOf(identifier).length > 1)
    .map((id) => bags.id(id))
}

/** Neighbouring comment lines of a chunk, told apart by code or a gap between them. */
function commentRuns(comments, { startLine, endLine }) {
  const runs = []
  let run
  for (let line = startLine; line <= endLine; line++) {
    const text = comments.textOf.get(line)
    if (text === undefined) continue
    if (run !== undefined && run.to === line - 1 && comments.isOnlyComment.has(line)) {
      run.to = line
      run.text += `\n${text}`
    } else runs.push((run = { from: line, to: line, text }))
  }
  return runs
}

const NOISE =
  /licen[sc]e|copyright|all rights reserved|eslint|prettier|noqa|nolint|clang-format|@ts-|tslint|rubocop|swiftlint|pylint|type: ignore|istanbul|spdx|shellcheck|phpcs|psalm|phpstan|@suppress|<auto-generated|vim:|-\*-|inheritdoc|checkstyle|^\s*(todo|fixme|xxx|hack)\b/i

/** What a comment says in words: its first sentence and its first paragraphs; undefined when it says nothing. */
function described(comment) {
  if (NOISE.test(comment.slice(0, 400))) return undefined
  let text = comment
    .replace(/```[^]*?(```|$)/g, '\n')
    .replace(/<\/?[a-z][^>\n]{0,80}>/gi, ' ')
    .replace(/https?:\S+/g, ' ')
    .replace(/\{@\w+ ([^}]*)\}/g, '$1')
  const tags = text.search(
    /(^|\n)\s*([@\\](param|return|throws|example|since|see|author|deprecated|tparam|private|type|internal|api|category)|:(param|return|type|rtype|raises)|(Args|Arguments|Parameters|Returns|Raises|Examples?|Usage|Throws|Options)\s*:?\s*(\n|$)|#+ (Examples?|Panics|Errors|Safety|Options|Arguments)|- Parameters?|>>>|iex>)/i,
  )
  if (tags >= 0) text = text.slice(0, tags)
  text = text.replace(/[=*#~_-]{3,}/g, ' ').trim()
  if ((text.match(/[;{}=()[\]|]/g) ?? []).length > text.length / 14) return undefined // commented-out code
  const first = oneLine(/^[^]*?(?:[.!?](?=\s|$)|\n\s*\n|$)/.exec(text)?.[0] ?? '', 30)
  const all = oneLine(text, 90)
  const words = first.match(/\p{L}{2,}/gu) ?? []
  if (words.length < 3 || first.length < 12) {
    if ((all.match(/\p{L}{2,}/gu) ?? []).length < 4) return undefined
    return { first: oneLine(text, 20), all }
  }
  return { first, all }
}

function oneLine(text, words) {
  return text.split(/\s+/).filter(Boolean).slice(0, words).join(' ')
}

// ------------------------------------------------------------------------------------------------ prose

/** Sections of a page: its words with the code that follows, its heading with its words, and the symbols it names. */
function minePage(shard, { path, text }, named) {
  if (/change|history|release|news|licen[sc]e|contribut|code_of|security|migrat|upgrad/i.test(path)) return
  const sections = text.split(/\n(?=#{1,5} )|\n(?=[^\n]+\n[=\-~^]{4,}\n)/)
  for (const section of sections) {
    if (section.length < 80 || section.length > 20_000 || shard.isFull()) continue
    const heading = oneLine((/^[#\s]*([^\n]+)/.exec(section)?.[1] ?? '').replace(/[`#*]/g, ' '), 14)
    const blocks = [
      ...section.matchAll(/```[^\n]*\n([^]*?)```|\.\. code[^\n]*\n((?:\s*\n|[ \t]+[^\n]*\n)+)/g),
    ]
    let from = section.indexOf('\n')
    for (const block of blocks.slice(0, 4)) {
      const code = (block[1] ?? block[2] ?? '').slice(0, 3000)
      const said = proseOf(section.slice(from, block.index))
      from = block.index + block[0].length
      if (code.length < 60 || isCopiedText(shard, code)) continue
      const document = shard.document(shard.bags.of(path.replace(/\.[^./]+$/, '')), shard.bags.of(code), [])
      if (said.split(' ').length >= 5) shard.pair('page', `${heading} ${said}`, document)
      else if (heading.split(' ').length >= 3) shard.pair('page', heading, document)
    }
    const said = proseOf(section.slice(section.indexOf('\n')))
    const count = said.split(' ').length
    if (count < 8 || isCopiedText(shard, said)) continue
    const names = [...section.matchAll(/`([A-Za-z_][\w.:#]*)(?:\([^`]*\))?`/g)].map((m) =>
      m[1].split(/[.:#]+/).at(-1),
    )
    const targets = [...new Set(names)].flatMap((name) => {
      const at = named.get(name) ?? []
      return at.length > 0 && at.length <= 2 ? [at[0]] : []
    })
    for (const target of [...new Set(targets)].slice(0, 3))
      shard.pair('mention', oneLine(`${heading} ${said}`, 60), target + 0)
    if (heading.split(' ').length >= 2 && count >= 15)
      shard.pair('heading', heading, shard.document([], shard.bags.of(said), []))
  }
}

function proseOf(text) {
  return oneLine(
    text
      .replace(/```[^]*?(```|$)/g, ' ')
      .replace(/\n[ \t]{3,}[^\n]*/g, ' ')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/https?:\S+|<[^>\n]+>|[|*=~-]{2,}/g, ' '),
    70,
  )
}

// ------------------------------------------------------------------------------------------------ history

const SUBJECT_NOISE =
  /^merge|^revert|^bump|^release|^v?\d+\.\d+|^update (changelog|readme|dep|version|copyright|license)|typo|changelog|^wip\b|^fixup|^squash|depend(ency|encies|abot)|renovate|prepare|^version|^chore\(deps|whitespace|format(ting)?$|^lint|^cleanup\.?$|copyright|translation/i

async function mineCommits(shard, { git, commit }) {
  const log = spawn(
    'git',
    [
      '--git-dir',
      git,
      'log',
      '-p',
      '-U6',
      '--no-merges',
      '--no-renames',
      '--no-color',
      '--no-ext-diff',
    ].concat(['--diff-filter=AM', '-n', String(MAX_COMMITS), '--format=%x01%s%x02%b%x02', commit]),
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, GIT_NO_LAZY_FETCH: '1' } },
  )
  const ended = new Promise((resolve) => log.on('close', resolve))
  let current
  let inMessage = false
  let bytes = 0
  for await (const line of createInterface({ input: log.stdout, crlfDelay: Infinity })) {
    bytes += line.length
    if (line.startsWith('\x01')) {
      finishCommit(shard, current)
      if (shard.isFull() || bytes > 400_000_000) break
      current = { message: line.slice(1), files: [] }
      inMessage = line.split('\x02').length < 3
    } else if (current === undefined) continue
    else if (inMessage) {
      current.message += `\n${line}`
      inMessage = !line.includes('\x02')
    } else addDiffLine(current, line)
  }
  finishCommit(shard, current)
  log.kill('SIGKILL')
  log.stdout.destroy()
  await ended
}

function addDiffLine(current, line) {
  if (line.startsWith('diff --git ')) {
    const path = line.slice(line.lastIndexOf(' b/') + 3)
    current.files.push({ path, scopes: new Set(), lines: [], changed: 0, inHunk: false })
    return
  }
  const file = current.files.at(-1)
  if (file === undefined) return
  const hunk = /^@@ [^@]+ @@ ?(.*)$/.exec(line)
  if (hunk) {
    file.inHunk = true
    if (file.lines.length < MAX_DOCUMENT_LINES && hunk[1] !== '') file.scopes.add(hunk[1])
  } else if (file.inHunk) {
    if (line[0] === '+') file.changed++
    // Deleted lines are not in the code that the commit left.
    if (line[0] !== '-' && line[0] !== '\\' && file.lines.length < MAX_DOCUMENT_LINES)
      file.lines.push(line.slice(1))
  }
}

function finishCommit(shard, current) {
  if (current === undefined || current.files.length === 0 || current.files.length > 2 * MAX_FILES_IN_COMMIT)
    return
  const [rawSubject = '', body = ''] = current.message.split('\x02')
  const subject = rawSubject
    .replace(/\(?#\d+\)?|\[[^\]]{0,20}\]/g, ' ')
    .replace(/^\w+(\([^)]*\))?!?:\s/, '')
    .trim()
  if (SUBJECT_NOISE.test(rawSubject) || (subject.match(/\p{L}{2,}/gu) ?? []).length < 3) return
  const usable = current.files.filter(
    ({ path, lines }) =>
      !FOREIGN.test(path) && lines.length >= 4 && !NOT_SOURCE.has(hone.languageOf(path, '')),
  )
  if (usable.length === 0 || usable.length > MAX_FILES_IN_COMMIT) return
  const isTest = ({ path }) => /test|spec/i.test(path)
  usable.sort((a, b) => isTest(a) - isTest(b) || b.changed - a.changed || (a.path < b.path ? -1 : 1))
  const words = bodyWords(body)
  for (const [i, file] of usable.slice(0, 2).entries()) {
    const text = file.lines.join('\n')
    if (text.length > 8000 || isCopiedText(shard, text)) continue
    const head = `${file.path.replace(/\.[^./]+$/, '')} ${[...file.scopes].slice(0, 3).join(' ')}`
    const document = shard.document(shard.bags.of(head), shard.bags.of(text), [])
    if (i === 0) shard.pair('commit', oneLine(subject, 30), document)
    if (i === 1) shard.pair('commit2', oneLine(subject, 30), document)
    if (i === 0 && words !== undefined) shard.pair('body', words, document)
  }
}

function bodyWords(body) {
  const text = body
    .split('\n')
    .filter(
      (line) =>
        !/^(signed-off|co-authored|reviewed|change-id|closes|fixes|refs?|see|git-svn|cc|acked|\s*https?:)/i.test(
          line,
        ),
    )
    .join('\n')
    .replace(/https?:\S+|#\d+/g, ' ')
  if (NOISE.test(text) || (text.match(/[;{}=()[\]|]/g) ?? []).length > text.length / 14) return undefined
  const words = oneLine(text, 60)
  return words.split(' ').length >= 6 ? words : undefined
}

// ------------------------------------------------------------------------------------------------ all of them

const missing = []
for (const [i, [repo, language, commit]] of rows.entries()) {
  if (i % parts !== part || (positionals.length > 0 && !positionals.includes(repo))) continue
  if (reserved.has(repo.toLowerCase()) || LEFT_OUT.has(repo)) continue
  const base = join(args.out, `${repo.replace('/', '+')}.${args.what}`)
  if (existsSync(`${base}.json`)) continue
  const git = join(args.mirrors, repo.replace('/', '+'), 'repo')
  if (!existsSync(git)) {
    missing.push(repo)
    continue
  }
  const started = Date.now()
  const shard = new Shard(base)
  try {
    if (args.what === 'code') await mineCode(shard, { git, commit })
    else await mineCommits(shard, { git, commit })
    await shard.close({ repo, language, commit, seconds: Math.round((Date.now() - started) / 1000) })
  } catch (error) {
    missing.push(`${repo}: ${error.message}`)
  }
}
if (missing.length > 0) {
  console.error('not mined:', ...missing.map((name) => `\n  ${name}`))
  process.exitCode = 1
}
