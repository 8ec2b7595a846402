/** What is related, as one page for people; built as an answer's page is. */
import { codeMarker, type CodeMarker, type RelatedAnswer, type RelatedAnswerFile } from '../../index.js'
import { placesInWords } from '../places-in-words.js'
import { excerpts, openRanges, type ExcerptOptions } from './excerpt.js'
import { reasonsList } from './file-article.js'
import { html, type Content, type Safe } from './markup.js'
import { indexSection, notesList, pairList } from './notes.js'
import { page } from './page.js'
import { counted, fileId, fileRail, itemList, numeral, pathParts, shareBar } from './pieces.js'

/** Loads what marks code, then writes pages. */
export async function relatedPageWriter(): Promise<(answer: RelatedAnswer) => string> {
  const mark = await codeMarker()
  return (answer) => relatedPage(answer, mark)
}

export function relatedPage(answer: RelatedAnswer, mark: CodeMarker): string {
  const { files, notes } = answer
  const options: ExcerptOptions = { mark, words: new Map(), open: openRanges(files) }
  const title = `Related to ${placesInWords(answer)}`
  const ratings = files.map(({ path, relatedness }) => ({ path, value: relatedness }))
  return page({
    title: `${title} \u2013 hone`,
    header: html`<p class="brand">hone</p>
      <h1>${title}</h1>
      ${outcome(answer)}${notesList(notes)}`,
    rail: files.length > 0 && fileRail(ratings, [html`<a href="#index">The index</a>`]),
    sections: [files.length > 0 && filesSection(files, options), indexSection(answer)],
  })
}

function outcome({ files }: RelatedAnswer): Safe {
  if (files.length === 0) return html`<p class="outcome"><strong>Nothing related found.</strong></p>`
  return html`<p class="outcome">
    <strong>${counted(files.length, 'file')}.</strong>
    <span class="soft">The numbers order the files of this page; they are no probabilities.</span>
  </p>`
}

function filesSection(files: readonly RelatedAnswerFile[], options: ExcerptOptions): Safe {
  return html`<section id="files" aria-labelledby="files-title">
    <h2 id="files-title">${counted(files.length, 'file')}</h2>
    ${files.map((file, i) => article(file, { ...options, id: fileId(i) }))}
  </section>`
}

function article(file: RelatedAnswerFile, options: ExcerptOptions & { readonly id: string }): Safe {
  const { path, relatedness, reason, ranges, similarity, commitsTogether, uses, usedBy } = file
  return html`<article class="file" id="${options.id}" aria-labelledby="${options.id}-path">
    <h3 id="${options.id}-path">${pathParts(path)}</h3>
    <div class="rating">${numeral(relatedness, relatedness.toFixed(2))}${shareBar(relatedness)}</div>
    <div class="two">
      <div>${reasonsList(reason)}</div>
      <div>
        ${pairList([
          ['similarity', numeral(similarity, similarity.toFixed(2))],
          ['commits together', numeral(commitsTogether, String(commitsTogether))],
          ['uses', names(uses)],
          ['used by', names(usedBy)],
        ])}
      </div>
    </div>
    ${excerpts(path, ranges, options)}
  </article>`
}

function names(all: readonly string[]): Content {
  return (
    all.length > 0 &&
    itemList(
      all.map((name) => html`<code>${name}</code>`),
      'name',
    )
  )
}
