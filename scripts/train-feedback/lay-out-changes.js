/**
 * Writes further tasks for checkouts that train-relevance/lay-out.js made: commits since then that changed two files of
 * code or more, those of its own tasks.json included. Resumes: a checkout that has them is left alone.
 *
 * usage: node lay-out-changes.js --mirrors DIR --checkouts DIR
 *
 * Out: CHECKOUTS/OWNER+NAME/changes.json: [{kind: "change", text, relevant: [path]}].
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commitsOf, everyNth, gitIn, isTask } from '../train-relevance/commits.js'

const { values: args } = parseArgs({
  options: { mirrors: { type: 'string' }, checkouts: { type: 'string' } },
})
const MAX_TASKS = 40
const MAX_FILES = 8

for (const name of readdirSync(args.checkouts).sort()) {
  const folder = join(args.checkouts, name)
  const out = join(folder, 'changes.json')
  if (!existsSync(join(folder, 'tasks.json')) || existsSync(out)) continue
  const { commit: base } = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8'))
  const mirror = resolve(args.mirrors, name, 'repo')
  const git = (...words) => gitIn(mirror, words)
  const there = new Set(git('ls-tree', '-r', '-z', '--name-only', base).split('\0'))
  const commits = commitsOf(git)
  const since = commits.slice(
    0,
    commits.findIndex(({ hash }) => hash === base),
  )
  const tasks = since
    .filter((commit) => isTask(commit, MAX_FILES))
    .map(({ subject, paths }) => ({ subject, relevant: paths.filter((path) => there.has(path)) }))
    .filter(({ relevant }) => relevant.length >= 2)
  const spread = everyNth(tasks, MAX_TASKS)
  const changes = spread.map(({ subject, relevant }) => ({ kind: 'change', text: subject, relevant }))
  writeFileSync(join(folder, 'changes.part'), JSON.stringify(changes))
  renameSync(join(folder, 'changes.part'), out)
  console.log(name, changes.length, 'of', tasks.length)
}
