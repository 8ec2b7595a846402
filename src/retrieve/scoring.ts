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

/** With what rating files needs beyond finding them. */
export interface FirstScores extends Scores {
  /** Cosine of the task with the title of a file. */
  readonly titleSimilarity: (file: FileId) => number
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

/** The task as unit vectors: by the encoder of the index, and by the words its titles are embedded by. */
export interface TaskVectors {
  readonly vector: Float32Array
  readonly titleVector: Float32Array
}

export interface ScoreOptions {
  readonly queryVector: Float32Array
  readonly means: IndexMeans
  readonly accepts: (file: FileId) => boolean
  readonly nearestChunks: number
}

export function score(
  index: IndexReader,
  { terms, pastTerms }: Pick<Dispatched, 'terms' | 'pastTerms'>,
  options: ScoreOptions,
): Scores {
  const { fileOf, isLive } = index.documents
  const scores = emptyScores(fileOf.length, isLive.length)
  const isAccepted = acceptedFiles(isLive, options.accepts)
  const termIdf = addTerms(index, scores, terms, { means: options.means, isAccepted, firstBit: 0 })
  return {
    ...scores,
    ...weighed(termIdf),
    past: pastScores(index.past, pastTerms, options.accepts),
    ...nearestChunks(index, options),
  }
}

/**
 * Scores of a later query: the terms of an earlier one, which are not looked up again, then more. Its vector is another
 * one, and nothing is asked of the past. Documents have scores whether accepted or not, unless the earlier query left them out.
 */
export function scoreFurther(
  index: IndexReader,
  before: Scores,
  terms: Dispatched['terms'],
  options: ScoreOptions,
): Scores {
  const scores = copied(before)
  const added = addTerms(index, scores, terms, {
    means: options.means,
    isAccepted: index.documents.isLive,
    firstBit: before.termIdf.length,
  })
  return {
    ...scores,
    ...weighed([...before.termIdf, ...added]),
    past: pastScores(index.past, [], options.accepts),
    ...nearestChunks(index, options),
  }
}

function weighed(termIdf: readonly number[]): Pick<Scores, 'termIdf' | 'totalIdf'> {
  return { termIdf, totalIdf: termIdf.reduce((sum, rarity) => sum + rarity, 0) }
}

function nearestChunks(
  index: IndexReader,
  { queryVector, nearestChunks, accepts }: ScoreOptions,
): Pick<Scores, 'nearest' | 'similarity'> {
  const { fileOf } = index.documents
  return index.vectorIndex.search(
    queryVector,
    nearestChunks,
    (chunk) => fileOf[chunk]! > 0 && accepts(fileOf[chunk] as FileId), // every vector has a row in the columns
  )
}

/** By file id: 1 for a file that is there and accepted. Row 0, of deleted chunks, is 0. */
function acceptedFiles(isLive: Uint8Array, accepts: (file: FileId) => boolean): Uint8Array {
  return isLive.map((live, id) => (live > 0 && accepts(id as FileId) ? 1 : 0))
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

/** A copy that more terms can be added to. */
function copied(scores: KeywordScores): KeywordScores {
  const { body, names, comment, mask, nameMask, wholeFile, fileName, folder, pathMask, fileNameMask } = scores
  return {
    body: body.slice(),
    names: names.slice(),
    comment: comment.slice(),
    mask: mask.slice(),
    nameMask: nameMask.slice(),
    wholeFile: wholeFile.slice(),
    fileName: fileName.slice(),
    folder: folder.slice(),
    pathMask: pathMask.slice(),
    fileNameMask: fileNameMask.slice(),
  }
}

/** Adds what the terms are worth; returns the weighted idf of each over chunks. */
function addTerms(
  index: IndexReader,
  scores: KeywordScores,
  terms: Dispatched['terms'],
  options: { readonly means: IndexMeans; readonly isAccepted: Uint8Array; readonly firstBit: number },
): readonly number[] {
  const { means, isAccepted, firstBit } = options
  const { fileOf } = index.documents
  const sieve = new Sieve()
  return terms.map(({ term, weight }, t) => {
    const bit = 1 << (firstBit + t)
    const documents = index.postings('chunks', term)
    const rarity = idf(index.liveChunks, liveCount(documents, fileOf))
    const accepted = sieve.keep(documents, (chunk) => isAccepted[fileOf[chunk]!]!)
    addTerm(scores, accepted, { bit, weight: weight * rarity, lengths: means.chunk })
    addWholeFileTerm(scores, accepted, { fileOf, weight: weight * rarity, lengths: means.wholeFile })
    addPathTerm(index, scores, term, { bit, weight, means, isAccepted, sieve })
    return rarity * weight
  })
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
  addBits(scores.mask, documents.ids, bit)
  addBits(scores.nameMask, documents.ids, bit, documents.counts[1])
}

/** Sets a bit for the documents, or those of them with a count. */
function addBits(mask: Int32Array, ids: Int32Array, bit: number, counts?: Uint16Array): void {
  for (let i = 0; i < ids.length; i++) if (counts === undefined || counts[i]! > 0) mask[ids[i]!]! |= bit // one count an id
}

/** The same with all chunks of a file as one document: they have one id after the other. */
function addWholeFileTerm(
  scores: KeywordScores,
  { ids, counts, length }: TermDocuments,
  options: { readonly fileOf: Uint32Array; readonly weight: number; readonly lengths: FieldLengths },
): void {
  const { fileOf, weight, lengths } = options
  for (let i = 0; i < length;) {
    const file = fileOf[ids[i]!]! // one id a document
    let count = 0
    while (i < length && fileOf[ids[i]!] === file) count += counts[0][i++]!
    scores.wholeFile[file]! += weight * saturated(count, lengths, file)
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
    readonly isAccepted: Uint8Array
    readonly sieve: Sieve
  },
): void {
  const { bit, means, isAccepted, sieve } = options
  const documents = index.postings('files', term)
  const rarity = idf(index.liveFiles, liveCount(documents, index.documents.isLive))
  const accepted = sieve.keep(documents, (file) => isAccepted[file]!)
  const weight = options.weight * rarity
  addBm25(scores.fileName, accepted, { field: 0, weight, lengths: means.file[0] })
  addBm25(scores.folder, accepted, { field: 1, weight, lengths: means.file[1] })
  addBits(scores.pathMask, accepted.ids, bit)
  addBits(scores.fileNameMask, accepted.ids, bit, accepted.counts[0])
}

function liveCount(documents: TermDocuments, live: ArrayLike<number>): number {
  let n = 0
  for (let i = 0; i < documents.length; i++) if (live[documents.ids[i]!]! > 0) n++
  return n
}

/** Room for the accepted documents of one list after another: frequent words would leave megabytes to collect. */
class Sieve {
  #ids = new Int32Array(0)
  #counts = [new Uint16Array(0), new Uint16Array(0), new Uint16Array(0)] as const

  /** The documents that are accepted (1, not 0), until the next call; the list itself when all are. */
  keep(documents: TermDocuments, accepts: (id: number) => number): TermDocuments {
    const { ids, counts, length } = documents
    let accepted = 0
    for (let i = 0; i < length; i++) accepted += accepts(ids[i]!) // one id a document
    if (accepted === length) return documents
    this.#reserve(accepted)
    const [a, b, c] = this.#counts
    for (let i = 0, n = 0; n < accepted; i++) {
      if (accepts(ids[i]!) === 0) continue
      this.#ids[n] = ids[i]!
      a[n] = counts[0][i]!
      b[n] = counts[1][i]!
      c[n] = counts[2][i]!
      n++
    }
    return {
      length: accepted,
      ids: this.#ids.subarray(0, accepted),
      counts: [a.subarray(0, accepted), b.subarray(0, accepted), c.subarray(0, accepted)],
    }
  }

  #reserve(length: number): void {
    if (length <= this.#ids.length) return
    this.#ids = new Int32Array(length)
    this.#counts = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)]
  }
}
