/** Pages as the command writes them. */
import { expect, it } from 'vitest'
import type { Answer } from '../../../src/index.js'
import { kindOfSignal } from '../../../src/rank/evidence-kinds.js'
import { answerOf, hone, withoutTimes, type Ran } from '../../helpers/command.js'
import { factsOf, pageFacts } from '../../helpers/page-facts.js'
import { sampleOfCommand } from '../../helpers/indexed-sample.js'
import { SAMPLE } from '../../spine/sample.js'

const sample = sampleOfCommand()

const query = (...args: readonly string[]): Ran => hone(['query', '--repo', sample.root, ...args])
/** The answer with the lines that its ranges point at. */
const withLines = (answer: Answer): Answer => ({
  ...answer,
  files: answer.files.map((file) => ({
    ...file,
    ranges: file.ranges.map((range) => {
      const lines = SAMPLE[file.path]?.split('\n').slice(range.start - 1, range.end) ?? []
      return { ...range, text: lines.join('\n') }
    }),
  })),
})
const json = (...args: readonly string[]): Answer => answerOf(query('--format', 'json', ...args))

it('html is a page with the facts of the JSON, the same bytes each time, and related code has one too', () => {
  const ask = (...args: readonly string[]): Ran => query('Session refresh', '--min-relevance', '0', ...args)
  const page = ask('--format', 'html')
  expect(page).toMatchObject({ code: 0, err: '' })
  const facts = withoutTimes(JSON.stringify(pageFacts(page.out)))
  const answer = json('Session refresh', '--min-relevance', '0', '--explain')
  const shown = factsOf(withLines(answer), { kindOf: kindOfSignal, isExplained: false })
  expect(JSON.parse(facts)).toEqual(JSON.parse(withoutTimes(JSON.stringify(shown))))
  const untimed = ({ out }: Ran): string => out.replace(/[\d.]+ ms/g, '0 ms')
  expect(untimed(ask('--format', 'html'))).toBe(untimed(page))
  const none = query('sign a token', '--include', 'nowhere', '--format', 'html')
  expect(none.code).toBe(1)
  expect(none.out).toContain('Nothing relevant found.')
  const related = hone(['related', 'src/session.ts', '--repo', sample.root, '--format', 'html'])
  expect(related.code).toBe(0)
  expect(related.out).toMatch(/<h1>Related to src\/session\.ts<\/h1>[^]*signToken/)
})
