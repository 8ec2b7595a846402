/**
 * An answer as one page for people: a pure function of the answer, and of the table of languages that marks its code.
 * It shows what the JSON of the same answer says (a test compares them).
 */
import {
  codeMarker,
  evidenceInWords,
  nothingFound,
  type Answer,
  type Band,
  type CodeMarker,
} from '../../index.js'
import { STOPS } from '../story.js'
import { CYCLES_ID, cyclesSection } from './cycles.js'
import { openRanges } from './excerpt.js'
import { fileArticle } from './file-article.js'
import { legend, lookedFor } from './looked-for.js'
import { html, type Safe } from './markup.js'
import { gapsSection } from './missing.js'
import { indexSection, notesList } from './notes.js'
import { page } from './page.js'
import { counted, fileId, fileRail, scaleOf } from './pieces.js'
import { taskHeading, titleOf } from './task-heading.js'

export interface PageOptions {
  readonly mark: CodeMarker
  /** Show every signal behind a rating. */
  readonly isExplained: boolean
  /** Everything that is there is open: a budget has chosen already. */
  readonly isAllOpen?: boolean
}

/** Loads what marks code, then writes pages. */
export async function answerPageWriter(): Promise<
  (answer: Answer, options: { readonly isExplained?: boolean; readonly isCompact: boolean }) => string
> {
  const mark = await codeMarker()
  return (answer, { isExplained = false, isCompact }) =>
    answerPage(answer, { mark, isExplained, isAllOpen: isCompact })
}

export function answerPage(answer: Answer, { mark, isExplained, isAllOpen = false }: PageOptions): string {
  const { files, cycles, gaps, task, notes } = answer
  const words = lookedFor(cycles)
  const ids = new Map(files.map(({ path }, i) => [path, fileId(i)]))
  const shared = {
    mark,
    words,
    isExplained,
    open: isAllOpen ? new Set(files.flatMap(({ ranges }) => ranges)) : openRanges(files),
    scale: scaleOf(
      files.flatMap(({ evidence = [] }) => evidenceInWords(evidence).map(({ effect }) => effect)),
    ),
    hasCycles: cycles.length > 0,
  }
  const articles = files.map((file, i) => fileArticle(file, { ...shared, id: fileId(i) }))
  return page({
    title: `${titleOf(task)} \u2013 hone`,
    header: html`<p class="brand">hone</p>
      ${taskHeading(task)}${outcome(answer)}${notesList(notes)}`,
    rail: files.length > 0 && rail(answer),
    sections: [
      files.length > 0 && filesSection(articles, legend(words)),
      tellsGaps(answer) && gapsSection(gaps),
      cyclesSection(answer, { words, ids }),
      indexSection(answer),
    ],
  })
}

function filesSection(articles: readonly Safe[], above: Safe | false): Safe {
  return html`<section id="files" aria-labelledby="files-title">
    <h2 id="files-title">${counted(articles.length, 'file')}</h2>
    ${above} ${articles}
  </section> `
}

function outcome(answer: Answer): Safe {
  const { cycles, stop } = answer
  const after = cycles.length === 0 ? '' : ` after ${counted(cycles.length, 'cycle')}`
  return html`<p class="outcome">
    ${found(answer)}
    <span class="soft">The search <a href="#${CYCLES_ID}">stopped${after}</a>: ${STOPS[stop]}.</span>
  </p>`
}

/** That nothing was found, or how many files of which band. */
function found(answer: Answer): Safe {
  const { files } = answer
  if (files.length === 0) return html`<strong>${nothingFound(answer)}</strong>`
  const bands = BANDS.map(([band, words]) => ({
    words,
    n: files.filter((file) => file.band === band).length,
  }))
  const held = bands.filter(({ n }) => n > 0)
  const count = html`<strong>${counted(files.length, 'file')}</strong>`
  if (held.length === 1) return html`${count} of ${held.map(({ words }) => words)} relevance.`
  return html`${count}: ${held.map(({ n, words }) => `${n} ${words}`).join(', ')} in relevance.`
}

const BANDS: readonly (readonly [band: Band, words: string])[] = [
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['none', 'very low'],
]

/** A budget may have left them out, and then it is not known that there are none. */
function tellsGaps({ gaps, notes }: Answer): boolean {
  return gaps.length > 0 || !notes.some(({ code }) => code === 'LEFT_OUT')
}

function rail(answer: Answer): Safe {
  const { files, gaps } = answer
  const ratings = files.map(({ path, relevance }) => ({ path, value: relevance }))
  return fileRail(ratings, [
    ...(tellsGaps(answer) ? [html`<a href="#missing">Still missing (${gaps.length})</a>`] : []),
    html`<a href="#${CYCLES_ID}">How it was found</a>`,
    html`<a href="#index">The index</a>`,
  ])
}
