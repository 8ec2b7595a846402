/** The words an answer was found by, and how each came to be looked for. */
import type { CycleReport } from '../../index.js'
import { html, type Content, type Safe } from './markup.js'

/** `task`: it stands there; `further`: near to one that does (bridged), or discovered on the way. */
export type WordOrigin = 'task' | 'further'

export type LookedFor = ReadonlyMap<string, WordOrigin>

export function lookedFor(cycles: readonly CycleReport[]): LookedFor {
  const further = new Set(
    cycles.flatMap(({ bridged, discovered }) => [...bridged.flatMap(({ to }) => to), ...discovered]),
  )
  const words = cycles.flatMap(({ query }) => query.keywords)
  return new Map(words.map((word) => [word, further.has(word) ? 'further' : 'task']))
}

/** Text marked as a word of this origin. */
export function marked(text: Content, origin: WordOrigin): Safe {
  return origin === 'task' ? html`<mark>${text}</mark>` : html`<mark class="further">${text}</mark>`
}

/** What the marks in the excerpts mean; nothing where nothing can be marked. */
export function legend(words: LookedFor): Safe | false {
  const origins = new Set(words.values())
  if (origins.size === 0) return false
  return html`<p class="legend">
    In the code:
    ${origins.has('task') && marked('words of the task', 'task')}${origins.size === 2 && ', '}${origins.has('further') && marked('words bridged or discovered on the way', 'further')}.
  </p>`
}
