/** What an answer lacks after a cycle: symbols its sure files use, and words of the task they leave open. */
import type { MissingContext } from '../types.js'
import type { RatedFile } from './evaluate.js'
import { ADDED_FROM, type FoundFiles } from './found-file.js'
import type { MissingSymbol } from './missing-context.js'

export interface SymbolGaps {
  /** The files, each with what it lacks. */
  readonly files: FoundFiles
  /** The same for the whole answer, each symbol once. */
  readonly gaps: readonly MissingContext[]
}

/**
 * A symbol is no gap once the file that defines it is part of the answer (at 0.5 or more). Critical when that file would
 * be, followed: its rating is among the prospects.
 */
export function symbolGaps(
  files: FoundFiles,
  missing: ReadonlyMap<string, readonly MissingSymbol[]>,
  prospects: readonly RatedFile[],
): SymbolGaps {
  const worthy = new Set(prospects.filter(({ relevance }) => relevance >= ADDED_FROM).map(({ path }) => path))
  const isInAnswer = (path: string): boolean => (files.get(path)?.rated.relevance ?? 0) >= ADDED_FROM
  const marked = new Map(files)
  const gaps = new Map<string, MissingContext>()
  for (const [path, symbols] of missing) {
    const found = files.get(path)
    if (found === undefined) continue
    const open = symbols
      .filter((symbol) => !isInAnswer(symbol.path))
      .map(({ name, path: definedIn }): MissingContext => {
        return { kind: 'symbol', name, definedIn, critical: worthy.has(definedIn) }
      })
    marked.set(path, { ...found, missing: open })
    for (const gap of open) if (!gaps.has(gap.name)) gaps.set(gap.name, gap)
  }
  return { files: marked, gaps: [...gaps.values()] }
}
