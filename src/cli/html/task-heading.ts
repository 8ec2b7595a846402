/** The task as the heading of a page: its beginning, and the whole where that says more. */
import { html, type Safe } from './markup.js'

// Three lines of a heading.
const MAX_HEADING = 140

/** The first line that says something, shortened; a task has one. */
export function titleOf(task: string): string {
  const first = task.trim().split('\n')[0]?.trim() ?? ''
  const characters = Array.from(first)
  return characters.length <= MAX_HEADING
    ? first
    : `${characters
        .slice(0, MAX_HEADING - 1)
        .join('')
        .trimEnd()}\u2026`
}

export function taskHeading(task: string): Safe {
  const title = titleOf(task)
  const whole = task.trim()
  return html`<h1>${title}</h1>
    ${
      title !== whole &&
      html`<details class="whole">
        <summary>The whole task</summary>
        <pre>${whole}</pre>
      </details>`
    }`
}
