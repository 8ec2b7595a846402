/** The page of an answer says what its JSON says, and nothing in it becomes markup. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerPage } from '../../../src/cli/html/answer-page.js'
import { codeMarker, type Answer, type CodeMarker } from '../../../src/index.js'
import { kindOfSignal } from '../../../src/rank/evidence-kinds.js'
import { sha256Hasher } from '../../../src/digest.js'
import { factsOf, pageFacts } from '../../helpers/page-facts.js'
import { all, attribute, elements, one, parsePage, readText, textOf } from '../../helpers/parsed-page.js'
import { anyAnswer, EVERYTHING, HOSTILE, NOTHING, withText } from './answers.js'

let mark: CodeMarker

beforeAll(async () => {
  mark = await codeMarker()
})

const pageOf = (answer: Answer, isExplained = false): string => answerPage(answer, { mark, isExplained })

function expectSameFacts(answer: Answer): void {
  for (const isExplained of [false, true])
    expect(pageFacts(pageOf(answer, isExplained))).toEqual(
      factsOf(answer, { kindOf: kindOfSignal, isExplained }),
    )
}

const TAGS = new Set(
  (
    'html head meta title style body a header p h1 h2 h3 strong span ul ol li nav main section article div data svg rect ' +
    'table caption thead tbody tr th td details summary pre code i mark dl dt dd wbr'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  (
    'lang charset http-equiv content name class href id tabindex aria-label aria-labelledby aria-hidden viewBox ' +
    'preserveAspectRatio focusable data-line x width height fill value scope open'
  ).split(' '),
)

/** Nothing on the page but what hone's own templates hold. */
function expectOwnMarkup(page: string): void {
  const { document, faults } = parsePage(page)
  expect(faults).toEqual([])
  const found = elements(document)
  const unknown = found.filter(({ tagName }) => !TAGS.has(tagName)).map(({ tagName }) => tagName)
  expect(unknown).toEqual([])
  const attributes = found.flatMap(({ attrs }) => attrs)
  expect(attributes.map(({ name }) => name).filter((name) => !ATTRIBUTES.has(name))).toEqual([])
  const targets = attributes.filter(({ name }) => name === 'href').map(({ value }) => value)
  expect(targets.filter((target) => !/^#[a-z]+(?:-\d+)?$/.test(target))).toEqual([])
  expect(all(document, 'style')).toHaveLength(1)
  expect(all(document, 'meta')).toHaveLength(5)
}

describe('a page', { timeout: 300_000 }, () => {
  it('says what the JSON says', () => {
    expectSameFacts(EVERYTHING)
    expectSameFacts(NOTHING)
  })

  it('says what the JSON says of any answer', () => {
    fc.assert(fc.property(anyAnswer, expectSameFacts), { numRuns: 60 })
  })

  it('holds no markup but its own, whatever a repository and a task hold', () => {
    for (const text of HOSTILE) {
      const page = pageOf(withText(text), true)
      expectOwnMarkup(page)
      expect(pageFacts(page)).toEqual(factsOf(withText(text), { kindOf: kindOfSignal, isExplained: true }))
    }
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expectOwnMarkup(pageOf(answer, true))
      }),
      { numRuns: 60 },
    )
  })

  it('is the same for the same answer', () => {
    expect(pageOf(EVERYTHING)).toBe(pageOf(structuredClone(EVERYTHING)))
  })

  it('may load nothing, and its style is the one that its policy names', () => {
    const { document } = parsePage(pageOf(EVERYTHING))
    const policy = all(document, 'meta')
      .filter((meta) => attribute(meta, 'http-equiv') === 'Content-Security-Policy')
      .map((meta) => attribute(meta, 'content'))
    const digest = sha256Hasher()
      .update(textOf(one(document, 'style')))
      .digest('base64')
    expect(policy).toEqual([
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    ])
    expect(pageOf(EVERYTHING)).not.toMatch(/url\(|@import|https?:|<script/)
  })

  it('shows everything of every kind of evidence when asked to explain', () => {
    const signals = EVERYTHING.files[0]?.evidence ?? []
    const { document } = parsePage(pageOf(EVERYTHING, true))
    const table = readText(all(document, '.signals')[0] ?? document)
    for (const { signal } of signals) expect(table).toContain(signal)
    expect(table).toContain("words in the text of its best parts: share of the best candidate's")
    expect(all(parsePage(pageOf(EVERYTHING)).document, '.signals')).toEqual([])
  })

  it('links a file to the cycle that found it, and a cycle to the files it added, where they are on the page', () => {
    const { document } = parsePage(pageOf(EVERYTHING))
    const ids = new Set(elements(document).flatMap((element) => attribute(element, 'id') ?? []))
    const targets = all(document, 'a').map((link) => attribute(link, 'href')?.slice(1) ?? '')
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
    expect(targets.filter((target) => target === 'cycle-2')).toHaveLength(1)
    expect(targets.filter((target) => target === 'file-2')).toHaveLength(2) // beside the content, and where it was added
    const [first, second] = all(document, '.steps').flatMap((steps) => all(steps, 'a'))
    expect([first, second].map((link) => link && readText(link))).toEqual([
      'src/middleware/throttle.ts',
      'README.md',
    ])
    const bare = parsePage(pageOf({ ...EVERYTHING, cycles: [] })).document // left out to keep a budget
    expect(all(bare, 'a').filter((link) => attribute(link, 'href')?.startsWith('#cycle-'))).toEqual([])
  })

  it('says that nothing is missing only where nothing was left out', () => {
    const text = (answer: Answer): string => readText(parsePage(pageOf(answer)).document)
    const none = { ...EVERYTHING, gaps: [] }
    expect(text(none)).toContain('Nothing that hone knows of.')
    const cut = {
      ...none,
      notes: [{ code: 'LEFT_OUT', message: 'left out to keep the budget: 2 gaps' }] as const,
    }
    expect(text(cut)).not.toMatch(/Nothing that hone knows of|Still missing/)
  })

  it('has no id twice', () => {
    const ids = elements(parsePage(pageOf(EVERYTHING)).document).flatMap(
      (element) => attribute(element, 'id') ?? [],
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('counts files by band in its first sentence', () => {
    const outcome = (answer: Answer): string => readText(one(parsePage(pageOf(answer)).document, '.outcome'))
    expect(outcome(EVERYTHING)).toBe(
      '3 files: 1 high, 1 medium, 1 very low in relevance. The search stopped after 2 cycles: enough sure files, and nothing critical is missing.',
    )
    expect(outcome({ ...EVERYTHING, files: EVERYTHING.files.slice(0, 1) })).toMatch(
      /^1 file of high relevance\. /,
    )
    expect(outcome(NOTHING)).toMatch(
      /^Nothing likely enough found\. The search stopped: nothing here is likely enough\.$/,
    )
  })

  it('has a long task whole behind its beginning', () => {
    const task = `${'find the place '.repeat(20)}\n\n  at line <3>`
    const { document } = parsePage(pageOf({ ...EVERYTHING, task }))
    expect(textOf(one(document, 'h1'))).toMatch(/^find the place .*…$/)
    expect(textOf(one(one(document, '.whole'), 'pre'))).toBe(task)
    expect(textOf(one(document, 'title'))).toMatch(/… – hone$/)
  })
})

describe('an excerpt', () => {
  const marks = (kind: 'task' | 'further'): readonly string[] =>
    all(parsePage(pageOf(EVERYTHING)).document, 'pre')
      .flatMap((code) => all(code, 'mark'))
      .filter((found) => (attribute(found, 'class') === 'further') === (kind === 'further'))
      .map(textOf)

  it('marks the words of the task, and apart from them those that were bridged or discovered', () => {
    expect(marks('task')).toEqual([
      'Limits',
      'rate',
      'api',
      'Api',
      'limit',
      'api',
      'rate',
      'rate',
      'Limit',
      'Limits',
    ])
    expect(marks('further')).toEqual(['throttle'])
  })

  it('tells comments from code, and from what only looks like one', () => {
    const comments = all(parsePage(pageOf(EVERYTHING)).document, '.c')
      .map(textOf)
      .join('')
    expect(comments).toBe('/** Limits the rate of calls. */// the rate')
  })

  it('says which lines are gone since they were indexed', () => {
    const rests = all(parsePage(pageOf(EVERYTHING)).document, '.rest').map(textOf)
    expect(rests).toEqual(['Lines 42–90 are no longer in the file.'])
  })

  it('is open for the best, and closed where there is much to read', () => {
    const range = (start: number, lines: number): Answer['files'][number]['ranges'][number] => {
      return { start, end: start + lines - 1, kind: 'block', text: Array(lines).fill('x').join('\n') }
    }
    const [file] = EVERYTHING.files
    if (file === undefined) throw new Error('there are files')
    const openOf = (...ranges: readonly (readonly number[])[]): readonly boolean[] => {
      const files = ranges.map((lengths, i) => ({
        ...file,
        path: `${i}.ts`,
        ranges: lengths.map((length, r) => range(1 + r * 1000, length)),
      }))
      const details = all(parsePage(pageOf({ ...EVERYTHING, files })).document, '.range')
      return details.map((one) => attribute(one, 'open') !== undefined)
    }
    expect(openOf([500])).toEqual([true])
    expect(openOf([30, 60, 40], [40, 40], [20, 20])).toEqual([true, false, true, true, true, false, false])
  })
})
