/**
 * Small repositories to learn from: folders of the checkouts that lay-out.js made, each as a repository of its own
 * without a history, with the tasks whose files all lie in it. Resumes: a part that is there is left alone.
 *
 * usage: node lay-out-parts.js --checkouts DIR --out DIR
 *
 * Out: OWNER+NAME+N/tree and OWNER+NAME+N/tasks.json as lay-out.js writes them, paths from the folder on.
 */
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gitIn } from './commits.js'

const { values: args } = parseArgs({ options: { checkouts: { type: 'string' }, out: { type: 'string' } } })

const MIN_FILES = 12
const MAX_FILES = 200
const MIN_TASKS = 4
const MAX_PARTS = 4

for (const name of readdirSync(args.checkouts).sort()) {
  const from = join(args.checkouts, name)
  if (!existsSync(join(from, 'tasks.json'))) continue
  const about = JSON.parse(readFileSync(join(from, 'tasks.json'), 'utf8'))
  const files = trackedIn(join(from, 'tree'))
  for (const [n, { folder, tasks }] of partsOf(files, about.tasks).entries()) {
    const to = join(args.out, `${name}+${n}`)
    if (existsSync(join(to, 'tasks.json'))) continue
    const own = files.filter((path) => path.startsWith(folder))
    for (const path of own) cpSync(join(from, 'tree', path), join(to, 'tree', path.slice(folder.length)))
    writeFileSync(join(to, 'tasks.part'), JSON.stringify({ ...about, folder, tasks: rebased(tasks, folder) }))
    renameSync(join(to, 'tasks.part'), join(to, 'tasks.json'))
    console.log(name, folder, own.length, 'files', tasks.length, 'tasks')
  }
}

function trackedIn(tree) {
  const listed = gitIn(join(tree, '.git'), ['ls-files', '-z'])
  return listed.split('\0').filter((path) => isFile(join(tree, path)))
}

/** Not a link, nor the folder of a submodule. */
function isFile(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Folders of the right size, those with most tasks first, none inside another. */
function partsOf(files, tasks) {
  const sizes = new Map()
  for (const folder of files.flatMap(foldersOf)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  const parts = [...sizes]
    .filter(([, size]) => size >= MIN_FILES && size <= MAX_FILES)
    .map(([folder]) => ({ folder, tasks: tasks.filter((task) => isWithin(task, folder)) }))
    .filter((part) => part.tasks.length >= MIN_TASKS)
    .sort((a, b) => b.tasks.length - a.tasks.length || (a.folder < b.folder ? -1 : 1))
  const chosen = []
  for (const part of parts) {
    const overlaps = ({ folder }) => folder.startsWith(part.folder) || part.folder.startsWith(folder)
    if (chosen.length < MAX_PARTS && !chosen.some(overlaps)) chosen.push(part)
  }
  return chosen
}

/** Folders a file lies in, each with a slash at its end. */
function foldersOf(path) {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)
}

function isWithin({ relevant }, folder) {
  return relevant.every((path) => path.startsWith(folder))
}

function rebased(tasks, folder) {
  return tasks.map((task) => ({ ...task, relevant: task.relevant.map((path) => path.slice(folder.length)) }))
}
