/** A report as Markdown tables: the same text in the terminal and in docs/benchmarks/README.md. Pure. */
import type { BenchReport, GroupReport, SetReport, TimeReport } from './report.js'
import type { Row } from './summary.js'

/** Tables of every set of one report, the time table last. */
export function reportTables(report: BenchReport): string {
  return [...report.sets.map(setTables), timeTable(report.time)].filter((part) => part !== '').join('\n\n')
}

function setTables(set: SetReport): string {
  const lines = [`### ${set.set}${set.isPartial ? ' (PARTIAL)' : ''}`]
  if (set.only.length > 0) lines.push(`Only ${set.only.join(', ')}.`)
  for (const { name, why } of set.missing)
    lines.push(`Not scored: **${name}** (${why.split('\n')[0] ?? ''}).`)
  if (set.groups.length === 0) lines.push('Nothing was scored.')
  return [...lines, ...set.groups.map(groupTables)].join('\n\n')
}

function groupTables(group: GroupReport): string {
  return [
    `**${group.heading}**`,
    methodTable(group.rows),
    byTable('by category', group.rows, 'byCategory'),
    calibrationLine(group.rows),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function methodTable(rows: readonly Row[]): string {
  const names = Object.keys(rows.find(({ tasks }) => tasks > 0)?.metrics ?? {})
  const header = ['method', ...names.map((name, i) => (i === 0 ? `${name} [95 %]` : name)), 'tasks']
  const body = rows.map((row) => {
    if (row.unavailable !== undefined)
      return [row.title, row.unavailable, ...names.slice(1).map(() => ''), '']
    return [row.title, ...names.map((name, i) => cell(row, name, i === 0)), String(row.tasks)]
  })
  return table([header, ...body])
}

function cell(row: Row, name: string, withInterval: boolean): string {
  const value = row.metrics[name]
  if (value === undefined) return ''
  const mean = value.mean.toFixed(3)
  return withInterval ? `${mean} [${value.low.toFixed(2)}, ${value.high.toFixed(2)}]` : mean
}

/** First metric by category or language, a column each. */
export function byTable(
  title: string,
  rows: readonly Row[],
  key: 'byCategory' | 'byLanguage' | 'byRepository',
): string {
  const columns = Object.keys(rows.find(({ tasks }) => tasks > 0)?.[key] ?? {})
  if (columns.length < 2) return ''
  const body = rows
    .filter(({ tasks }) => tasks > 0)
    .map((row) => [row.title, ...columns.map((column) => row[key][column]?.toFixed(3) ?? '')])
  return table([[title, ...columns], ...body])
}

function calibrationLine(rows: readonly Row[]): string {
  return rows
    .flatMap(({ title, calibration }) => {
      if (calibration === undefined) return []
      const bins = calibration.bins
        .filter(({ count }) => count > 0)
        .map(({ predicted, actual, count }) => `${predicted.toFixed(2)} → ${actual.toFixed(2)} (${count})`)
      return [
        `Calibration of ${title}: expected error ${calibration.error.toFixed(3)}; predicted → true (files): ${bins.join(', ')}.`,
      ]
    })
    .slice(-2)
    .join('\n\n')
}

function timeTable(time: readonly TimeReport[]): string {
  if (time.length === 0) return ''
  const header = [
    'time',
    'files',
    'chunks',
    'index, all',
    'index peak',
    'open p50',
    'query p50',
    'p95',
    'query peak',
    'command p50',
    'p95',
  ]
  const rows = time.map((t) => [
    `${t.tool}: ${t.layout}, ${t.repositories} repositories`,
    t.files === undefined ? '' : String(t.files),
    String(t.chunks),
    `${t.indexSeconds} s`,
    `${t.indexPeakMb} MB`,
    t.openMs === undefined ? '' : `${t.openMs} ms`,
    `${t.queryMs.p50} ms`,
    `${t.queryMs.p95} ms`,
    `${t.queryPeakMb} MB`,
    `${t.coldMs.p50} ms`,
    `${t.coldMs.p95} ms`,
  ])
  return table([header, ...rows])
}

function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, c) =>
    Math.max(3, ...rows.map((row) => (row[c] ?? '').length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, c) => (row[c] ?? '').padEnd(width)).join(' | ')} |`
  const [header, ...body] = rows
  return [line(header ?? []), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
