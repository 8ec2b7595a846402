/**
 * Signals of the deep step for what embed.py wrote, computed by hone itself so that training and serving cannot drift.
 *
 * usage: node deep-rows.js --hone DIST --cosines DIR --out FILE
 *
 * Out: {version, signals, tasks: [{repository, kind, total, rows, labels, rest: [[relevance, label]]}]}: rows of the
 * files looked at, and the candidates below them, which keep their relevance.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: args } = parseArgs({
  options: Object.fromEntries(['hone', 'cosines', 'out'].map((name) => [name, { type: 'string' }])),
})
const { DEEP_SIGNALS, DEEP_SIGNALS_VERSION, deepRows } = await import(
  pathToFileURL(resolve(args.hone, 'rank/deep-signals.js')).href
)

const tasks = readdirSync(args.cosines)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .flatMap((name) => {
    const { repository, tasks } = JSON.parse(readFileSync(join(args.cosines, name), 'utf8'))
    return tasks.map((task) => ({ repository, ...rowsOf(task) }))
  })
writeFileSync(
  args.out,
  JSON.stringify({ version: DEEP_SIGNALS_VERSION, signals: DEEP_SIGNALS.map(({ name }) => name), tasks }),
)

function rowsOf({ kind, total, files }) {
  const looked = files.filter(({ cosine }) => cosine !== undefined)
  const rest = files.filter(({ cosine }) => cosine === undefined)
  const values = [...deepRows(looked)]
  return {
    kind,
    total,
    rows: looked.map((_, f) => values.slice(f * DEEP_SIGNALS.length, (f + 1) * DEEP_SIGNALS.length)),
    labels: looked.map(({ label }) => label),
    rest: rest.map(({ relevance, label }) => [relevance, label]),
  }
}
