/** Writes docs/benchmarks: a JSON file for the run, and README.md with charts anew from all the JSON files there. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barChart, calibrationChart } from './charts.js'
import type { BenchReport, TaskValues } from './report.js'
import { byTable, reportTables } from './tables.js'

const INTRODUCTION = `# Benchmarks

Made by \`scripts/bench\`; do not edit. Every row was run on the same machine in the same run. "95 %" is a bootstrap interval over
repositories. NDCG@10 is by file: gain 1 for a labelled path, discount 1/log2(rank+1). "Recall in N tokens" is the share of labelled
files met while reading the first N tokens of returned text (a token is 4 bytes): ripgrep and BM25 by file return whole files, BM25 by
chunk and vectors their chunks, hone its ranges. ripgrep gets the words of the task without stop words, OR-ed, any case.

Figures on repositories that a learned part was trained on are headed SEEN and are no measure of quality on other code.

Time: index is a full build of all repositories one after another; open and query are in process, after one query to warm up;
command is the whole \`hone query\` with an index at hand. Memory is the peak of the process that did only this. semble, where it was
run, indexes code only (hone also documentation and configuration) and has a stand-in model of the usual size, since its own weights
are not at hand: its speed says something, its answers do not.

Published elsewhere, not run here: semble 0.854, and ripgrep 0.126, NDCG@10 on all 1,191 queries of which the set "queries" holds 590.
`

export function publish(
  folder: string,
  run: { readonly name: string; readonly report: BenchReport; readonly values: TaskValues },
): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${run.name}.json`), `${JSON.stringify(run.report, null, 1)}\n`)
  writeFileSync(join(folder, `${run.name}.tasks.json`), taskLines(run.values))
  writeReadme(folder)
}

/** README.md and charts from the result files of the folder, by name. What other measurements left there stays. */
export function writeReadme(folder: string): void {
  const files = readdirSync(folder)
  const names = files
    .filter((file) => file.endsWith('.tasks.json'))
    .map((file) => file.replace(/\.tasks\.json$/, ''))
    .sort()
  const isChart = (file: string): boolean =>
    file.endsWith('.svg') && names.some((name) => file.startsWith(`${name}-`))
  for (const file of files.filter(isChart)) rmSync(join(folder, file))
  const parts = names.map((name) => {
    const report = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as BenchReport
    return [section(name, report), ...writeCharts(folder, name, report), details(report)].join('\n\n')
  })
  writeFileSync(join(folder, 'README.md'), `${[INTRODUCTION.trimEnd(), ...parts].join('\n\n')}\n`)
}

function section(name: string, report: BenchReport): string {
  const { madeAt, command, commit, codeDigest, machine, versions } = report.environment
  const pairs = (values: Readonly<Record<string, string | number>>): string =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')
  return [
    `## ${name}`,
    '```\n' + command + '\n```',
    `${madeAt}; commit ${commit}, code ${codeDigest}; ${pairs(machine)}; ${pairs(versions)}.`,
    reportTables(report),
  ].join('\n\n')
}

function writeCharts(folder: string, name: string, report: BenchReport): readonly string[] {
  return report.sets.flatMap(({ set, groups }) =>
    groups.flatMap(({ provenance, rows, repositories }) => {
      const stem = `${name}-${set}-${provenance}`
      const metric = Object.keys(rows.find(({ tasks }) => tasks > 0)?.metrics ?? {})[0]
      if (metric === undefined) return []
      const title = `${set}: ${metric}, ${repositories.length} repositories (${provenance})`
      writeFileSync(join(folder, `${stem}.svg`), barChart(title, rows))
      const links = [`![${title}](${stem}.svg)`]
      const calibration = rows
        .filter((row) => row.calibration !== undefined && row.method !== 'hone-defaults')
        .at(-1)
      if (calibration?.calibration !== undefined) {
        const caption = `${set}: calibration of ${calibration.title} (${provenance})`
        writeFileSync(
          join(folder, `${stem}-calibration.svg`),
          calibrationChart(caption, calibration.calibration),
        )
        links.push(`![${caption}](${stem}-calibration.svg)`)
      }
      return [links.join('\n')]
    }),
  )
}

function details({ sets }: BenchReport): string {
  const tables = sets.flatMap(({ set, groups }) =>
    groups.flatMap(({ rows, provenance }) => [
      byTable(`${set} (${provenance}) by language`, rows, 'byLanguage'),
      transposed(`${set} (${provenance}) by repository`, rows),
    ]),
  )
  const shown = tables.filter((table) => table !== '').join('\n\n')
  return `<details><summary>By language and repository</summary>\n\n${shown}\n\n</details>`
}

/** A line each repository: there are too many for columns. */
function transposed(
  title: string,
  rows: readonly { method: string; tasks: number; byRepository: Readonly<Record<string, number>> }[],
): string {
  const scored = rows.filter(({ tasks }) => tasks > 0)
  const names = Object.keys(scored[0]?.byRepository ?? {})
  const lines = names.map(
    (name) => `| ${name} | ${scored.map((row) => row.byRepository[name]?.toFixed(3) ?? '').join(' | ')} |`,
  )
  const header = `| ${title} | ${scored.map(({ method }) => method).join(' | ')} |`
  return names.length === 0 ? '' : [header, `|${' --- |'.repeat(scored.length + 1)}`, ...lines].join('\n')
}

/** One line each repository, so that a diff is readable. */
function taskLines(values: TaskValues): string {
  const block = <T>(entries: Readonly<Record<string, T>>, inner: (value: T) => string): string =>
    `{\n${Object.entries(entries)
      .map(([key, value]) => `${JSON.stringify(key)}: ${inner(value)}`)
      .join(',\n')}\n}`
  return `${block(values, (methods) => block(methods, (repositories) => block(repositories, (own) => JSON.stringify(own))))}\n`
}
