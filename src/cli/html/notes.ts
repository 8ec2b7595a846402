/** What an answer says about itself, and the index it comes from. */
import type { Answer, Note } from '../../index.js'
import { html, type Content, type Safe } from './markup.js'

export function notesList(notes: readonly Note[]): Safe | false {
  if (notes.length === 0) return false
  return html`<ul class="notes" aria-label="Notes">
    ${notes.map(({ code, message }) => html`<li><span>${message}</span> <code>${code}</code></li>`)}
  </ul>`
}

export type Pair = readonly [label: string, value: Content]

/** Labels and what belongs to each; those without anything are left out. */
export function pairList(pairs: readonly Pair[]): Safe {
  return html`<dl class="pairs">
    ${pairs
      .filter(([, value]) => value !== false)
      .map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd> `,
      )}
  </dl>`
}

export function indexSection({ index, ms }: { readonly index: Answer['index']; readonly ms: number }): Safe {
  return html`<section id="index" aria-labelledby="index-title">
    <h2 id="index-title">The index</h2>
    ${pairList([
      ['files', index.files],
      ['parts of files', index.chunks],
      ['files left out', index.skipped],
      ['stale files', index.stale ?? 'nobody looked'],
      ['encoder', html`<code>${index.encoder}</code>`],
      ['answered in', `${ms} ms`],
    ])}
  </section> `
}
