/** One file of an answer: how relevant, why, what moved the rating, what it needs, and its lines. */
import { evidenceInWords, type AnswerFile, type EvidenceInWords } from '../../index.js'
import { cycleId } from './cycles.js'
import { excerpts, type ExcerptOptions } from './excerpt.js'
import { html, type Safe } from './markup.js'
import { needsList } from './missing.js'
import { numeral, pathParts, shareBar, signed, signedBar, type Scale } from './pieces.js'

export interface FileOptions extends ExcerptOptions {
  readonly id: string
  /** By which the bars of evidence of all files are drawn. */
  readonly scale: Scale
  /** Every signal by itself, not the kinds alone. */
  readonly isExplained: boolean
  /** Whether the answer tells of its cycles. */
  readonly hasCycles: boolean
}

export function fileArticle(file: AnswerFile, options: FileOptions): Safe {
  const { path, ranges, reason, missingContext, evidence } = file
  const { id } = options
  return html`<article class="file" id="${id}" aria-labelledby="${id}-path">
    <h3 id="${id}-path">${pathParts(path)}</h3>
    ${rating(file, options)}
    <div class="two">
      <div>${reasonsList(reason)} ${needsList(missingContext)}</div>
      ${evidence !== undefined && evidence.length > 0 && html`<div>${evidenceTables(evidenceInWords(evidence), options)}</div>`}
    </div>
    ${excerpts(path, ranges, options)}
  </article> `
}

function rating({ relevance, band, cycle }: AnswerFile, { hasCycles }: FileOptions): Safe {
  const found = html`cycle <span class="cycle">${cycle}</span>`
  return html`<div class="rating">
    ${numeral(relevance, relevance.toFixed(2))}<span class="band">${band}</span>${shareBar(relevance)}<span
      class="soft"
      >found in ${hasCycles ? html`<a href="#${cycleId(cycle)}">${found}</a>` : found}</span
    >
  </div>`
}

/** Its phrases one by one: they are joined by "; ", strongest first. */
export function reasonsList(reason: string): Safe {
  return html`<ul class="reasons">
    ${reason.split('; ').map((phrase) => html`<li>${phrase}</li>`)}
  </ul>`
}

function evidenceTables(kinds: readonly EvidenceInWords[], { scale, isExplained }: FileOptions): Safe {
  return html`<table class="kinds">
      <caption>
        What moved the rating (log-odds)
      </caption>
      <tbody>
        ${tellingKinds(kinds).map(
          ({ kind, effect }) =>
            html`<tr>
              <th scope="row">${kind}</th>
              <td>${signedBar(effect, scale)}</td>
              <td class="number">${numeral(effect, signed(effect))}</td>
            </tr> `,
        )}
      </tbody>
    </table>
    ${isExplained && signalsTable(kinds)}`
}

// It moves an even chance by a hundredth.
const LEAST_EFFECT = 0.05

/** The kinds that moved the rating, and what is left as one. */
function tellingKinds(
  kinds: readonly EvidenceInWords[],
): readonly Pick<EvidenceInWords, 'kind' | 'effect'>[] {
  const isTelling = ({ effect }: EvidenceInWords): boolean => Math.abs(effect) >= LEAST_EFFECT
  const rest = kinds.filter((kind) => !isTelling(kind))
  if (rest.length < 2) return kinds
  const effect = Number(rest.reduce((sum, kind) => sum + kind.effect, 0).toFixed(4)) // as all effects are
  return [...kinds.filter(isTelling), { kind: `${rest.length} others together`, effect }]
}

function signalsTable(kinds: readonly EvidenceInWords[]): Safe {
  const signals = kinds.flatMap((kind) => kind.signals)
  return html`<details>
    <summary>All ${signals.length} signals</summary>
    <table class="signals">
      <thead>
        <tr>
          <th scope="col">signal</th>
          <th scope="col">value</th>
          <th scope="col">effect</th>
        </tr>
      </thead>
      <tbody>
        ${signals.map(
          ({ signal, meaning, value, effect }) =>
            html`<tr>
              <th scope="row">${meaning} <code>${signal}</code></th>
              <td class="number">${numeral(value, value.toFixed(3))}</td>
              <td class="number">${numeral(effect, signed(effect))}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </details>`
}
