/**
 * The style sheet of a page. Two themes by custom properties; a test holds their contrast (WCAG AA) in a browser.
 * No url(), no @import: the page's own policy would refuse them.
 */

/** As it stands in the page; its digest is what the page's policy allows. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --ink: #21201c; --soft: #68645b; --line: #e3dfd5; --wash: #f5f2ea;
  --accent: #11656b; --bar: #2b8187; --against: #a8562b; --mark: #ffe9a3; --strict: #9a3412;
  --serif: "Iowan Old Style", Charter, "Bitstream Charter", "Palatino Linotype", Georgia, "Liberation Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #181816; --ink: #e7e3da; --soft: #a6a094; --line: #35332e; --wash: #21201d;
    --accent: #79c9c6; --bar: #57a9a7; --against: #d98a5c; --mark: #5b4a13; --strict: #f3a27d;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 82rem; padding: 2.5rem clamp(1rem, 4vw, 3rem) 4rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: 1rem; top: -5rem; padding: .5rem .9rem; background: var(--paper); border: 1px solid var(--accent); z-index: 1; }
.skip:focus { top: 1rem; }
code, pre, .path { font-family: var(--mono); font-size: .875em; }
h1, h2, h3, p, ul, ol, dl, dd, pre, table, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2 { font: 600 1.35rem/1.3 var(--serif); }
.soft, .brand, dt, caption, .dir { color: var(--soft); }

.top { padding-bottom: 2rem; border-bottom: 1px solid var(--line); }
.brand { font: 600 .875rem/1 var(--mono); margin-bottom: 1.6rem; }
h1 { font: 500 clamp(1.6rem, 1.1rem + 2vw, 2.5rem)/1.2 var(--serif); max-width: 30em; text-wrap: balance; }
.outcome { margin-top: .9rem; max-width: 60em; text-wrap: pretty; }
.whole { margin-top: .8rem; max-width: 60em; }
.whole pre { white-space: pre-wrap; padding: .8rem 1rem; background: var(--wash); margin-top: .5rem; }
.notes { margin-top: 1.4rem; display: grid; gap: .4rem; max-width: 60em; }
.notes li { border-left: 3px solid var(--against); padding-left: .8rem; }
.notes code { display: block; color: var(--soft); font-size: .75rem; }

.columns { display: grid; gap: 2.5rem; margin-top: 2rem; grid-template-columns: minmax(0, 1fr); }
.columns:not(.railed) { max-width: 60rem; }
@media (min-width: 62rem) {
  .columns.railed { grid-template-columns: minmax(13rem, 17rem) minmax(0, 1fr); gap: clamp(2rem, 4vw, 4rem); }
  .rail { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; padding: 3px; }
}
.rail a { display: block; color: inherit; text-decoration: none; }
.rail a:hover .name { text-decoration: underline; }
.rail ol a { display: grid; align-items: baseline; grid-template-columns: 2.6rem minmax(0, 1fr); padding: .3rem 0; line-height: 1.35; }
.rail .dir { display: block; font-size: .75rem; }
.rail .name { font-family: var(--mono); font-size: .8125rem; }
.rail ul { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.rail ul a { padding: .2rem 0; color: var(--accent); }
.number { font-variant-numeric: tabular-nums; }
.rail .number { font-size: .875rem; }
.bar { display: block; width: 100%; height: 3px; color: var(--bar); }
.rail .bar { grid-column: 1 / -1; margin-top: .25rem; height: 2px; }
.bar .groove { color: var(--line); }
.bar .against { color: var(--against); }

main { display: grid; gap: 3.5rem; min-width: 0; grid-template-columns: minmax(0, 1fr); }
section > h2 { margin-bottom: .4rem; }
.legend { font-size: .875rem; color: var(--soft); }
.file { display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem; padding: 1.8rem 0; border-bottom: 1px solid var(--line); }
.file:last-child { border-bottom: 0; padding-bottom: 0; }
h3 { font: 400 1.0625rem/1.4 var(--mono); }
h3 .name { font-weight: 700; }
.rating { display: grid; grid-template-columns: auto auto minmax(3rem, 1fr) auto; align-items: baseline; gap: .25rem .7rem; }
.rating .number { font: 600 1.375rem/1 var(--serif); font-variant-numeric: lining-nums tabular-nums; }
.rating .bar { align-self: center; height: 5px; }
.band { text-transform: capitalize; font-weight: 600; font-size: .9375rem; }
.two { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 46rem) { .two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
.reasons li { padding-left: 1rem; position: relative; }
.reasons li + li, .needs li + li { margin-top: .25rem; }
.reasons li::before { content: "\\2013"; position: absolute; left: 0; color: var(--soft); }
.reasons li:first-child { font-weight: 600; }
.needs { margin-top: .9rem; font-size: .875rem; }
.defined-in { color: var(--soft); }
.critical { color: var(--strict); font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.35; }
caption { text-align: left; padding-bottom: .3rem; }
th { text-align: left; font-weight: 400; vertical-align: baseline; }
th, td { padding: .16rem 0; }
.kinds th { width: 52%; padding-right: .8rem; }
.kinds .bar { height: 8px; }
td.number { text-align: right; white-space: nowrap; padding-left: .8rem; width: 1%; }
.signals { margin-top: .5rem; }
.signals th { padding-right: .8rem; }
.signals th code { display: block; font-size: .75rem; color: var(--soft); }
.signals tr + tr > * { border-top: 1px solid var(--line); }

summary { cursor: pointer; padding: .3rem 0; }
.excerpts { display: grid; gap: .35rem; grid-template-columns: minmax(0, 1fr); }
.excerpts summary, .excerpts p { font-size: .875rem; }
.excerpts .kind { color: var(--soft); }
.code { background: var(--wash); padding: .7rem 0; margin-bottom: .4rem; font: .8125rem/1.55 var(--mono); white-space: pre-wrap; tab-size: 4; border-radius: 3px; }
.line { display: block; position: relative; padding: 0 1rem 0 4.2rem; unicode-bidi: isolate; }
.line::before { content: attr(data-line); position: absolute; left: 0; width: 3.2rem; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; }
.c { color: var(--soft); font-style: italic; }
.rest { padding: .2rem 1rem 0 4.2rem; color: var(--soft); font-family: var(--sans); }
mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
mark.further { background: none; text-decoration: underline 2px; text-decoration-color: var(--bar); text-underline-offset: .2em; text-decoration-skip-ink: none; }

.steps { margin-top: 1rem; }
.steps > li { position: relative; padding: 0 0 2rem 3rem; border-left: 1px solid var(--line); margin-left: .9rem; }
.steps > li:last-child { border-left-color: transparent; padding-bottom: 0; }
.steps .dot { position: absolute; left: -.9rem; top: -.15rem; width: 1.8rem; height: 1.8rem; border-radius: 50%; border: 1px solid var(--bar); background: var(--paper); text-align: center; font: 600 .875rem/1.7rem var(--mono); color: var(--accent); }
.steps h3 { font: 600 1rem/1.5 var(--sans); }
.pairs { display: grid; gap: .4rem 1.2rem; margin-top: .5rem; grid-template-columns: 8.5rem minmax(0, 1fr); }
.pairs dd { min-width: 0; }
.inline li { display: inline; }
.inline li + li::before { content: "\\b7\\a0"; color: var(--soft); }
.inline li:not(:last-child)::after { content: " "; }
.pairs summary { padding: 0; }
.gaps li { padding: .45rem 0; border-bottom: 1px solid var(--line); }
.gaps { margin-top: .5rem; }
@media (max-width: 40rem) {
  body { padding-top: 1.4rem; }
  .line { padding-left: 3.1rem; padding-right: .6rem; }
  .line::before { width: 2.4rem; }
  .rest { padding-left: 3.1rem; }
  .steps > li { padding-left: 1.9rem; }
  .pairs { grid-template-columns: 6.2rem minmax(0, 1fr); gap: .3rem .8rem; }
  .rail .dir { display: inline; font: .8125rem var(--mono); }
  .rail .bar { display: none; }
  .kinds th { width: 58%; }
}
@media print { .rail, .skip { display: none; } .columns.railed { display: block; } .file { break-inside: auto; } }
`.replace(/\n\s*/g, '')
