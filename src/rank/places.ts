/** What two paths have in common. */
import { posix } from 'node:path'
import { partsOf } from '../text/words.js'

export interface PlaceFacts {
  /** Whether they stand in one folder. */
  readonly isSameFolder: boolean
  /** Leading folders in common over those of the deeper one, 0..1. */
  readonly nearness: number
  /** Whether their names are the same but for endings and marks of a test: x.c and x.h, x.ts and x.test.ts. */
  readonly isSameStem: boolean
  /** Words of their names in common over all words of both, 0..1. */
  readonly nameOverlap: number
}

export const NO_PLACE: PlaceFacts = { isSameFolder: false, nearness: 0, isSameStem: false, nameOverlap: 0 }

/** A path taken apart once, to be compared with many. */
export interface Place {
  readonly folder: string
  readonly folders: readonly string[]
  readonly stem: string
  readonly words: ReadonlySet<string>
  readonly ending: string
}

// Words by which a test, a header or a part is told from what it belongs to.
const MARKS: ReadonlySet<string> = new Set(['test', 'tests', 'spec', 'bench', 'stories', 'impl', 'internal'])

export function placeOf(path: string): Place {
  const folder = posix.dirname(path)
  const base = posix.basename(path)
  const words = partsOf(base.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}]+/gu, '_'))
  const telling = words.filter((word) => !MARKS.has(word))
  const kept = telling.length > 0 ? telling : words
  return {
    folder,
    folders: folder === '.' ? [] : folder.split('/'),
    stem: kept.join(''),
    words: new Set(kept),
    ending: posix.extname(base),
  }
}

export function placeFacts(a: Place, b: Place): PlaceFacts {
  let common = 0
  while (common < a.folders.length && a.folders[common] === b.folders[common]) common++
  const deepest = Math.max(a.folders.length, b.folders.length)
  return {
    isSameFolder: a.folder === b.folder,
    nearness: deepest === 0 ? 1 : common / deepest,
    isSameStem: a.stem !== '' && a.stem === b.stem,
    nameOverlap: overlap(a.words, b.words),
  }
}

/** Jaccard index, 0..1. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const item of a) if (b.has(item)) both++
  const all = a.size + b.size - both
  return all === 0 ? 0 : both / all
}
