/** Which files use what confirmed files define, and the other way round; by names. */
import type { Link } from '../rank/feedback-signals.js'
import { identifiersIn, wholeTermOf } from '../text/words.js'
import type { FileId } from '../types.js'
import type { Engine } from './engine.js'
import { DEFINING_KINDS, definingFiles, MIN_NAME_LETTERS } from './definers.js'
import { isRareName } from './rarity.js'

// A name that more files define does not point at any of them.
const MAX_DEFINERS = 3
// Names of a file that are looked up, in order of appearance.
const MAX_NAMES = 400
const MAX_DEFINED = 60

/** A confirmed file with its text. */
export interface Source {
  readonly id: FileId
  readonly path: string
  readonly text: string
}

export interface References {
  /** Sum over the names, each counting 1 / the files that define it. */
  readonly weight: number
  /** The name that counts most, the first of equals, and the confirmed file. */
  readonly link: Link
}

export type ReferencesByFile = ReadonlyMap<FileId, References>

/** Files that define what the sources use. */
export function usedBySources(engine: Engine, sources: readonly Source[]): ReferencesByFile {
  const found = new Map<FileId, Found>()
  for (const { id, path, text } of sources) {
    const names = [...new Set(identifiersIn(text))].filter((name) => name.length >= MIN_NAME_LETTERS)
    for (const name of names.slice(0, MAX_NAMES)) {
      const definers = definingFiles(engine.index, name)
      if (definers.length === 0 || definers.length > MAX_DEFINERS || definers.includes(id)) continue
      for (const file of definers) add(found, file, { name, path, weight: 1 / definers.length })
    }
  }
  return found
}

/** Files that use what the sources define. */
export function usersOfSources(engine: Engine, sources: readonly Source[]): ReferencesByFile {
  const { index, vocabulary } = engine
  const found = new Map<FileId, Found>()
  for (const { id, path } of sources) {
    const symbols = index
      .symbolsOf(id)
      .filter(({ name, kind }) => name.length >= MIN_NAME_LETTERS && DEFINING_KINDS.has(kind))
    for (const name of [...new Set(symbols.map((symbol) => symbol.name))].slice(0, MAX_DEFINED)) {
      const definers = definingFiles(engine.index, name)
      if (definers.length > MAX_DEFINERS || !isRareName(name, vocabulary)) continue
      for (const file of holders(engine, name))
        if (file !== id) add(found, file, { name, path, weight: 1 / Math.max(1, definers.length) })
    }
  }
  return found
}

interface Found {
  weight: number
  most: number
  link: Link
}

function add(
  found: Map<FileId, Found>,
  file: FileId,
  { weight, ...link }: Link & { readonly weight: number },
): void {
  const known = found.get(file)
  if (known === undefined) {
    found.set(file, { weight, most: weight, link })
    return
  }
  known.weight += weight
  if (weight <= known.most) return
  known.most = weight
  known.link = link
}

/** Files that hold a name, as the keyword index spells it. */
function holders({ index }: Engine, name: string): ReadonlySet<FileId> {
  const { ids, length } = index.postings('chunks', wholeTermOf(name))
  const files = new Set<FileId>()
  for (let i = 0; i < length; i++) {
    const file = index.documents.fileOf[ids[i]!]!
    if (file > 0) files.add(file as FileId)
  }
  return files
}
