/** What is missing: of one file, and of the whole answer. */
import type { MissingContext } from '../../index.js'
import { html, type Safe } from './markup.js'

const CRITICAL = html` <span class="critical">critical</span>`

export function needsList(missing: readonly MissingContext[]): Safe | false {
  if (missing.length === 0) return false
  return html`<ul class="needs">
    ${missing.map(
      ({ name, definedIn, critical }) =>
        html`<li>
          needs
          <code>${name}</code
          >${definedIn !== undefined && html` <span class="soft">of</span> <code class="defined-in">${definedIn}</code>`}${critical && CRITICAL}
        </li>`,
    )}
  </ul>`
}

export function gapsSection(gaps: readonly MissingContext[]): Safe {
  return html`<section id="missing" aria-labelledby="missing-title">
    <h2 id="missing-title">Still missing</h2>
    ${
      gaps.length === 0
        ? html`<p>Nothing that hone knows of.</p>`
        : html`<ul class="gaps">
            ${gaps.map(gapItem)}
          </ul>`
    }
  </section> `
}

function gapItem({ kind, name, definedIn, critical }: MissingContext): Safe {
  const what =
    kind === 'symbol'
      ? html`symbol <code>${name}</code>, used
          here${definedIn !== undefined && html`, defined in <code class="defined-in">${definedIn}</code>`}`
      : html`word <code>${name}</code> of the task, which no file here is sure to be about`
  return html`<li>${what}${critical && CRITICAL}</li>`
}
