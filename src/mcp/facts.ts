/**
 * What a tool says, as data (structured content) and as markdown. The markdown is made from the data and holds the same
 * facts, so a client may show either.
 */
import { beginningOf } from '../beginning.js'
import { fenced } from '../fence.js'
import {
  nothingFound,
  type Answer,
  type AnswerRange,
  type CycleReport,
  type MissingContext,
  type Note,
  type RelatedAnswer,
} from '../index.js'

/** An answer without what only a person tuning hone looks at, and without times: equal questions give equal bytes. */
export interface ContextFacts {
  readonly schema: 1
  readonly task: string
  readonly stop: Answer['stop']
  readonly files: Answer['files']
  readonly gaps: Answer['gaps']
  readonly cycles: readonly ShortCycle[]
  readonly notes: readonly Note[]
  readonly index: Answer['index']
}

type ShortCycle = Pick<CycleReport, 'n' | 'bridged' | 'candidates' | 'added' | 'discovered'> & {
  readonly keywords: readonly string[]
  readonly focusAreas: readonly string[]
}

export function contextFacts(answer: Answer, notes: readonly Note[]): ContextFacts {
  const { schema, task, stop, files, gaps, cycles, index } = answer
  return {
    schema,
    task: beginningOf(task),
    stop,
    files,
    gaps,
    cycles: cycles.map(({ n, query, bridged, candidates, added, discovered }) => {
      const { keywords, focusAreas } = query
      return { n, keywords, focusAreas, bridged, candidates, added, discovered }
    }),
    notes: [...notes, ...answer.notes],
    index,
  }
}

export function contextMarkdown(facts: ContextFacts): string {
  const { task, stop, files, gaps, cycles, notes, index } = facts
  return joined([
    `# ${task.replace(/\s+/g, ' ').trim()}`,
    ...files.flatMap(({ path, relevance, band, cycle, reason, ranges, missingContext }) => [
      '',
      `## ${path}`,
      `${relevance} ${band}, cycle ${cycle}: ${reason}`,
      ...missingContext.map((gap) => `needs ${gapText(gap)}`),
      ...ranges.flatMap((range) => excerpt(path, range)),
    ]),
    ...(files.length === 0 ? [nothingFound(facts)] : []),
    '',
    ...gaps.map((gap) => `- missing: ${gapText(gap)}`),
    ...cycles.map(cycleText),
    ...notes.map(noteText),
    indexText(stop, index),
  ])
}

function gapText({ kind, name, definedIn, critical }: MissingContext): string {
  return `${kind} ${name}${definedIn === undefined ? '' : ` (${definedIn})`}${critical ? ', critical' : ''}`
}

function cycleText({ n, keywords, focusAreas, bridged, candidates, added, discovered }: ShortCycle): string {
  const parts = [
    `${candidates} candidates for ${keywords.join(' ')}`,
    ...listed('focus', focusAreas),
    ...bridged.map(({ word, to, similarity }) => `${word} is near ${to.join(' ')} (${similarity})`),
    ...listed('added', added),
    ...listed('discovered', discovered),
  ]
  return `- cycle ${n}: ${parts.join('; ')}`
}

function listed(what: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${what} ${items.join(' ')}`]
}

function noteText({ code, message }: Note): string {
  return `- note ${code}: ${message}`
}

function indexText(stop: string | undefined, index: Answer['index']): string {
  const { files, chunks, stale, skipped, encoder } = index
  const said = `${files} files, ${chunks} chunks, ${stale ?? 'unknown'} stale, ${skipped} skipped, ${encoder}`
  return stop === undefined ? `- index: ${said}` : `- ${stop}; index: ${said}`
}

export type RelatedFacts = Omit<RelatedAnswer, 'ms'>

export function relatedFacts(answer: RelatedAnswer, notes: readonly Note[]): RelatedFacts {
  const { schema, places, files, index } = answer
  return { schema, places, notes: [...notes, ...answer.notes], files, index }
}

export function relatedMarkdown({ places, files, notes, index }: RelatedFacts): string {
  const where = places.map(
    ({ path, lines }) => path + (lines ?? []).map(({ start, end }) => `:${start}-${end}`).join(','),
  )
  return joined([
    `# Related to ${where.join(', ')}`,
    ...files.flatMap((file) => [
      '',
      `## ${file.path}`,
      `${file.relatedness}: ${file.reason} (similarity ${file.similarity}, ${file.commitsTogether} commits together)`,
      ...listed('defines', file.uses),
      ...listed('uses', file.usedBy),
      ...file.ranges.flatMap((range) => excerpt(file.path, range)),
    ]),
    ...(files.length === 0 ? ['Nothing related found.'] : []),
    '',
    ...notes.map(noteText),
    indexText(undefined, index),
  ])
}

function excerpt(path: string, { start, end, symbol, kind, text }: AnswerRange): readonly string[] {
  const title = `${start}-${end} ${symbol === undefined ? kind : `${kind} ${symbol}`}`
  if (text === undefined) return [title]
  return [`${title}:`, ...fenced(path, text)]
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`
}

/** Of the two forms the longer: what keeps a budget for it keeps it for each. */
export function longer(facts: object, markdown: string): string {
  const json = JSON.stringify(facts)
  return Buffer.byteLength(json) >= Buffer.byteLength(markdown) ? json : markdown
}
