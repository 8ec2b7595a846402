/** What standard output is, decided once for every command that prints answers. */
import { isatty } from 'node:tty'
import { isColourUnwanted } from '../config.js'
import type { Format, FormatOptions } from './format.js'
import { layoutOf, PLAIN } from './layout.js'
import { visibleLines } from './visible.js'

export interface Output extends Required<Pick<FormatOptions, 'isColoured' | 'layout'>> {
  /** What was written in a format, as it may be shown where it is printed. Text and JSON are harmless as they are. */
  readonly shown: (text: string) => string
}

/** `root`: what paths in the output are relative to. */
export async function outputFor(root: string, as: Format): Promise<Output> {
  // Not stdout.isTTY: where there is no terminal it is undefined, which picocolors takes as "decide yourself".
  const isTerminal = isatty(process.stdout.fd)
  return {
    isColoured: isTerminal && !isColourUnwanted(),
    layout: isTerminal && as === 'text' ? await layoutOf(root) : PLAIN,
    // Programs get paths and code as they are; people do not get what their terminal would obey.
    shown: isTerminal && as !== 'text' && as !== 'json' ? visibleLines : (text) => text,
  }
}
