/** What is known of one candidate: its scores, which terms it holds where, and facts about it. */
import { aggregate, NO_SCORE } from '../rank/aggregate.js'
import { NO_PAST } from '../rank/past-scores.js'
import type { PathFacts } from '../rank/path-facts.js'
import type { FileView } from '../rank/signals.js'
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import { sumsOf } from './candidates.js'
import type { FirstScores, Scores } from './scoring.js'
import type { TaskFacts } from './task-facts.js'

/** One candidate before it is rated. */
export interface Candidate {
  readonly id: FileId
  readonly view: FileView
  /** Bit t: the file holds terms[t]. */
  readonly mask: number
}

export function fileView(
  index: IndexReader,
  scores: FirstScores,
  options: {
    readonly id: FileId
    readonly facts: TaskFacts
    readonly factsOf: (file: FileId) => PathFacts
  },
): Candidate {
  const { id, facts } = options
  const sums = sumsOf(index, scores, id)
  const first = index.documents.firstChunk[id]!
  const chunks = index.documents.chunkCount[id]! // candidates are live files
  const path = index.pathOf(id)
  const masks = fileMasks(index, scores, id)
  const similarities = new Float64Array(chunks)
  for (let i = 0; i < chunks; i++) similarities[i] = Math.max(0, scores.similarity(first + i))
  const view: FileView = {
    path,
    facts: options.factsOf(id),
    body: sums?.body ?? NO_SCORE,
    names: sums?.names ?? NO_SCORE,
    comment: sums?.comment ?? NO_SCORE,
    wholeFile: scores.wholeFile[id]!,
    fileName: scores.fileName[id]!,
    folder: scores.folder[id]!,
    cosine: aggregate(similarities, 0, chunks),
    titleCosine: Math.max(0, scores.titleSimilarity(id)),
    coverage: covered(scores, masks.any),
    nameCoverage: covered(scores, masks.names),
    chunkCoverage: masks.bestChunk,
    rarest: rarest(scores, masks),
    matchedTerms: bits(masks.any),
    fileNameFit: fit(scores.fileNameMask[id]!, index.documents.fileLengths[0][id]!),
    nameFit: masks.nameFit,
    definedSymbols: facts.definers.get(id) ?? [],
    isNamed: facts.named.has(id),
    mention: facts.mentions.get(id) ?? '',
    mentionedLines: facts.lines.get(id) ?? [],
    pointedAtBy: facts.pointedAt.get(id) ?? [],
    chunks,
    past: scores.past.files.get(id) ?? NO_PAST,
    commits: index.past.commitsOf(id),
  }
  return { id, view, mask: masks.any }
}

/** Which terms of the query a file holds, as masks, and how well they fit its names. */
interface FileMasks {
  readonly any: number
  readonly names: number
  /** Share of the query's weight in the best chunk, 0..1. */
  readonly bestChunk: number
  /** Share of the words of the best definition name that the query holds, 0..1. */
  readonly nameFit: number
}

function fileMasks(index: IndexReader, scores: Scores, id: FileId): FileMasks {
  const first = index.documents.firstChunk[id]!
  const end = first + index.documents.chunkCount[id]!
  const nameLengths = index.documents.chunkLengths[1]
  const path = scores.pathMask[id]!
  let any = path
  let names = path
  let bestChunk = 0
  let nameFit = 0
  for (let chunk = first; chunk < end; chunk++) {
    const mask = scores.mask[chunk]!
    if (mask === 0) continue
    const nameMask = scores.nameMask[chunk]!
    any |= mask
    names |= nameMask
    bestChunk = Math.max(bestChunk, covered(scores, mask))
    if (nameMask !== 0) nameFit = Math.max(nameFit, fit(nameMask, nameLengths[chunk]!))
  }
  return { any, names, bestChunk, nameFit }
}

/** Share of the words of a name that are in a mask, 0..1. */
function fit(mask: number, words: number): number {
  return words === 0 ? 0 : Math.min(1, bits(mask) / words)
}

function bits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Whether a file holds the rarest term of the query: 0 no, 1 somewhere, 2 in a name. */
function rarest({ termIdf }: Scores, { any, names }: FileMasks): 0 | 1 | 2 {
  let term = 0
  for (let t = 1; t < termIdf.length; t++) if (termIdf[t]! > termIdf[term]!) term = t
  if ((names & (1 << term)) !== 0) return 2
  return (any & (1 << term)) !== 0 ? 1 : 0
}

/** Share of the query's weight in the terms of a mask, 0..1. */
function covered({ termIdf, totalIdf }: Scores, mask: number): number {
  if (totalIdf === 0) return 0
  let sum = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += termIdf[31 - Math.clz32(rest & -rest)]!
  return sum / totalIdf
}
