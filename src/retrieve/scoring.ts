/**
 * One pass over the posting lists and vectors: scores of chunks and paths for a set of terms and a query vector.
 */
import { addBm25, idf, meanLength, saturated, type FieldLengths, type TermDocuments } from '../rank/bm25.js'
import { pastScores, type PastScores } from '../rank/past-scores.js'
import type { IndexReader } from '../store/index-reader.js'
import type { ChunkId, FileId } from '../types.js'
import type { Dispatched } from './dispatch.js'

/** Scores by chunk id and by file id. Documents that are deleted or not accepted have no score. */
export interface Scores {
  readonly body: Float64Array
  readonly names: Float64Array
  readonly comment: Float64Array
  /** By chunk id: bit t is set when the chunk holds terms[t]; nameMask when a definition name in it does. */
  readonly mask: Int32Array
  readonly nameMask: Int32Array
  /** By file id: BM25 of the file's whole text, of its name and of its folders' names. */
  readonly wholeFile: Float64Array
  readonly fileName: Float64Array
  readonly folder: Float64Array
  /** By file id: terms in the path; in the file name. */
  readonly pathMask: Int32Array
  readonly fileNameMask: Int32Array
  /** idf of each term over chunks. */
  readonly termIdf: readonly number[]
  readonly totalIdf: number
  /** By file, what past commits say. */
  readonly past: PastScores
  /** Chunks nearest to the query vector. */
  readonly nearest: readonly { readonly chunk: ChunkId; readonly similarity: number }[]
  /** Cosine of the query vector with a chunk. */
  readonly similarity: (chunk: number) => number
}

export interface IndexMeans {
  readonly chunk: readonly [FieldLengths, FieldLengths, FieldLengths]
  readonly file: readonly [FieldLengths, FieldLengths]
  /** Words of all chunks of a file. */
  readonly wholeFile: FieldLengths
}

/** Field lengths and their means; the same for every query on one state of an index. */
export function indexMeans(index: IndexReader): IndexMeans {
  const { fileOf, chunkLengths, isLive, fileLengths } = index.documents
  const of = (lengths: FieldLengths['lengths'], live: ArrayLike<number>): FieldLengths => ({
    lengths,
    mean: meanLength(lengths, (id) => (live[id] ?? 0) > 0),
  })
  return {
    chunk: [of(chunkLengths[0], fileOf), of(chunkLengths[1], fileOf), of(chunkLengths[2], fileOf)],
    file: [of(fileLengths[0], isLive), of(fileLengths[1], isLive)],
    wholeFile: of(wholeFileLengths(index), isLive),
  }
}

function wholeFileLengths({ documents }: IndexReader): Float64Array {
  const { fileOf, isLive, chunkLengths } = documents
  const lengths = new Float64Array(isLive.length)
  for (let chunk = 0; chunk < fileOf.length; chunk++) lengths[fileOf[chunk]!]! += chunkLengths[0][chunk]!
  return lengths
}

export function score(
  index: IndexReader,
  { terms, pastTerms }: Pick<Dispatched, 'terms' | 'pastTerms'>,
  options: {
    readonly queryVector: Float32Array
    readonly means: IndexMeans
    readonly accepts: (file: FileId) => boolean
    readonly nearestChunks: number
  },
): Scores {
  const { fileOf, isLive } = index.documents
  const acceptsChunk = (chunk: number): boolean =>
    fileOf[chunk]! > 0 && options.accepts(fileOf[chunk] as FileId)
  const scores = emptyScores(fileOf.length, isLive.length)
  const termIdf = terms.map(({ term, weight }, t) => {
    const documents = index.postings('chunks', term)
    const rarity = idf(index.liveChunks, liveCount(documents, fileOf))
    const accepted = keep(documents, acceptsChunk)
    addTerm(scores, accepted, { bit: 1 << t, weight: weight * rarity, lengths: options.means.chunk })
    addWholeFileTerm(scores, accepted, { fileOf, weight: weight * rarity, lengths: options.means.wholeFile })
    addPathTerm(index, scores, term, { bit: 1 << t, weight, ...options })
    return rarity * weight
  })
  const found = index.vectorIndex.search(options.queryVector, options.nearestChunks, acceptsChunk)
  return {
    ...scores,
    termIdf,
    totalIdf: termIdf.reduce((sum, rarity) => sum + rarity, 0),
    past: pastScores(index.past, pastTerms, options.accepts),
    ...found,
  }
}

type KeywordScores = Omit<Scores, 'termIdf' | 'totalIdf' | 'past' | 'nearest' | 'similarity'>

function emptyScores(chunks: number, files: number): KeywordScores {
  return {
    body: new Float64Array(chunks),
    names: new Float64Array(chunks),
    comment: new Float64Array(chunks),
    mask: new Int32Array(chunks),
    nameMask: new Int32Array(chunks),
    wholeFile: new Float64Array(files),
    fileName: new Float64Array(files),
    folder: new Float64Array(files),
    pathMask: new Int32Array(files),
    fileNameMask: new Int32Array(files),
  }
}

function addTerm(
  scores: KeywordScores,
  documents: TermDocuments,
  options: { readonly bit: number; readonly weight: number; readonly lengths: IndexMeans['chunk'] },
): void {
  const { bit, weight, lengths } = options
  addBm25(scores.body, documents, { field: 0, weight, lengths: lengths[0] })
  addBm25(scores.names, documents, { field: 1, weight, lengths: lengths[1] })
  addBm25(scores.comment, documents, { field: 2, weight, lengths: lengths[2] })
  for (let i = 0; i < documents.length; i++) {
    const id = documents.ids[i]!
    scores.mask[id]! |= bit
    if (documents.counts[1][i]! > 0) scores.nameMask[id]! |= bit
  }
}

/** The same with all chunks of a file as one document. */
function addWholeFileTerm(
  scores: KeywordScores,
  { ids, counts, length }: TermDocuments,
  options: { readonly fileOf: ArrayLike<number>; readonly weight: number; readonly lengths: FieldLengths },
): void {
  const { fileOf, weight, lengths } = options
  const inFile = new Int32Array(scores.wholeFile.length)
  for (let i = 0; i < length; i++) inFile[fileOf[ids[i]!]!]! += counts[0][i]!
  // Each file once, where its first chunk comes along.
  for (let i = 0; i < length; i++) {
    const file = fileOf[ids[i]!]!
    scores.wholeFile[file]! += weight * saturated(inFile[file]!, lengths, file)
    inFile[file] = 0
  }
}

function addPathTerm(
  index: IndexReader,
  scores: KeywordScores,
  term: string,
  options: {
    readonly bit: number
    readonly weight: number
    readonly means: IndexMeans
    readonly accepts: (file: FileId) => boolean
  },
): void {
  const { isLive } = index.documents
  const documents = index.postings('files', term)
  const rarity = idf(index.liveFiles, liveCount(documents, isLive))
  const accepted = keep(documents, (file) => isLive[file]! > 0 && options.accepts(file as FileId))
  const weight = options.weight * rarity
  addBm25(scores.fileName, accepted, { field: 0, weight, lengths: options.means.file[0] })
  addBm25(scores.folder, accepted, { field: 1, weight, lengths: options.means.file[1] })
  for (let i = 0; i < accepted.length; i++) {
    const file = accepted.ids[i]!
    scores.pathMask[file]! |= options.bit
    if (accepted.counts[0][i]! > 0) scores.fileNameMask[file]! |= options.bit
  }
}

function liveCount(documents: TermDocuments, live: ArrayLike<number>): number {
  let n = 0
  for (let i = 0; i < documents.length; i++) if (live[documents.ids[i]!]! > 0) n++
  return n
}

/** The documents that are accepted; the list itself when all are. */
function keep(documents: TermDocuments, accepts: (id: number) => boolean): TermDocuments {
  const kept: number[] = []
  for (let i = 0; i < documents.length; i++) if (accepts(documents.ids[i]!)) kept.push(i)
  if (kept.length === documents.length) return documents
  return {
    length: kept.length,
    ids: Int32Array.from(kept, (i) => documents.ids[i]!),
    counts: [
      Uint16Array.from(kept, (i) => documents.counts[0][i]!),
      Uint16Array.from(kept, (i) => documents.counts[1][i]!),
      Uint16Array.from(kept, (i) => documents.counts[2][i]!),
    ],
  }
}
