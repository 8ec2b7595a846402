/**
 * Lays out git mirrors as they were some time ago and writes what changed since as tasks: commit -> files. Resumes: a
 * repository whose tasks are there is left alone. What cannot be had is named at the end (exit code 1).
 *
 * usage: node lay-out.js --mirrors DIR --list mirrors.tsv --reserved reserved.txt --out DIR [--part 0/2]
 *
 * DIR of mirrors: OWNER+NAME/repo. List: owner/name, tab, language (more columns are ignored), with a header.
 * Out: OWNER+NAME/tree (a git repository whose HEAD is the old commit) and OWNER+NAME/tasks.json:
 * {repository, language, commit, tasks: [{kind, text, relevant: [path]}]}.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: args } = parseArgs({
  options: Object.fromEntries(
    ['mirrors', 'list', 'reserved', 'out', 'part'].map((name) => [name, { type: 'string' }]),
  ),
})

// Two years, as the benchmark's own commits; a quiet repository goes back further for its tasks.
const YEARS = 2
const MIN_TASKS = 40
const MAX_TASKS = 70
const MAX_BODIES = 40
const MAX_FILES = 5
const MIN_WORDS = 3
// Code in a language that hone cuts into symbols, and no test: what the benchmark's labels are, too.
const CODE =
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|java|kt|scala|c|h|cc|cpp|cxx|hpp|hh|cs|rs|rb|php|swift|ex|exs|hs|lua|sh|bash|zig)$/
const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing|testdata|fixtures?|examples?|vendor|third_party|node_modules)\/|[._-](test|spec)\.|(^|\/)test_|_test\.|(Tests?|Spec)\.[a-z]+$/
// Subjects that say nothing about code.
const SAYS_NOTHING =
  /^(merge|bump|release|version|prepare|update (dependenc|changelog|readme)|changelog|revert|fix typos?|typos?|format|lint|\d|v\d)/i

const reserved = new Set(readFileSync(args.reserved, 'utf8').toLowerCase().split('\n').filter(Boolean))
const [part, parts] = (args.part ?? '0/1').split('/').map(Number)
const rows = [
  ...new Map(
    readFileSync(args.list, 'utf8')
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => line.split('\t').slice(0, 2)),
  ),
]
const failed = []

for (const [i, [repository, language]] of rows.entries()) {
  if (i % parts !== part) continue
  const folder = join(args.out, repository.replace('/', '+'))
  if (existsSync(join(folder, 'tasks.json'))) continue
  const mirror = resolve(args.mirrors, repository.replace('/', '+'), 'repo')
  if (!existsSync(mirror)) {
    failed.push(`${repository}: not mirrored`)
    continue
  }
  try {
    if (reserved.has(repository.toLowerCase())) throw new Error('reserved for scoring')
    layOut({ repository, language, folder, git: (...words) => gitIn(mirror, words), mirror })
  } catch (error) {
    failed.push(`${repository}: ${String(error.message).split('\n')[0]}`)
  }
}
for (const line of failed) console.error(line)
process.exitCode = failed.length > 0 ? 1 : 0

function layOut({ repository, language, folder, git, mirror }) {
  const commits = commitsOf(git)
  const newest = commits[0]?.time ?? 0
  // From the newest to the oldest that is a task; the tree is what stood before the oldest task.
  let count = commits.findIndex(({ time }) => time < newest - YEARS * 365 * 86400)
  if (count < 0) count = commits.length - 1
  while (count < commits.length - 1 && commits.slice(0, count).filter(isTask).length < MIN_TASKS) count++
  const base = commits[count]
  const there = new Set(git('ls-tree', '-r', '-z', '--name-only', base.hash).split('\0'))
  const tasks = commits
    .slice(0, count)
    .filter(isTask)
    .map((commit) => ({ ...commit, relevant: commit.paths.filter((path) => there.has(path)) }))
    .filter(({ relevant }) => relevant.length > 0)
  const spread = everyNth(tasks, MAX_TASKS)
  if (spread.length < 5) throw new Error(`only ${spread.length} tasks`)
  const bodies = everyNth(
    tasks.filter(({ body }) => body.split(/\s+/).length >= 8),
    MAX_BODIES,
  )
  const tree = join(folder, 'tree')
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  checkOut(mirror, base.hash, tree)
  const about = {
    repository,
    language,
    commit: base.hash,
    tasks: [
      ...spread.map(({ subject, relevant }) => ({ kind: 'commit', text: subject, relevant })),
      ...bodies.map(({ body, relevant }) => ({ kind: 'body', text: body, relevant })),
    ],
  }
  writeFileSync(join(folder, 'tasks.part'), JSON.stringify(about))
  renameSync(join(folder, 'tasks.part'), join(folder, 'tasks.json'))
  console.log(repository, base.hash.slice(0, 8), spread.length, bodies.length)
}

/** First-parent commits, newest first. */
function commitsOf(git) {
  const mark = '\u0001'
  const log = git(
    'log',
    '--first-parent',
    '-m',
    '-z',
    '--name-only',
    '-n',
    '6000',
    `--format=${mark}%H%n%ct%n%s%n%b${mark}`,
  )
  return log
    .split(mark)
    .slice(1)
    .flatMap((piece, i, all) => (i % 2 === 0 ? [parsed(piece, all[i + 1] ?? '')] : []))
}

function parsed(head, names) {
  const [hash, time, subject, ...body] = head.split('\n')
  return {
    hash,
    time: Number(time),
    subject: cleaned(subject),
    body: cleanedBody(body),
    all: names.split('\0').filter((name) => name.trim() !== '').length,
    paths: names
      .split('\0')
      .map((name) => name.replace(/^\n/, ''))
      .filter((path) => CODE.test(path) && !TEST.test(path)),
  }
}

function cleaned(subject) {
  return subject
    .replace(/\s*\((#\d+|closes? #\d+|fix(es)? #\d+)\)/gi, '')
    .replace(/^(feat|fix|chore|refactor|perf|docs|style|build|ci|test)(\([^)]*\))?!?:\s*/i, '')
    .trim()
}

/** The first paragraph of prose, without trailers and lists of commits. */
function cleanedBody(lines) {
  const text = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((p) => p.replace(/\s+/g, ' ').trim())
  const prose = text.find(
    (p) => p.length > 30 && !/^([\w-]+: |\* |- |Co-authored|Signed-off|Merge )/i.test(p),
  )
  return (prose ?? '').replace(/https?:\S+/g, '').slice(0, 1500)
}

function isTask({ subject, paths, all }) {
  return (
    paths.length >= 1 &&
    paths.length <= MAX_FILES &&
    all <= 12 &&
    subject.split(/\s+/).length >= MIN_WORDS &&
    !SAYS_NOTHING.test(subject)
  )
}

function everyNth(items, most) {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)])
}

function checkOut(mirror, hash, tree) {
  execFileSync('git', ['init', '-q', '-b', 'main', tree])
  writeFileSync(join(tree, '.git/objects/info/alternates'), `${join(mirror, 'objects')}\n`)
  const git = (...words) =>
    execFileSync('git', ['-C', tree, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  git('update-ref', 'refs/heads/main', hash)
  try {
    git('checkout', '-q', '-f', 'main')
  } catch {
    git('reset', '-q') // a mirror lacks its largest files; all others are laid out
  }
}

function gitIn(mirror, words) {
  return execFileSync('git', ['--git-dir', mirror, ...words], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  })
}
