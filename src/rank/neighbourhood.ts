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

// With nearness down to 1/256 and a few thousand candidates a sum takes all bits that a number has.
const SHARE_STEPS = 2 ** 32

const SUFFIX = /[-_.]?(?:tests?|specs?|impls?|internals?)$/
const PREFIX = /^test[-_]/

/** Of several candidates: their number, each counting as much as it is near, and the sums of their shares. */
interface Sums {
  readonly weight: number
  readonly words: number
  readonly cosine: number
  readonly past: number
}

/** A candidate with its folder and the name by which others are its namesakes. */
interface Placed extends Neighbour {
  readonly folder: string
  readonly stem: string
}

interface Folder extends Sums {
  readonly chain: Chain
  readonly files: readonly Placed[]
}

export class Neighbourhoods {
  readonly #candidates: ReadonlyMap<string, Placed>
  readonly #folders: ReadonlyMap<string, Folder>
  readonly #namesakes: ReadonlyMap<string, readonly Placed[]>
  readonly #known = new Map<string, Neighbourhood>()
  readonly #around = new Map<string, Sums>()
  readonly #chains = new Map<string, Chain>()

  /** `candidates` in any order. */
  constructor(candidates: readonly Neighbour[]) {
    const placed = candidates.map(placedAt)
    this.#candidates = new Map(placed.map((one) => [one.path, one]))
    this.#folders = new Map(
      [...grouped(placed, ({ folder }) => folder)].map(([name, files]) => [
        name,
        { chain: this.#chainOf(name), files, ...summed(files) },
      ]),
    )
    this.#namesakes = grouped(placed, ({ stem }) => stem)
  }

  of(path: string): Neighbourhood {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const neighbourhood = this.#look(path)
    this.#known.set(path, neighbourhood)
    return neighbourhood
  }

  #look(path: string): Neighbourhood {
    const own = this.#candidates.get(path)
    const { folder, stem } = own ?? placeOf(path)
    const inFolder = others(this.#folders.get(folder)?.files ?? [], path)
    const namesakes = others(this.#namesakes.get(stem) ?? [], path)
    return {
      inFolder: inFolder.count / Math.max(1, this.#candidates.size),
      folderWords: inFolder.mostWords,
      folderCosine: inFolder.mostCosine,
      folderPast: inFolder.mostPast,
      folderMeanWords: inFolder.words / Math.max(1, inFolder.count),
      folderMeanCosine: inFolder.cosine / Math.max(1, inFolder.count),
      ...this.#near(folder, own),
      namesakeWords: namesakes.mostWords,
      namesakeCosine: namesakes.mostCosine,
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
    const chain = this.#chainOf(folder)
    const sums = { weight: 0, words: 0, cosine: 0, past: 0 }
    for (const other of this.#folders.values()) {
      const nearness = 1 / (1 << Math.min(distance(chain, other.chain), FARTHEST))
      sums.weight += nearness * other.weight
      sums.words += nearness * other.words
      sums.cosine += nearness * other.cosine
      sums.past += nearness * other.past
    }
    this.#around.set(folder, sums)
    return sums
  }

  #chainOf(folder: string): Chain {
    const known = this.#chains.get(folder)
    if (known !== undefined) return known
    const chain = folder === '.' ? [] : [...this.#chainOf(posix.dirname(folder)), this.#chains.size]
    this.#chains.set(folder, chain)
    return chain
  }
}

/** A folder as the numbers of the folders it lies in, from the top, and its own: numbers are compared faster than names. */
type Chain = readonly number[]

/** Steps from one folder to the other through the tree. */
function distance(a: Chain, b: Chain): number {
  let common = 0
  while (common < a.length && common < b.length && a[common] === b[common]) common++
  return a.length + b.length - 2 * common
}

function placeOf(path: string): Pick<Placed, 'folder' | 'stem'> {
  return { folder: posix.dirname(path), stem: stemOf(path) }
}

/** The name without ending and what marks the test of a file or its other half. */
function stemOf(path: string): string {
  return posix.basename(path).toLowerCase().replace(/\..*$/, '').replace(SUFFIX, '').replace(PREFIX, '')
}

/** Of the files but the one at `path`: how many, and sums and largest of their shares. */
function others(
  files: readonly Neighbour[],
  path: string,
): {
  readonly count: number
  readonly words: number
  readonly cosine: number
  readonly mostWords: number
  readonly mostCosine: number
  readonly mostPast: number
} {
  const found = { count: 0, words: 0, cosine: 0, mostWords: 0, mostCosine: 0, mostPast: 0 }
  for (const file of files) {
    if (file.path === path) continue
    found.count++
    found.words += file.words
    found.cosine += file.cosine
    found.mostWords = Math.max(found.mostWords, file.words)
    found.mostCosine = Math.max(found.mostCosine, file.cosine)
    found.mostPast = Math.max(found.mostPast, file.past)
  }
  return found
}

/** Its shares in steps so small that they mean nothing, and so even that sums of them are exact: in any order the same. */
function placedAt({ path, words, cosine, past }: Neighbour): Placed {
  const { folder, stem } = placeOf(path)
  return { path, folder, stem, words: inSteps(words), cosine: inSteps(cosine), past: inSteps(past) }
}

function inSteps(share: number): number {
  return Math.round(share * SHARE_STEPS) / SHARE_STEPS
}

function summed(files: readonly Neighbour[]): Sums {
  const sums = { weight: files.length, words: 0, cosine: 0, past: 0 }
  for (const { words, cosine, past } of files) {
    sums.words += words
    sums.cosine += cosine
    sums.past += past
  }
  return sums
}

function grouped(
  files: readonly Placed[],
  keyOf: (file: Placed) => string,
): ReadonlyMap<string, readonly Placed[]> {
  const groups = new Map<string, Placed[]>()
  for (const file of files) {
    const key = keyOf(file)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [file])
    else group.push(file)
  }
  return groups
}
