/** What a page says, read from what it shows, in the words of the JSON. */
import { shownControls } from '../../src/cli/html/markup.js'
import type { Answer, AnswerRange, MissingContext } from '../../src/index.js'
import { all, attribute, one, parsePage, readText, textOf, type Element } from './parsed-page.js'

const MINUS = '\u2212'

/** The answer as far as the page shows it; evidence as its kinds. */
export function pageFacts(html: string): unknown {
  const { document } = parsePage(html)
  return {
    task: taskOf(document as Element),
    stop: readText(one(one(document, '.stop'), 'code')),
    notes: all(document, '.notes').flatMap((list) =>
      all(list, 'li').map((item) => ({
        code: readText(one(item, 'code')),
        message: textOf(one(item, 'span')),
      })),
    ),
    files: all(document, 'article').map(fileFacts),
    gaps: all(document, '#missing').flatMap((section) => all(section, 'li').map(gapFacts)),
    cycles: all(one(document, '.steps'), 'li')
      .filter((item) => attribute(item, 'id') !== undefined)
      .map(cycleFacts),
    index: indexFacts(one(document, '#index')),
    ms: Number(pairs(one(document, '#index')).get('answered in')?.text.replace(/ ms$/, '')),
  }
}

function taskOf(document: Element): string {
  const [whole] = all(document, '.whole')
  return whole === undefined ? textOf(one(document, 'h1')) : textOf(one(whole, 'pre'))
}

function fileFacts(article: Element): unknown {
  const rating = one(article, '.rating')
  return {
    path: textOf(one(article, 'h3')),
    relevance: Number(attribute(one(rating, 'data'), 'value')),
    shown: textOf(one(rating, 'data')),
    band: textOf(one(rating, '.band')),
    cycle: Number(textOf(one(rating, '.cycle'))),
    reason: all(one(article, '.reasons'), 'li').map(textOf).join('; '),
    ranges: all(article, '.range').map(rangeFacts),
    missingContext: all(article, '.needs').flatMap((list) => all(list, 'li').map(needFacts)),
    kinds: all(article, '.kinds').flatMap((table) =>
      all(table, 'tr').map((row) => ({
        kind: readText(one(row, 'th')),
        effect: Number(attribute(one(row, 'data'), 'value')),
        shown: Number(textOf(one(row, 'data')).replace(MINUS, '-')),
      })),
    ),
    signals: all(article, '.signals').flatMap((table) =>
      all(one(table, 'tbody'), 'tr').map((row) => ({
        signal: textOf(one(row, 'code')),
        numbers: all(row, 'data').map((data) => Number(attribute(data, 'value'))),
      })),
    ),
  }
}

function rangeFacts(range: Element): AnswerRange {
  const [, start, end] = /^Lines? (\d+)(?:\u2013(\d+))?$/.exec(textOf(one(range, '.lines'))) ?? []
  const [symbol] = all(range, '.symbol')
  const lines = all(range, '.line')
  lines.forEach((line, i) => {
    const number = attribute(line, 'data-line')
    if (Number(number) !== Number(start) + i) throw new Error(`line ${number} stands ${i} after ${start}`)
  })
  return {
    start: Number(start),
    end: Number(end ?? start),
    kind: textOf(one(range, '.kind')) as AnswerRange['kind'],
    ...(symbol === undefined ? {} : { symbol: textOf(symbol) }),
    ...(lines.length === 0 ? {} : { text: lines.map(codeOf).join('\n') }),
  }
}

/** A line without its end. */
function codeOf(line: Element): string {
  return textOf(line).replace(/\n$/, '')
}

function needFacts(item: Element): Omit<MissingContext, 'kind'> {
  const [name] = all(item, 'code')
  const [definedIn] = all(item, '.defined-in')
  return {
    name: name === undefined ? '' : textOf(name),
    ...(definedIn === undefined ? {} : { definedIn: textOf(definedIn) }),
    critical: all(item, '.critical').length > 0,
  }
}

function gapFacts(item: Element): MissingContext {
  return { kind: /^\w+/.exec(readText(item))?.[0] as MissingContext['kind'], ...needFacts(item) }
}

interface PairFacts {
  readonly value: Element
  readonly text: string
  readonly items: readonly Element[]
}

function pairs(root: Element): ReadonlyMap<string, PairFacts> {
  const values = all(root, 'dd')
  return new Map(
    all(root, 'dt').map((label, i) => {
      const value = values[i]! // one for each
      return [readText(label), { value, text: readText(value), items: all(value, 'li') }]
    }),
  )
}

function cycleFacts(item: Element): unknown {
  const held = pairs(item)
  const listed = (label: string): readonly string[] => held.get(label)?.items.map(textOf) ?? []
  const [, candidates, deep, ms] =
    /^(\d+) candidates?(?:, (\d+) parts? looked at more closely)?, ([\d.]+) ms$/.exec(
      readText(one(item, 'p')),
    ) ?? []
  return {
    n: Number(/^Cycle (\d)$/.exec(readText(one(item, 'h3')))?.[1]),
    query: {
      patterns: listed('where'),
      keywords: listed('looked for'),
      excludes: listed('left out'),
      moreExcludes: Number.parseInt(held.get('left out besides')?.text ?? '0'),
      focusAreas: listed('followed'),
    },
    bridged: (held.get('bridged')?.items ?? []).map((bridge) => ({
      word: /^\s*\u201c([^]*?)\u201d \u2192 /.exec(textOf(bridge))?.[1],
      to: all(bridge, 'code').map(textOf),
      similarity: Number(textOf(one(bridge, '.soft'))),
    })),
    candidates: Number(candidates),
    deep: Number(deep ?? 0),
    added: listed('added'),
    discovered: listed('discovered'),
    ms: Number(ms),
  }
}

function indexFacts(section: Element): unknown {
  const held = pairs(section)
  const number = (label: string): number | null => {
    const text = held.get(label)?.text ?? ''
    return text === 'nobody looked' ? null : Number(text)
  }
  return {
    files: number('files'),
    chunks: number('parts of files'),
    stale: number('stale files'),
    skipped: number('files left out'),
    encoder: textOf(one(held.get('encoder')!.value, 'code')), // always there
  }
}

// What moves the log-odds less is one row with others (file-article.ts).
const LEAST_EFFECT = 0.05

/** What `pageFacts` reads of a sound page of this answer: the same facts, and evidence summed up by kind. */
export function factsOf(
  answer: Answer,
  options: { readonly kindOf: (signal: string) => string; readonly isExplained: boolean },
): unknown {
  const shown = {
    ...without(answer, 'schema'),
    task: answer.task.trim(),
    files: answer.files.map(({ evidence = [], missingContext, relevance, ...file }) => {
      const kinds = kindsOf(evidence, options.kindOf)
      return {
        ...file,
        relevance,
        shown: relevance.toFixed(2),
        missingContext: missingContext.map((missing) => without(missing, 'kind')),
        kinds: kinds.map((kind) => ({ ...kind, shown: Number(kind.effect.toFixed(2)) })),
        signals: options.isExplained ? signalsOf(evidence, options.kindOf) : [],
      }
    }),
    cycles: answer.cycles.map((cycle) => ({
      ...cycle,
      bridged: cycle.bridged.map((bridge) => ({
        ...bridge,
        similarity: Number(bridge.similarity.toFixed(2)),
      })),
    })),
  }
  return mapped(shown)
}

type Evidences = readonly { readonly signal: string; readonly value: number; readonly effect: number }[]

function kindsOf(
  evidence: Evidences,
  kindOf: (signal: string) => string,
): readonly { readonly kind: string; readonly effect: number }[] {
  const kinds = [...new Set(evidence.map(({ signal }) => kindOf(signal)))]
    .map((kind) => ({ kind, effect: total(evidence.filter(({ signal }) => kindOf(signal) === kind)) }))
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.kind < b.kind ? -1 : 1))
  const small = kinds.filter(({ effect }) => Math.abs(effect) < LEAST_EFFECT)
  if (small.length < 2) return kinds
  return [
    ...kinds.filter((kind) => !small.includes(kind)),
    { kind: `${small.length} others together`, effect: total(small) },
  ]
}

function signalsOf(evidence: Evidences, kindOf: (signal: string) => string): readonly unknown[] {
  const byKind = [...new Set(evidence.map(({ signal }) => kindOf(signal)))]
    .map((kind) => evidence.filter(({ signal }) => kindOf(signal) === kind))
    .sort(
      (a, b) =>
        Math.abs(total(b)) - Math.abs(total(a)) || (kindOf(a[0]!.signal) < kindOf(b[0]!.signal) ? -1 : 1),
    ) // no kind is empty
  return byKind.flat().map(({ signal, value, effect }) => ({ signal, numbers: [value, effect] }))
}

function total(all: readonly { readonly effect: number }[]): number {
  return Number(all.reduce((sum, { effect }) => sum + effect, 0).toFixed(4)) + 0
}

/** Every text in it as a page shows it. */
function mapped(value: unknown): unknown {
  if (typeof value === 'string') return shownControls(value)
  if (Array.isArray(value)) return value.map(mapped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, mapped(held)]))
}

function without<T extends object>(object: T, name: keyof T & string): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as Partial<T>
}
