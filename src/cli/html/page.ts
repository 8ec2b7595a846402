/** The frame of a page: one file that needs nothing else, may load nothing and runs no script. */
import { sha256Hasher } from '../../digest.js'
import { html, LINE_END, trusted, type Safe } from './markup.js'
import { STYLE } from './style.js'

export interface Page {
  readonly title: string
  readonly header: Safe
  /** Beside the content on a wide screen, before it on a narrow one. */
  readonly rail: Safe | false
  readonly sections: readonly (Safe | false)[]
}

/** The id of what the skip link leads to. */
const MAIN = 'answer'

export function page({ title, header, rail, sections }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${trusted(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#${MAIN}">Skip to the answer</a>
        <header class="top">${header}</header>
        <div class="columns${rail !== false && ' railed'}">
          ${rail}
          <main id="${MAIN}" tabindex="-1">${sections}</main>
        </div>
      </body>
    </html>
    ${LINE_END}`.markup
}

/** Nothing is loaded, nothing is run, nothing is sent; the one style sheet is the one that was written. */
function policy(): string {
  const digest = sha256Hasher().update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`
}
