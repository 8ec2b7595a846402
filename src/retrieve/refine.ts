/**
 * REFINE: what the sure files of a cycle say the next one should look for: symbols they use, words they are about,
 * and a query vector that has moved towards them.
 */
import type { FileId } from '../types.js'
import { discoveredWords, type DiscoveredWord } from './discover.js'
import type { Engine } from './engine.js'
import type { FoundFile } from './found-file.js'
import { missingSymbols, type MissingSymbol } from './missing-context.js'
import type { Nearness } from './nearness.js'

// Files looked into: the best decide, and reading more costs time.
const MAX_SOURCES = 5

export interface Refinement {
  /** Symbols the sure files use and others define, by the path of the file that uses them. */
  readonly missing: ReadonlyMap<string, readonly MissingSymbol[]>
  /** The same, by the file that defines them. */
  readonly pointedAt: ReadonlyMap<FileId, readonly string[]>
  /** Words worth asking for next, nearest to the task first. */
  readonly discovered: readonly DiscoveredWord[]
}

export const NOTHING_REFINED: Refinement = { missing: new Map(), pointedAt: new Map(), discovered: [] }

/** Files not read before, of the sure ones; the best first. */
export function sourcesOf(
  sure: readonly FoundFile[],
  looked: ReadonlyMap<string, unknown>,
): readonly FoundFile[] {
  return sure.slice(0, MAX_SOURCES).filter(({ rated }) => !looked.has(rated.path))
}

/** `before` with what more sources tell. */
export function refine(
  engine: Engine,
  before: Refinement,
  options: {
    readonly sources: readonly FoundFile[]
    readonly nearness: Nearness
    /** Terms of the query. */
    readonly known: ReadonlySet<string>
  },
): Refinement {
  const { vocabulary } = engine
  const { nearness } = options
  const missing = new Map(before.missing)
  const texts: string[] = []
  for (const { rated, matched } of options.sources) {
    const lines = engine.linesOf(rated.path)
    const text = matched
      .map(({ chunk }) => (lines ?? []).slice(chunk.startLine - 1, chunk.endLine).join('\n'))
      .join('\n')
    texts.push(text)
    missing.set(
      rated.path,
      missingSymbols({ file: rated.id, text, lines: lines ?? [] }, { nearness, vocabulary }),
    )
  }
  const known = new Set([...options.known, ...before.discovered.map(({ term }) => term)])
  return {
    missing,
    pointedAt: byDefiner([...missing.values()].flat()),
    discovered: discoveredWords(texts, { known, nearness, vocabulary }),
  }
}

function byDefiner(symbols: readonly MissingSymbol[]): ReadonlyMap<FileId, readonly string[]> {
  const byFile = new Map<FileId, string[]>()
  for (const { definedIn, name } of symbols) {
    const names = byFile.get(definedIn)
    if (names === undefined) byFile.set(definedIn, [name])
    else if (!names.includes(name)) names.push(name)
  }
  return byFile
}
