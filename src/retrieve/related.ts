/**
 * What belongs to a place in the code: chunks that mean the same, files that changed together with it, names used in
 * one direction or the other. One result a file, with the reasons. Not a probability: see `relatedness`.
 */
import { coChanged } from '../rank/co-change.js'
import type { ChunkId, FileId } from '../types.js'
import type { Engine } from './engine.js'
import type { MatchedChunk } from './ranges.js'
import { referencesTo, usesOf, type Reference, type SourcePlace } from './references.js'

/** Why a file belongs to the place; each part 0..1. */
export interface RelatedParts {
  /** Cosine of its nearest chunk with the place. */
  readonly similar: number
  /** How often both changed together (rank/co-change.ts). */
  readonly together: number
  /** Names of the place's that it uses. */
  readonly usedBy: readonly string[]
  /** Names it defines and the place uses. */
  readonly uses: readonly string[]
}

export interface RelatedFile {
  readonly file: FileId
  readonly path: string
  /** 0..1, to order by; comparable within one answer. */
  readonly relatedness: number
  readonly parts: RelatedParts
  readonly matched: readonly MatchedChunk[]
}

// Nearest chunks looked at; about four to a file that can be shown.
const NEAREST_CHUNKS = 240
// Chunks of a file worth showing.
const MAX_CHUNKS = 3
// Cosine below which chunks of one repository are alike by chance (half of all pairs), and how much stays for the rest.
const ALIKE_FROM = 0.3
// What each kind of evidence is worth at most: docs/decisions/0008-related-code.md has how they were chosen.
const WORTH = { similar: 0.6, together: 0.9, reference: 0.45 } as const
// Half of a reference's worth at one name.
const NAMES_AT_HALF = 1
// Half of what a shared past says at so many commits: one commit together is chance as often as not.
const COMMITS_AT_HALF = 2

/** Files that belong to the places, best first, ties by path; the files of the places themselves are left out. */
export function related(
  engine: Engine,
  places: readonly SourcePlace[],
  options: { readonly accepts: (file: FileId) => boolean },
): readonly RelatedFile[] {
  const own = new Set(places.map(({ file }) => file))
  const accepts = (file: FileId): boolean => !own.has(file) && options.accepts(file)
  const found = new Found(engine, accepts)
  addSimilar(engine, places, found)
  for (const { file } of places) addTogether(engine, file, found)
  for (const place of places) {
    for (const reference of usesOf(engine, place)) found.refer('uses', reference)
    for (const reference of referencesTo(engine, place, accepts)) found.refer('usedBy', reference)
  }
  return found.ranked()
}

/** What changed together, less sure the fewer the commits are. */
function addTogether({ index: { past } }: Engine, file: FileId, found: Found): void {
  for (const { file: other, weight } of coChanged(past, file)) {
    const commits = Math.min(past.commitsOf(file), past.commitsOf(other))
    found.together(other, weight * (commits / (commits + COMMITS_AT_HALF)))
  }
}

/** One vector for all places: the direction their chunks have in common. */
function addSimilar({ index }: Engine, places: readonly SourcePlace[], found: Found): void {
  const { fileOf } = index.documents
  const query = centroid(
    places.flatMap(({ chunks }) => chunks.map(({ id }) => index.vectors.vector(id))),
    index.settings.dimensions,
  )
  const { nearest, similarity } = index.vectorIndex.search(
    query,
    NEAREST_CHUNKS,
    (chunk) => fileOf[chunk]! > 0 && found.accepts(fileOf[chunk] as FileId), // 0: of a file that is gone
  )
  for (const { chunk, similarity: cosine } of nearest) found.similar(fileOf[chunk] as FileId, chunk, cosine)
  found.similarity = similarity
}

function centroid(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const vector of vectors) for (let d = 0; d < dimensions; d++) sum[d]! += vector[d]!
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((x) => x / length)
}

interface Gathered {
  similar: number
  together: number
  readonly uses: Set<string>
  readonly usedBy: Set<string>
  readonly chunks: Map<ChunkId, number>
}

/** Evidence as it comes in, by file. */
class Found {
  readonly #files = new Map<FileId, Gathered>()
  similarity: (chunk: number) => number = () => 0

  constructor(
    private readonly engine: Engine,
    readonly accepts: (file: FileId) => boolean,
  ) {}

  similar(file: FileId, chunk: ChunkId, cosine: number): void {
    const gathered = this.#of(file)
    gathered.similar = Math.max(gathered.similar, cosine)
    gathered.chunks.set(chunk, cosine)
  }

  together(file: FileId, weight: number): void {
    if (!this.accepts(file)) return
    const gathered = this.#of(file)
    gathered.together = Math.max(gathered.together, Math.min(1, weight))
  }

  refer(way: 'uses' | 'usedBy', { name, file, chunk }: Reference): void {
    if (!this.accepts(file)) return
    const gathered = this.#of(file)
    gathered[way].add(name)
    gathered.chunks.set(chunk, 1 + Math.max(0, this.similarity(chunk))) // what is referred to stands before what is alike
  }

  ranked(): readonly RelatedFile[] {
    return [...this.#files]
      .map(([file, gathered]) => this.#toRelated(file, gathered))
      .filter(({ relatedness }) => relatedness > 0)
      .sort((a, b) => b.relatedness - a.relatedness || (a.path < b.path ? -1 : 1))
  }

  #of(file: FileId): Gathered {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const gathered = {
      similar: 0,
      together: 0,
      uses: new Set<string>(),
      usedBy: new Set<string>(),
      chunks: new Map(),
    }
    this.#files.set(file, gathered)
    return gathered
  }

  #toRelated(file: FileId, gathered: Gathered): RelatedFile {
    const { uses, usedBy, similar, together } = gathered
    const parts = { similar, together, uses: [...uses].sort(), usedBy: [...usedBy].sort() }
    const { index } = this.engine
    // Lazily: of hundreds of files ten are shown.
    const matched = (): readonly MatchedChunk[] => this.#best(file, gathered)
    return {
      file,
      path: index.pathOf(file),
      relatedness: relatednessOf(parts),
      parts,
      get matched() {
        return matched()
      },
    }
  }

  /** The chunks that say why; for a file that only changed together with the place, its nearest. */
  #best(file: FileId, { chunks }: Gathered): readonly MatchedChunk[] {
    const { index } = this.engine
    const scored = chunks.size > 0 ? [...chunks] : [this.#nearestIn(file)]
    return scored
      .sort(([a, m], [b, n]) => n - m || a - b)
      .slice(0, MAX_CHUNKS)
      .map(([id, score]) => ({ chunk: index.chunk(id), score }))
  }

  #nearestIn(file: FileId): readonly [ChunkId, number] {
    const first = this.engine.index.documents.firstChunk[file]!
    const count = this.engine.index.documents.chunkCount[file]! // a live file
    let best: readonly [ChunkId, number] = [first as ChunkId, this.similarity(first)]
    for (let id = first + 1; id < first + count; id++) {
      const cosine = this.similarity(id)
      if (cosine > best[1]) best = [id as ChunkId, cosine]
    }
    return best
  }
}

/** Independent reasons add up as chances do: 1 - (1 - a)(1 - b)(1 - c). */
export function relatednessOf({ similar, together, uses, usedBy }: RelatedParts): number {
  const names = uses.length + usedBy.length
  const parts = [
    WORTH.similar * Math.max(0, (similar - ALIKE_FROM) / (1 - ALIKE_FROM)),
    WORTH.together * Math.sqrt(together),
    WORTH.reference * (names / (names + NAMES_AT_HALF)),
  ]
  const score = 1 - parts.reduce((rest, part) => rest * (1 - Math.min(1, part)), 1)
  return Math.round(score * 1000) / 1000
}
