/** The page of what is related says what its JSON says. */
import { expect, it } from 'vitest'
import { relatedPage } from '../../../src/cli/html/related-page.js'
import { codeMarker, type RelatedAnswer } from '../../../src/index.js'
import { all, attribute, elements, one, parsePage, readText, textOf } from '../../helpers/parsed-page.js'
import { HOSTILE, RELATED } from './answers.js'

const mark = await codeMarker()

function factsOf(html: string): unknown {
  const { document, faults } = parsePage(html)
  expect(faults).toEqual([])
  return {
    title: textOf(one(document, 'h1')),
    notes: all(document, '.notes').map(readText),
    files: all(document, 'article').map((article) => {
      const values = all(article, 'dd')
      return {
        path: textOf(one(article, 'h3')),
        relatedness: Number(attribute(one(one(article, '.rating'), 'data'), 'value')),
        reason: all(one(article, '.reasons'), 'li').map(textOf).join('; '),
        facts: all(article, 'dt').map((label, i) => [readText(label), values[i] && readText(values[i])]),
        code: all(article, 'pre').map(textOf),
      }
    }),
    index: all(one(document, '#index'), 'dd').map(readText),
  }
}

it('the page of what is related says what the JSON says', () => {
  expect(factsOf(relatedPage(RELATED, mark))).toEqual({
    title: 'Related to src/middleware/throttle.ts:12',
    notes: ['changed, but not indexed: notes.txt NOT_INDEXED'],
    files: [
      {
        path: 'src/server.ts',
        relatedness: 0.7312,
        reason: 'uses throttle; changed together 4 times',
        facts: [
          ['similarity', '0.41'],
          ['commits together', '4'],
          ['used by', 'throttle'],
        ],
        code: ['serve() {\n}\n'],
      },
      {
        path: 'lib/clock.ts',
        relatedness: 0.2,
        reason: 'similar code',
        facts: [
          ['similarity', '0.33'],
          ['commits together', '0'],
          ['uses', 'Clock now'],
        ],
        code: [],
      },
    ],
    index: ['412', '3120', '9', '80', 'hone-static-1', '3.2 ms'],
  })
  expect(relatedPage({ ...RELATED, files: [] }, mark)).toContain('Nothing related found.')
})

it('holds no markup but its own, whatever a repository holds', () => {
  const tags = (answer: RelatedAnswer): readonly string[] => {
    const { document, faults } = parsePage(relatedPage(answer, mark))
    expect(faults).toEqual([])
    return [...new Set(elements(document).map(({ tagName }) => tagName))].sort()
  }
  const [file] = RELATED.files
  if (file === undefined) throw new Error('there are files')
  for (const text of HOSTILE) {
    const hostile = { ...file, path: text, reason: text, uses: [text], usedBy: [text] }
    expect(tags({ ...RELATED, places: [{ path: text }], files: [hostile] })).toEqual(
      tags({ ...RELATED, files: [{ ...file, uses: ['x'], path: text.includes('/') ? 'a/b' : 'b' }] }),
    )
  }
})
