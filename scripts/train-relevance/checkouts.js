/** The checkouts that rows are dumped of, with their tasks; shared by dump-signals.js and train-feedback/dump-feedback.js. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One dict a checkout: name, root, repository, language, set, tasks: [{kind, text, relevant}]. `tasks`: a folder that
 * lay-out.js made, "bench" for the labelled sets of `bench` on `checkouts`, or "fixtures" for the repositories of
 * test/fixtures, copied to `checkouts`.
 */
export function checkoutsOf({ tasks, bench, checkouts }) {
  if (tasks === 'fixtures') return fixtures(checkouts)
  return tasks === 'bench' ? benchCheckouts(bench, checkouts) : laidOut(tasks)
}

/** Whether a path is the one of a label: equal, or one ends with the other. */
export function matches(path, label) {
  return path === label || path.endsWith(`/${label}`) || label.endsWith(`/${path}`)
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

function benchCheckouts(bench, checkouts) {
  const lines = (file) =>
    readFileSync(join(bench, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const of = (all, name) => all.filter(({ repo }) => repo === name)
  const commits = lines('commits.jsonl')
  const plain = lines('plain.jsonl')
  return JSON.parse(readFileSync(join(bench, 'repos.json'), 'utf8')).flatMap(({ name, language, root }) => {
    const labelled = JSON.parse(readFileSync(join(bench, 'queries', `${name}.json`), 'utf8')).map(
      ({ query, relevant, secondary }) => ({
        kind: 'query',
        text: query,
        relevant: [...relevant, ...(secondary ?? [])],
      }),
    )
    const asked = of(plain, name).map(({ query, relevant }) => ({ kind: 'plain', text: query, relevant }))
    const changed = of(commits, name).map(({ query, relevant }) => ({
      kind: 'commit',
      text: query,
      relevant,
    }))
    const folder = (layout) => join(checkouts, layout, name)
    return [
      {
        name: `queries.${name}`,
        root: join(folder('queries'), root),
        set: 'queries',
        tasks: [...labelled, ...asked],
      },
      { name: `commits.${name}`, root: folder('commits'), set: 'commits', tasks: changed },
    ]
      .filter(({ tasks }) => tasks.length > 0)
      .map((checkout) => ({ ...checkout, repository: name, language }))
  })
}
