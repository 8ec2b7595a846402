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
import { commitsOf, everyNth, gitIn, isTask } from './commits.js'

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
  while (
    count < commits.length - 1 &&
    commits.slice(0, count).filter((commit) => isTask(commit)).length < MIN_TASKS
  )
    count++
  const base = commits[count]
  const there = new Set(git('ls-tree', '-r', '-z', '--name-only', base.hash).split('\0'))
  const tasks = commits
    .slice(0, count)
    .filter((commit) => isTask(commit))
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
