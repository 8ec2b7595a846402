/** Related code under a budget: for a place and for a large change, in every form, through the library. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatRelated } from '../../src/cli/format-related.js'
import { buildIndex, openIndex, tokensOf, type HoneIndex, type RelatedAnswer } from '../../src/index.js'
import { longer, relatedFacts, relatedMarkdown } from '../../src/mcp/facts.js'
import { git } from '../helpers/git.js'
import { makeSample, put } from '../spine/sample.js'

const PLAIN = { isColoured: false, isCompact: true }
const FORMS: Readonly<Record<string, (answer: RelatedAnswer) => string>> = {
  json: (answer) => formatRelated(answer, 'json', PLAIN),
  markdown: (answer) => formatRelated(answer, 'markdown', PLAIN),
  mcp: (answer) => {
    const facts = relatedFacts(answer, [])
    return longer(facts, relatedMarkdown(facts))
  },
}
const BUDGETS = [300, 500, 1000, 2000, 4000, 20_000]
const CHANGED = 60
const ledger = (i: number): string =>
  `import { book${i + 1} } from './ledger${i + 1}.js'\n\nexport function book${i}(total: number): number {\n${`  total += book${i + 1}(total) // books the balance\n`.repeat(30)}  return total\n}\n`

let root: string
let remove: () => void
let index: HoneIndex

beforeAll(async () => {
  ;({ root, remove } = makeSample(
    Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`src/ledger${i}.ts`, ledger(i)])),
  ))
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'first')
  for (let i = 0; i < CHANGED; i++)
    put(root, `src/ledger${i}.ts`, `${ledger(i)}\nexport const more${i} = 1\n`)
  await buildIndex({ root, jobs: 0 })
  for (let i = 0; i < 400; i++) put(root, `notes/a-long-name-of-a-new-file-${i}.ts`, 'export {}\n')
  index = await openIndex({ root })
})

afterAll(() => {
  index.close()
  remove()
})

const linesOf = ({ files }: RelatedAnswer): number =>
  files.reduce((sum, { ranges }) => sum + ranges.flatMap(({ text }) => text?.split('\n') ?? []).length, 0)

describe('related code under a budget', () => {
  for (const [form, emit] of Object.entries(FORMS)) {
    it(`keeps it for a place and never shows less for more, as ${form}`, () => {
      let before: RelatedAnswer | undefined
      for (const budgetTokens of BUDGETS) {
        const answer = index.related({
          path: 'src/ledger5.ts',
          limit: 20,
          withText: true,
          budgetTokens,
          emit,
        })
        expect(tokensOf(emit(answer))).toBeLessThanOrEqual(budgetTokens)
        expect(answer.files.length).toBeGreaterThanOrEqual(Math.max(1, before?.files.length ?? 1))
        expect(linesOf(answer)).toBeGreaterThanOrEqual(before === undefined ? 1 : linesOf(before))
        before = answer
      }
      expect(before?.files.length).toBe(20)
    })

    it(`keeps it for a change of many files, most of them not indexed, as ${form}`, async () => {
      for (const budgetTokens of BUDGETS) {
        const answer = await index.relatedToChanges({ withText: true, budgetTokens, emit })
        expect(tokensOf(emit(answer))).toBeLessThanOrEqual(budgetTokens)
        expect(answer.files.length).toBeGreaterThan(0)
        expect(answer.notes.find(({ code }) => code === 'NOT_INDEXED')?.message).toContain('more')
        const left = answer.notes.find(({ code }) => code === 'LEFT_OUT')?.message ?? ''
        if (answer.places.length < CHANGED) expect(left).toContain(`${CHANGED - answer.places.length} places`)
      }
    })
  }
})
