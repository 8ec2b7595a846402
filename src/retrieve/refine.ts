/**
 * REFINE: what the sure files of a cycle say the next one should look for.
 */
import type { FileId } from '../types.js'
import type { Engine } from './engine.js'
import { missingSymbols, usedSymbols, type MissingSymbol } from './missing-context.js'
import type { FoundFile } from './found-file.js'

// Cosine of a name with the task from which it counts as near: nine in ten names of unrelated code lie below
// (docs/decisions/0006-static-embedding.md).
const NEAR = 0.22
// Names discovered in one cycle; more drown the ones that matter.
const MAX_DISCOVERED = 8
// Files looked into: the best decide, and reading more costs time.
const MAX_SOURCES = 5

export interface Refinement {
  /** Symbols the sure files use, by the path of the file that uses them. */
  readonly missing: ReadonlyMap<string, readonly MissingSymbol[]>
  /** The same, by the file that defines them. */
  readonly pointedAt: ReadonlyMap<FileId, readonly string[]>
  /** Names worth asking for next, nearest first. */
  readonly discovered: readonly string[]
}

export async function refine(
  engine: Engine,
  sources: readonly FoundFile[],
  queryVector: Float32Array,
): Promise<Refinement> {
  const missing = new Map<string, readonly MissingSymbol[]>()
  for (const source of sources.slice(0, MAX_SOURCES)) {
    const text = matchedText(engine, source)
    if (text === undefined) continue
    const used = usedSymbols(engine.index, source.rated.id, text)
    const nearness = await nearnessTo(
      engine,
      used.map(({ name }) => name),
      queryVector,
    )
    missing.set(
      source.rated.path,
      missingSymbols(engine.index, used, { vocabulary: engine.vocabulary, nearness }),
    )
  }
  const all = [...missing.values()].flat()
  return { missing, pointedAt: byDefiner(all), discovered: discoveredNames(all) }
}

/** The lines of a file's matched chunks as they are on disk, or undefined when it cannot be read. */
function matchedText(engine: Engine, { rated, matched }: FoundFile): string | undefined {
  const lines = engine.linesOf(rated.path)
  if (lines === undefined) return undefined
  return matched.map(({ chunk }) => lines.slice(chunk.startLine - 1, chunk.endLine).join('\n')).join('\n')
}

/** Embeds names once each and gives their nearness to the task; 0 below NEAR. */
async function nearnessTo(
  engine: Engine,
  names: readonly string[],
  queryVector: Float32Array,
): Promise<(name: string) => number> {
  const vectors = await engine.embedder.embed(names)
  const nearness = new Map<string, number>()
  names.forEach((name, i) => {
    let dot = 0
    const at = i * engine.embedder.dimensions
    for (let d = 0; d < queryVector.length; d++) dot += queryVector[d]! * vectors[at + d]!
    if (dot >= NEAR) nearness.set(name, dot)
  })
  return (name) => nearness.get(name) ?? 0
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

function discoveredNames(symbols: readonly MissingSymbol[]): readonly string[] {
  const sorted = [...symbols].sort((a, b) => b.nearness - a.nearness || (a.name < b.name ? -1 : 1))
  return [...new Set(sorted.map(({ name }) => name))].slice(0, MAX_DISCOVERED)
}
