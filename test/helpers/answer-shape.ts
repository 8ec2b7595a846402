/** The JSON of an answer as docs/interface.md shows it: what is there, of what type, and nothing else. */

type Check = (value: unknown, at: string) => readonly string[]

const is =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, at) =>
    holds(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${what}`]

const text = is('a text', (v) => typeof v === 'string')
const word = is('a text that says something', (v) => typeof v === 'string' && v !== '')
const flag = is('true or false', (v) => typeof v === 'boolean')
const number = is('a finite number', (v) => Number.isFinite(v))
const share = is('from 0 to 1', (v) => typeof v === 'number' && v >= 0 && v <= 1)
const count = is('a whole number from 0', (v) => Number.isInteger(v) && Number(v) >= 0)
const ordinal = is('a whole number from 1', (v) => Number.isInteger(v) && Number(v) >= 1)
const oneOf = (...values: readonly unknown[]): Check =>
  is(`one of ${values.join(', ')}`, (v) => values.includes(v))

const orNull =
  (check: Check): Check =>
  (value, at) =>
    value === null ? [] : check(value, at)

const list =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((v, i) => item(v, `${at}[${i}]`)) : [`${at} is no list`]

/** Keys that end with "?" may be missing. */
const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (typeof value !== 'object' || value === null) return [`${at} is no object`]
    const held = value as Record<string, unknown>
    const faults = Object.entries(fields).flatMap(([key, check]) => {
      const name = key.replace(/\?$/, '')
      if (name in held) return check(held[name], `${at}.${name}`)
      return key.endsWith('?') ? [] : [`${at}.${name} is missing`]
    })
    const known = new Set(Object.keys(fields).map((key) => key.replace(/\?$/, '')))
    return [
      ...faults,
      ...Object.keys(held).flatMap((key) => (known.has(key) ? [] : [`${at}.${key} is unknown`])),
    ]
  }

const missing = object({ kind: oneOf('symbol', 'word'), name: word, 'definedIn?': word, critical: flag })

const range = object({ start: ordinal, end: ordinal, 'symbol?': word, kind: word, 'text?': text })

const file = object({
  path: word,
  relevance: share,
  band: oneOf('high', 'medium', 'low', 'none'),
  cycle: oneOf(1, 2, 3),
  reason: word,
  ranges: list(range),
  missingContext: list(missing),
  'evidence?': list(object({ signal: word, value: number, effect: number })),
})

const cycle = object({
  n: oneOf(1, 2, 3),
  query: object({
    patterns: list(word),
    keywords: list(word),
    excludes: list(word),
    moreExcludes: count,
    focusAreas: list(word),
  }),
  bridged: list(object({ word, to: list(word), similarity: share })),
  candidates: count,
  deep: count,
  added: list(word),
  discovered: list(word),
  ms: number,
})

const answer = object({
  schema: oneOf(1),
  task: word,
  stop: oneOf('sufficient', 'nothing-new', 'max-cycles', 'budget', 'no-match'),
  notes: list(
    object({ code: is('capitals', (v) => typeof v === 'string' && /^[A-Z_]+$/.test(v)), message: word }),
  ),
  files: list(file),
  gaps: list(missing),
  cycles: list(cycle),
  index: object({ files: count, chunks: count, stale: orNull(count), skipped: count, encoder: word }),
  ms: number,
})

/** One line for each thing that is not as docs/interface.md has it; none for a sound answer. */
export function shapeFaults(value: unknown): readonly string[] {
  const faults = answer(value, 'answer')
  return faults.length > 0 ? faults : ruleFaults(value as Rules)
}

interface Rules {
  readonly files: readonly {
    readonly path: string
    readonly relevance: number
    readonly band: string
    readonly ranges: readonly { readonly start: number; readonly end: number }[]
  }[]
  readonly cycles: readonly { readonly n: number }[]
}

/** Order, bands and lines, which types do not tell. */
function ruleFaults({ files, cycles }: Rules): readonly string[] {
  const faults: string[] = []
  files.forEach((here, i) => {
    const before = files[i - 1]
    if (
      before !== undefined &&
      (before.relevance < here.relevance || (before.relevance === here.relevance && before.path >= here.path))
    )
      faults.push(`${here.path} stands after ${before.path}`)
    if (here.band !== bandFor(here.relevance))
      faults.push(`${here.path}: ${here.relevance} is not ${here.band}`)
    if (here.path.startsWith('/') || here.path.includes('\\'))
      faults.push(`${here.path} is not relative to the root`)
    here.ranges.forEach(({ start, end }, r) => {
      if (end < start) faults.push(`${here.path}: lines ${start}-${end}`)
      if (r > 0 && start <= (here.ranges[r - 1]?.end ?? 0))
        faults.push(`${here.path}: ranges out of order at ${start}`)
    })
  })
  cycles.forEach(({ n }, i) => {
    if (n !== i + 1) faults.push(`cycle ${n} is number ${i + 1}`)
  })
  return faults
}

function bandFor(relevance: number): string {
  if (relevance >= 0.8) return 'high'
  if (relevance >= 0.5) return 'medium'
  return relevance >= 0.2 ? 'low' : 'none'
}
