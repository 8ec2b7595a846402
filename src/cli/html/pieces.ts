/** Small pieces that several parts of a page use. */
import { html, type Content, type Safe } from './markup.js'

/** A path that may break after a slash; its name stands out. */
export function pathParts(path: string): Safe {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return html`${folders.length > 0 && html`<span class="dir">${folders.map((folder) => html`${folder}/<wbr />`)}</span>`}<span
      class="name"
      >${name}</span
    >`
}

/** A number as it is read, and as it is. */
export function numeral(value: number, shown: string): Safe {
  return html`<data class="number" value="${value}">${shown}</data>`
}

/** A share, 0..1, as a bar. Says nothing that the number beside it does not. */
export function shareBar(share: number): Safe {
  return bar([
    { className: 'groove', from: 0, to: 1 },
    { className: 'part', from: 0, to: share },
  ])
}

/** From the smallest to the largest of the values that bars are to be compared by; 0 is between. */
export interface Scale {
  readonly least: number
  readonly most: number
}

export function scaleOf(values: readonly number[]): Scale {
  return { least: Math.min(0, ...values), most: Math.max(0, ...values) }
}

/** A value as a bar that begins where the scale has its 0. */
export function signedBar(value: number, { least, most }: Scale): Safe {
  const extent = most - least
  const at = (x: number): number => (extent === 0 ? 0 : (x - least) / extent)
  return bar([
    { className: 'groove', from: at(0) - GROOVE / 2, to: at(0) + GROOVE / 2 },
    { className: value < 0 ? 'against' : 'part', from: at(Math.min(0, value)), to: at(Math.max(0, value)) },
  ])
}

const WIDTH = 1000 // units of a bar's own measure: a thousandth is less than a pixel
const GROOVE = 0.006 // the line at 0

interface BarPart {
  readonly className: string
  readonly from: number
  readonly to: number
}

// Not a <div> with a width: the page's policy allows no style attributes.
function bar(parts: readonly BarPart[]): Safe {
  const rects = parts.map(({ className, from, to }) => {
    const [x, end] = [from, to].map((part) => Math.round(Math.min(1, Math.max(0, part)) * WIDTH)) as [
      number,
      number,
    ]
    return html`<rect class="${className}" x="${x}" width="${end - x}" height="1" fill="currentColor" />`
  })
  return html`<svg
    class="bar"
    viewBox="0 0 ${WIDTH} 1"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${rects}
  </svg>`
}

/** "1 file", "2 files". */
export function counted(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`
}

/** With its sign, two decimals. */
export function signed(value: number): string {
  return `${value < 0 ? '\u2212' : '+'}${Math.abs(value).toFixed(2)}`
}

// More are skimmed at best: they are there when asked for.
const MAX_INLINE = 24

/** Items in a row, or when they are many behind their number. */
export function itemList(items: readonly Content[], what: string): Safe {
  const list = html`<ul class="inline">
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`
  if (items.length <= MAX_INLINE) return list
  return html`<details>
    <summary>${counted(items.length, what)}</summary>
    ${list}
  </details>`
}

/** The id of the article of a file, by its place in the answer. */
export function fileId(i: number): string {
  return `file-${i + 1}`
}

/** The files at a glance, and links to the other parts of the page. */
export function fileRail(
  files: readonly { readonly path: string; readonly value: number }[],
  links: readonly Safe[],
): Safe {
  return html`<nav class="rail" aria-label="On this page">
    <ol>
      ${files.map(
        ({ path, value }, i) =>
          html`<li>
            <a href="#${fileId(i)}"
              >${numeral(value, value.toFixed(2))}<span>${pathParts(path)}</span>${shareBar(value)}</a
            >
          </li>`,
      )}
    </ol>
    <ul>
      ${links.map((link) => html`<li>${link}</li>`)}
    </ul>
  </nav>`
}
