/** The checkouts that rows are dumped of, with their tasks; shared by dump-signals.js and train-feedback/dump-feedback.js. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchCheckouts, matches } from './bench-tasks.js'

/**
 * Whether a task of a checkout means the file at `path`. Labels of the benchmark are parts of paths here and there; those
 * made of commits and names are whole ones, and "index.js" is then no other than the one at the top.
 */
export function isRight(path, { kind, relevant }, { set }) {
  const isWhole = kind === 'name' || (set !== 'queries' && set !== 'commits')
  return relevant.some((label) => (isWhole ? path === label : matches(path, label)))
}

/**
 * One dict a checkout: name, root, repository, language, set, tasks: [{kind, text, relevant}]. `tasks`: a folder that
 * lay-out.js made, "bench" for the labelled sets of `bench` on `checkouts`, or "fixtures" for the repositories of
 * test/fixtures, copied to `checkouts`.
 */
export function checkoutsOf({ tasks, bench, checkouts }) {
  if (tasks === 'fixtures') return fixtures(checkouts)
  return tasks === 'bench' ? benchCheckouts(bench, checkouts) : laidOut(tasks)
}

function laidOut(folder) {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'tasks.json')))
    .map((name) => {
      const { repository, language, tasks } = JSON.parse(
        readFileSync(join(folder, name, 'tasks.json'), 'utf8'),
      )
      return { name, root: join(folder, name, 'tree'), repository, language, set: 'mirrors', tasks }
    })
}

function fixtures(checkouts) {
  const folder = new URL('../../test/fixtures/', import.meta.url)
  const { repositories, tasks } = JSON.parse(readFileSync(new URL('tasks.json', folder), 'utf8'))
  return repositories.map(({ name, language }) => {
    const root = join(checkouts, name)
    cpSync(new URL(`repos/${name}`, folder), root, { recursive: true })
    const own = tasks.filter(({ repository }) => repository === name)
    return {
      name,
      root,
      repository: name,
      language,
      set: 'fixtures',
      tasks: own.map(({ kind, task, relevant }) => ({ kind, text: task, relevant })),
    }
  })
}
