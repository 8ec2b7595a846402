import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { format } from '../../src/cli/format.js'
import { HoneError } from '../../src/errors.js'
import { contextFacts, contextMarkdown, longer } from '../../src/mcp/facts.js'
import { fitAnswer, tokensOf, type Budget } from '../../src/retrieve/budget.js'
import { hasWords } from '../../src/retrieve/excerpt.js'
import type { Answer, AnswerFile, AnswerRange, MissingContext } from '../../src/types.js'

type Emit = (answer: Answer) => string

const PLAIN = { isColoured: false, isCompact: true }
const FORMS: Readonly<Record<string, Emit>> = {
  json: (answer) => format(answer, 'json', PLAIN),
  markdown: (answer) => format(answer, 'markdown', PLAIN),
  text: (answer) => format(answer, 'text', PLAIN),
  paths: (answer) => format(answer, 'paths', PLAIN),
  mcp: (answer) => {
    const facts = contextFacts(answer, [])
    return longer(facts, contextMarkdown(facts))
  },
}
const EXCERPTS = ['json', 'markdown', 'mcp'] as const

const HUGE = 'x=1;'.repeat(25_000)

const knowledge = (
  best: (file: AnswerFile) => readonly number[] = ({ ranges }) => [...ranges.keys()],
): Omit<Budget<Answer>, 'tokens' | 'emit'> => ({
  bestRanges: best,
  interest: () => (line) => new Map(line.includes('token') ? [['token', 1]] : []),
  inBrief: (file) => ({ ...file, reason: 'about token', missingContext: [] }),
})

function fitted(answer: Answer, form: string, tokens: number): Answer | undefined {
  try {
    return fitAnswer(answer, { tokens, emit: FORMS[form]!, ...knowledge() })
  } catch (error) {
    if (!(error instanceof HoneError) || error.code !== 'USAGE') throw error
    return undefined
  }
}

function fileOf(path: string, texts: readonly (readonly string[] | undefined)[]): AnswerFile {
  let next = 1
  const ranges = texts.map((lines): AnswerRange => {
    const start = next
    const end = start + (lines?.length ?? 3) - 1
    next = end + 5
    return {
      start,
      end,
      symbol: 'Session.sign',
      kind: 'method',
      ...(lines === undefined ? {} : { text: lines.join('\n') }),
    }
  })
  const reason = 'about token; best match Session.sign; changed in "Sign tokens"'
  const missing: MissingContext = { kind: 'symbol', name: 'Key', definedIn: 'key.ts', critical: false }
  return {
    path,
    relevance: 0.5,
    band: 'medium',
    cycle: 1,
    reason,
    ranges,
    missingContext: [missing],
  }
}

function answerOf(files: readonly AnswerFile[], more: Partial<Answer> = {}): Answer {
  return {
    schema: 1,
    task: 'sign the token',
    stop: 'sufficient',
    notes: [],
    files,
    gaps: [{ kind: 'word', name: 'endpoint', critical: false }],
    cycles: [1, 2].map((n) => ({
      n,
      query: {
        patterns: ['src/**'],
        keywords: ['sign', 'token'],
        excludes: [],
        moreExcludes: 0,
        focusAreas: [],
      },
      bridged: [],
      candidates: 60,
      deep: 0,
      added: files.map(({ path }) => path),
      discovered: ['key'],
      ms: 1,
    })),
    index: { files: 10, chunks: 20, stale: 0, skipped: 0, encoder: 'hone-static-1' },
    ms: 3,
    ...more,
  }
}

const numbered = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `  const value${from + i} = compute(${from + i})`)

/** Every line shown, as path:number. */
function shownLines({ files }: Answer): readonly string[] {
  return files.flatMap(({ path, ranges }) =>
    ranges.flatMap(({ start, text }) => text?.split('\n').map((_, i) => `${path}:${start + i}`) ?? []),
  )
}

const line = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 60 }).map((text) => text.replaceAll('\n', ' ')) },
  { weight: 2, arbitrary: fc.constantFrom('', '}', '  return token', '```', '~~~~', '# token', '\t\t})') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '令牌续期'.repeat(40),
      '👩‍👩‍👧'.repeat(20),
      '\ud83d',
      '\u0000\u0007',
      '\\"'.repeat(99),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('y'.repeat(1001), HUGE) },
)
const range = fc.option(fc.array(line, { minLength: 1, maxLength: 12 }), { nil: undefined })
const answers = fc
  .record({
    files: fc.array(fc.array(range, { maxLength: 3 }), { maxLength: 6 }),
    task: fc.oneof(fc.constant('sign the token'), fc.string({ minLength: 1, maxLength: 900 })),
  })
  .map(({ files, task }) =>
    answerOf(
      files.map((texts, i) => fileOf(`src/файл ${i}.ts`, texts)),
      { task },
    ),
  )
const tokens = fc.oneof(
  fc.integer({ min: 1, max: 700 }),
  fc.constantFrom(200, 500, 1000, 2000, 5000, 10_000, 20_000),
)
const form = fc.constantFrom(...Object.keys(FORMS))

describe('an answer fitted into a budget, whatever it holds', () => {
  it('is never above it, in any form, and says so when something is missing', () => {
    fc.assert(
      fc.property(answers, form, tokens, (answer, as, budget) => {
        const shown = fitted(answer, as, budget)
        if (shown === undefined) return
        expect(tokensOf(FORMS[as]!(shown))).toBeLessThanOrEqual(budget)
        const isWhole = JSON.stringify(shown) === JSON.stringify(answer)
        expect(shown.notes.some(({ code }) => code === 'LEFT_OUT')).toBe(!isWhole)
      }),
      { numRuns: 150 },
    )
  })

  it('shows the first files, and whole lines under the numbers they have', () => {
    fc.assert(
      fc.property(answers, form, tokens, (answer, as, budget) => {
        const shown = fitted(answer, as, budget)
        shown?.files.forEach((file, f) => {
          const whole = answer.files[f]!
          expect(file.path).toBe(whole.path)
          for (const { start, end, text } of file.ranges) {
            const of = whole.ranges.find((one) => one.start <= start && end <= one.end)!
            const lines = of.text?.split('\n').slice(start - of.start, end - of.start + 1)
            if (text !== undefined) expect(text).toBe(lines?.join('\n'))
            else expect({ start, end }).toEqual({ start: of.start, end: of.end })
          }
        })
      }),
      { numRuns: 150 },
    )
  })

  it('shows with a larger budget all that it shows with a smaller one', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom(...EXCERPTS), tokens, tokens, (answer, as, a, b) => {
        const less = fitted(answer, as, Math.min(a, b))
        const more = fitted(answer, as, Math.max(a, b))
        if (less === undefined) return
        expect(more?.files.length).toBeGreaterThanOrEqual(less.files.length)
        const lines = new Set(shownLines(more!))
        expect(shownLines(less).filter((one) => !lines.has(one))).toEqual([])
        expect(more!.cycles.length).toBeGreaterThanOrEqual(less.cycles.length)
        expect(more!.gaps.length).toBeGreaterThanOrEqual(less.gaps.length)
      }),
      { numRuns: 150 },
    )
  })

  it('is refused only below what the refusal names', () => {
    fc.assert(
      fc.property(answers, form, (answer, as) => {
        const refusal = (tokens: number): string => {
          try {
            fitAnswer(answer, { tokens, emit: FORMS[as]!, ...knowledge() })
            return ''
          } catch (error) {
            return String(error)
          }
        }
        const least = Number(/takes (\d+)/.exec(refusal(1))?.[1] ?? 1)
        expect(refusal(least)).toBe('')
        if (least > 1) expect(refusal(least - 1)).toContain(`takes ${least}`)
      }),
      { numRuns: 100 },
    )
  })
})

describe('with little room', () => {
  const ten = Array.from({ length: 10 }, (_, i) => fileOf(`src/f${i}.ts`, [numbered(0, 40), numbered(40, 9)]))

  it('ten files are shown with a few lines each rather than one whole', () => {
    for (const as of EXCERPTS) {
      const { files } = fitted(answerOf(ten), as, 1000)!
      expect(files.length, as).toBe(10)
      for (const { ranges } of files)
        expect(ranges[0]?.text?.split('\n').length, as).toBeGreaterThanOrEqual(3)
    }
  })

  it('the few lines are those that hold what was asked', () => {
    const lines = [...numbered(0, 20), '  // renews', '  token.sign(key)', '  })', '', ...numbered(24, 20)]
    const { files } = fitted(answerOf([fileOf('a.ts', [lines]), ...ten]), 'json', 600)!
    expect(files[0]?.ranges).toMatchObject([{ start: 22, end: 26 }])
    expect(files[0]?.ranges[0]?.text).toContain('token.sign(key)')
  })

  it('blank lines and lone brackets do not count as lines that say something', () => {
    const lines = ['{', 'token', '', '}', '', 'second', '})', 'third', '}']
    const { files } = fitted(answerOf([fileOf('a.ts', [lines]), ...ten]), 'json', 400)!
    expect(files[0]?.ranges[0]).toMatchObject({ start: 2, end: 8 })
    expect(files[0]?.ranges[0]?.text?.split('\n').filter(hasWords)).toEqual(['token', 'second', 'third'])
  })

  it('a best range of one line is shown beside the next that has a few', () => {
    const file = fileOf('a.ts', [['const TOKEN = 1'], numbered(0, 30)])
    const { files } = fitted(answerOf([file, ...ten]), 'json', 400)!
    expect(files[0]?.ranges.map(({ text }) => text?.split('\n').length)).toEqual([1, 3])
  })

  it('a long task is told by its beginning', () => {
    const answer = answerOf(ten, { task: '令牌 '.repeat(5000) })
    for (const as of EXCERPTS) {
      const shown = fitted(answer, as, 1000)!
      expect(shown.files.length, as).toBeGreaterThan(5)
      expect(shown.task.length).toBeLessThan(210)
      expect(shown.notes.at(-1)?.message).toContain('the end of the task')
    }
  })

  it('a line of 100 kB keeps nothing else out', () => {
    const files = [
      fileOf('dist/app.js', [
        [HUGE, HUGE],
        ['var a', HUGE, 'var b'],
      ]),
      ...ten.slice(0, 9),
    ]
    for (const as of EXCERPTS) {
      const shown = fitted(answerOf(files), as, 20_000)!
      expect(shown.files.length).toBe(10)
      const all = shown.files.slice(1).flatMap(({ ranges }) => ranges.map(({ text }) => text))
      expect(all, as).toEqual(files.slice(1).flatMap(({ ranges }) => ranges.map(({ text }) => text)))
      expect(tokensOf(FORMS[as]!(shown))).toBeLessThan(10_000)
    }
  })
})

describe('with more room', () => {
  const ten = Array.from({ length: 10 }, (_, i) =>
    fileOf(`src/f${i}.ts`, [numbered(0, 40), numbered(40, 60)]),
  )
  const whole = (shown: Answer, f: number, r: number): boolean =>
    shown.files[f]?.ranges[r]?.text === ten[f]?.ranges[r]?.text

  it('the first files get their best range whole before the tenth gets more than a few lines', () => {
    for (const as of EXCERPTS)
      for (const budget of [1500, 2000, 3000, 4000, 6000]) {
        const shown = fitted(answerOf(ten), as, budget)!
        const isMore = (shown.files[9]?.ranges[0]?.text?.split('\n').length ?? 0) > 3
        if (isMore) for (const f of [0, 1, 2]) expect(whole(shown, f, 0), `${as} ${budget}`).toBe(true)
      }
    expect(whole(fitted(answerOf(ten), 'json', 4000)!, 0, 0)).toBe(true)
  })

  it('how the answer was found comes after the best range of the first three and before the rest', () => {
    for (let budget = 600; budget < 6000; budget += 100) {
      const shown = fitted(answerOf(ten), 'json', budget)!
      if (shown.cycles.length > 0) expect([0, 1, 2].every((f) => whole(shown, f, 0))).toBe(true)
      if (shown.files[0]!.ranges[1]?.text !== undefined) expect(shown.cycles.length).toBe(2)
    }
  })

  it('a file is told in full, with its further ranges, before any gets more lines', () => {
    for (let budget = 600; budget < 3000; budget += 50) {
      const shown = fitted(answerOf(ten), 'json', budget)!
      const lines = shownLines(shown).length
      if (lines > 30) for (const file of shown.files) expect(file.reason).toBe(ten[0]!.reason)
    }
  })
})
