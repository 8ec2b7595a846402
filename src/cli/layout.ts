/**
 * Fitting text to a terminal: lines wrapped at its width, paths linked to their files. For a terminal only: what is piped
 * is never cut, wrapped or linked. The libraries that count widths are loaded when there is a terminal.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isColourUnwanted } from '../config.js'

export interface Layout {
  /** Wraps one line, colours and links included; what goes on below is indented by `hang` (default: as the line is). */
  readonly fit: (line: string, hang?: number) => string
  /** Columns a text takes: two for each wide character. */
  readonly width: (text: string) => number
  /** `shown` as a link to a file of the root, where the terminal knows links. */
  readonly link: (shown: string, path: string) => string
}

/** A pipe, or a terminal that does not tell its width. */
export const PLAIN: Layout = {
  fit: (line) => line,
  width: (text) => text.length,
  link: (shown) => shown,
}

// Narrower, every word has a line of its own: the terminal wraps as it likes.
const LEAST_COLUMNS = 30

/** Of the terminal on standard output. `root`: what paths are relative to. */
export async function layoutOf(root: string): Promise<Layout> {
  const { supportsHyperlink } = await import('supports-hyperlinks')
  const isLinking = !isColourUnwanted() && supportsHyperlink(process.stdout)
  const { columns = 0 } = process.stdout as { readonly columns?: number } // undefined where there is no terminal
  return layoutFor({ columns, isLinking, root })
}

export async function layoutFor(terminal: {
  readonly columns: number
  readonly isLinking: boolean
  readonly root: string
}): Promise<Layout> {
  const { columns, isLinking, root } = terminal
  const [{ default: wrapAnsi }, { default: stringWidth }] = await Promise.all([
    import('wrap-ansi'),
    import('string-width'),
  ])
  const fit = (line: string, hang?: number): string => {
    const [, colours = '', spaces = '', body = ''] = LEADING.exec(line) ?? []
    const indent = hang ?? spaces.length
    const wrapped = wrapAnsi(colours + body, columns - Math.max(indent, spaces.length), { hard: true })
    return spaces + wrapped.replaceAll('\n', `\n${' '.repeat(indent)}`)
  }
  return {
    fit: columns >= LEAST_COLUMNS ? fit : PLAIN.fit,
    width: stringWidth,
    link: isLinking ? (shown, path) => linked(shown, pathToFileURL(join(root, path)).href) : PLAIN.link,
  }
}

// Colours that begin before the spaces of a line, the spaces, the rest.
const LEADING = /^((?:\u001b\[[\d;]*m)*)( *)(.*)$/s

/** OSC 8, as https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda has it. */
function linked(text: string, url: string): string {
  return `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`
}
