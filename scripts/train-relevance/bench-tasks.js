/** The tasks of the labelled sets, by checkout: what training asks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every checkout of the labelled sets in `bench` (labels) on `checkouts` (what checkout.py laid out), with its tasks. */
export function benchCheckouts(bench, checkouts) {
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

/** A path matches a label when they are equal or one ends with "/" + the other. */
export function matches(path, label) {
  return path === label || path.endsWith(`/${label}`) || label.endsWith(`/${path}`)
}
