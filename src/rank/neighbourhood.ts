/**
 * What the other candidates of a query say about a file by where they stand: in its folder, near it, under its name.
 * A whole folder that matches is evidence for each file in it, and a file whose header or other half matches, too.
 * Figures: docs/decisions/0015-neighbourhood-and-titles.md.
 */
import { posix } from 'node:path'

/** A candidate with what it is compared by, each a share of the best candidate's, 0..1. */
export interface Neighbour {
  readonly path: string
  readonly words: number
  readonly cosine: number
  readonly past: number
}

/** Shares are 0..1, and 0 where there is no such candidate. The file itself never counts. */
export interface Neighbourhood {
  /** Part of the candidates that stands in the file's folder. */
  readonly inFolder: number
  /** Largest shares in the file's folder, and means. */
  readonly folderWords: number
  readonly folderCosine: number
  readonly folderPast: number
  readonly folderMeanWords: number
  readonly folderMeanCosine: number
  /** Mean shares of all candidates, those half as much that are one folder further away. */
  readonly nearWords: number
  readonly nearCosine: number
  readonly nearPast: number
  /** Largest shares among files of the same name but for ending and "test". */
  readonly namesakeWords: number
  readonly namesakeCosine: number
}

// Beyond so many folders a candidate counts next to nothing: 1/256.
const FARTHEST = 8

const SUFFIX = /[-_.]?(?:tests?|specs?|impls?|internals?)$/
const PREFIX = /^test[-_]/

/** Of several candidates: their number, each counting as much as it is near, and the sums of their shares. */
interface Sums {
  readonly weight: number
  readonly words: number
  readonly cosine: number
  readonly past: number
}

interface Folder extends Sums {
  readonly parts: readonly string[]
  readonly files: readonly Neighbour[]
}

export class Neighbourhoods {
  readonly #candidates: number
  readonly #folders: ReadonlyMap<string, Folder>
  readonly #namesakes: ReadonlyMap<string, readonly Neighbour[]>
  readonly #known = new Map<string, Neighbourhood>()
  readonly #around = new Map<string, Sums>()

  /** `candidates` in any order; sums are taken in the order of their paths, so that they do not depend on it. */
  constructor(candidates: readonly Neighbour[]) {
    const sorted = [...candidates].sort((a, b) => (a.path < b.path ? -1 : 1))
    this.#candidates = sorted.length
    this.#folders = new Map(
      [...grouped(sorted, ({ path }) => posix.dirname(path))].map(([name, files]) => [
        name,
        { parts: partsOf(name), files, ...summed(files) },
      ]),
    )
    this.#namesakes = grouped(sorted, ({ path }) => stemOf(path))
  }

  of(path: string): Neighbourhood {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const neighbourhood = this.#look(path)
    this.#known.set(path, neighbourhood)
    return neighbourhood
  }

  #look(path: string): Neighbourhood {
    const folder = posix.dirname(path)
    const inFolder = others(this.#folders.get(folder)?.files ?? [], path)
    const namesakes = others(this.#namesakes.get(stemOf(path)) ?? [], path)
    const own = this.#folders.get(folder)?.files.find((file) => file.path === path)
    return {
      inFolder: inFolder.length / Math.max(1, this.#candidates),
      folderWords: largest(inFolder, ({ words }) => words),
      folderCosine: largest(inFolder, ({ cosine }) => cosine),
      folderPast: largest(inFolder, ({ past }) => past),
      folderMeanWords: mean(inFolder, ({ words }) => words),
      folderMeanCosine: mean(inFolder, ({ cosine }) => cosine),
      ...this.#near(folder, own),
      namesakeWords: largest(namesakes, ({ words }) => words),
      namesakeCosine: largest(namesakes, ({ cosine }) => cosine),
    }
  }

  #near(
    folder: string,
    own: Neighbour | undefined,
  ): Pick<Neighbourhood, 'nearWords' | 'nearCosine' | 'nearPast'> {
    const around = this.#sumsAround(folder)
    // The file itself stands in its folder, where a candidate weighs 1.
    const weight = around.weight - (own === undefined ? 0 : 1)
    if (weight <= 0) return { nearWords: 0, nearCosine: 0, nearPast: 0 }
    const rest = (sum: number, part = 0): number => Math.max(0, (sum - part) / weight)
    return {
      nearWords: rest(around.words, own?.words),
      nearCosine: rest(around.cosine, own?.cosine),
      nearPast: rest(around.past, own?.past),
    }
  }

  /** Of all candidates as seen from a folder. */
  #sumsAround(folder: string): Sums {
    const known = this.#around.get(folder)
    if (known !== undefined) return known
    const parts = partsOf(folder)
    const sums = { weight: 0, words: 0, cosine: 0, past: 0 }
    for (const other of this.#folders.values()) {
      const nearness = 1 / (1 << Math.min(distance(parts, other.parts), FARTHEST))
      sums.weight += nearness * other.weight
      sums.words += nearness * other.words
      sums.cosine += nearness * other.cosine
      sums.past += nearness * other.past
    }
    this.#around.set(folder, sums)
    return sums
  }
}

/** Steps from one folder to the other through the tree. */
function distance(a: readonly string[], b: readonly string[]): number {
  let common = 0
  while (common < a.length && common < b.length && a[common] === b[common]) common++
  return a.length + b.length - 2 * common
}

function partsOf(folder: string): readonly string[] {
  return folder === '.' ? [] : folder.split('/')
}

/** The name without ending and what marks the test of a file or its other half. */
function stemOf(path: string): string {
  return posix.basename(path).toLowerCase().replace(/\..*$/, '').replace(SUFFIX, '').replace(PREFIX, '')
}

function others(files: readonly Neighbour[], path: string): readonly Neighbour[] {
  return files.filter((file) => file.path !== path)
}

function largest(files: readonly Neighbour[], of: (file: Neighbour) => number): number {
  return files.reduce((most, file) => Math.max(most, of(file)), 0)
}

function mean(files: readonly Neighbour[], of: (file: Neighbour) => number): number {
  return files.length === 0 ? 0 : files.reduce((sum, file) => sum + of(file), 0) / files.length
}

function summed(files: readonly Neighbour[]): Sums {
  return files.reduce(
    (sum, { words, cosine, past }) => ({
      ...sum,
      words: sum.words + words,
      cosine: sum.cosine + cosine,
      past: sum.past + past,
    }),
    { weight: files.length, words: 0, cosine: 0, past: 0 },
  )
}

function grouped(
  files: readonly Neighbour[],
  keyOf: (file: Neighbour) => string,
): ReadonlyMap<string, readonly Neighbour[]> {
  const groups = new Map<string, Neighbour[]>()
  for (const file of files) {
    const key = keyOf(file)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [file])
    else group.push(file)
  }
  return groups
}
