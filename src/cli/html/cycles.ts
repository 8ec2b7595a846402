/** The cycles as steps: what each asked, how its words were bridged, what it found and learned, and why the last was last. */
import type { Answer, CycleReport } from '../../index.js'
import { STOPS } from '../story.js'
import { marked, type LookedFor } from './looked-for.js'
import { html, type Content, type Safe } from './markup.js'
import { pairList, type Pair } from './notes.js'
import { counted, itemList, pathParts } from './pieces.js'

export const CYCLES_ID = 'cycles'

export function cycleId(n: number): string {
  return `cycle-${n}`
}

/** The id of a file's article by its path, for those that have one. */
export type FileIds = ReadonlyMap<string, string>

export function cyclesSection(
  { cycles, stop }: Answer,
  options: { readonly words: LookedFor; readonly ids: FileIds },
): Safe {
  return html`<section id="${CYCLES_ID}" aria-labelledby="cycles-title">
    <h2 id="cycles-title">How it was found</h2>
    <ol class="steps">
      ${cycles.map((cycle) => step(cycle, options))}
      <li class="stop">
        <span class="dot" aria-hidden="true">•</span>
        <h3>Stopped: ${STOPS[stop]}</h3>
        <p class="soft"><code>${stop}</code></p>
      </li>
    </ol>
  </section> `
}

function step(cycle: CycleReport, options: { readonly words: LookedFor; readonly ids: FileIds }): Safe {
  const { n, candidates, deep, ms } = cycle
  const looked = deep === 0 ? '' : `, ${counted(deep, 'part')} looked at more closely`
  return html`<li id="${cycleId(n)}">
    <span class="dot" aria-hidden="true">${n}</span>
    <h3>Cycle ${n}</h3>
    <p class="soft">${counted(candidates, 'candidate')}${looked}, ${ms} ms</p>
    ${pairList(factsOf(cycle, options))}
  </li> `
}

function factsOf(
  { query, bridged, added, discovered }: CycleReport,
  { words, ids }: { readonly words: LookedFor; readonly ids: FileIds },
): readonly Pair[] {
  const word = (text: string): Safe => html`<code>${marked(text, words.get(text) ?? 'further')}</code>`
  const code = (text: string): Safe => html`<code>${text}</code>`
  const bridges = bridged.map(
    ({ word: from, to, similarity }) =>
      html`“${from}” → ${to.map((target, i) => html`${i > 0 && ', '}${word(target)}`)}
        <span class="soft">${similarity.toFixed(2)}</span>`,
  )
  return [
    ['looked for', some(query.keywords.map(word), 'word')],
    ['bridged', some(bridges, 'word')],
    ['followed', some(query.focusAreas.map(code), 'name')],
    ['where', some(query.patterns.map(code), 'pattern')],
    ['left out', some(query.excludes.map(code), 'path')],
    ['left out besides', query.moreExcludes > 0 && counted(query.moreExcludes, 'unlikely file')],
    [
      'added',
      some(
        added.map((path) => fileLink(path, ids)),
        'file',
      ),
    ],
    ['discovered', some(discovered.map(word), 'word')],
  ]
}

function some(items: readonly Content[], what: string): Content {
  return items.length > 0 && itemList(items, what)
}

function fileLink(path: string, ids: FileIds): Safe {
  const id = ids.get(path)
  const shown = html`<span class="path">${pathParts(path)}</span>`
  return id === undefined ? shown : html`<a href="#${id}">${shown}</a>`
}
