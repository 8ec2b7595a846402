/** The whole story of a query for people: what each cycle asked, found and learned, and why the loop stopped. */
import type { Answer, CycleReport, MissingContext, StopReason } from '../index.js'

// More paths are a list to skim; JSON has all.
const MAX_LISTED = 6

/** Why the loop stopped, in words. */
export const STOPS: Readonly<Record<StopReason, string>> = {
  sufficient: 'enough sure files, and nothing critical is missing',
  'nothing-new': 'another cycle would ask nothing new',
  'max-cycles': 'no more cycles were allowed',
  budget: 'the time was up',
  'no-match': 'nothing here is likely enough',
}

export function storyOf({ cycles, gaps, stop }: Answer): readonly string[] {
  return [
    ...cycles.flatMap(cycleLines),
    ...(gaps.length === 0 ? [] : [`still missing  ${gaps.map(gapInWords).join('; ')}`]),
    `stopped        ${stop}: ${STOPS[stop]}`,
  ]
}

function cycleLines({
  n,
  query,
  bridged,
  candidates,
  deep,
  added,
  discovered,
  ms,
}: CycleReport): readonly string[] {
  const bridges = bridged.map(
    ({ word, to, similarity }) => `"${word}" -> ${to.join(', ')} (${similarity.toFixed(2)})`,
  )
  const lines: readonly (readonly [label: string, items: readonly string[], more?: number])[] = [
    ['looked for', query.keywords],
    ['where', query.patterns],
    ['left out', query.excludes, query.moreExcludes],
    ['looking for', query.focusAreas],
    ['bridged', bridges],
    ['added', added],
    ['discovered', discovered],
  ]
  const looked = deep === 0 ? '' : `, ${deep} parts looked at more closely`
  return [
    `cycle ${n}: ${candidates} candidates${looked}, ${ms} ms`,
    ...lines
      .filter(([, items]) => items.length > 0)
      .map(([label, items, more]) => `  ${label.padEnd(12)} ${listed(items, more)}`),
  ]
}

/** `more`: items that are not even among these. */
function listed(items: readonly string[], more = 0): string {
  // One item takes no more room than its number.
  const shown = items.length + more <= MAX_LISTED + 1 ? items : items.slice(0, MAX_LISTED)
  const rest = items.length + more - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function gapInWords({ kind, name, definedIn, critical }: MissingContext): string {
  const where = definedIn === undefined ? '' : ` (${definedIn})`
  return `${kind} ${name}${where}${critical ? ', critical' : ''}`
}
