/**
 * BM25 without anything else: by file, by best chunk, and summed over a file's best four chunks. As strong as it gets
 * cheaply: a document's text begins with its path, and only source files compete (the labels are source files;
 * hone ranks documentation and data as well and gets no such help). Without these two it is 0.03 to 0.11 lower.
 * Ids from postings and columns are inside the arrays they index; that is what every "!" here relies on.
 */
import { idf } from '../../../src/rank/bm25.js'
import { parseTask } from '../../../src/retrieve/task.js'
import type { IndexReader } from '../../../src/store/index-reader.js'
import { joinedForm, partsOf, stem } from '../../../src/text/words.js'
import { topChunks, type ChunkScores, type ScoredFile } from './chunk-scores.js'
import { best, type Corpus, type Rank } from './ranking.js'
import { sourceFiles } from './source-files.js'

const K1 = 1.2
const B = 0.75

/** BM25 of every chunk of a source file (by chunk id). */
export function chunkBm25(reader: IndexReader, task: string): ChunkScores {
  const { fileOf, chunkLengths, firstChunk, chunkCount } = reader.documents
  const isSource = sourceFlags(reader)
  const lengths = Float64Array.from(fileOf, (file, chunk) => isSource[file]! * chunkLengths[0][chunk]!)
  const documents = fileOf.reduce((sum, file) => sum + isSource[file]!, 0)
  const scores = new Float64Array(fileOf.length)
  for (const term of queryTerms(task)) {
    const counts = new Map<number, number>()
    const { ids, counts: fields } = reader.postings('chunks', term)
    ids.forEach((chunk, i) => {
      if (isSource[fileOf[chunk]!] === 1 && fields[0][i]! > 0) counts.set(chunk, fields[0][i]!)
    })
    for (const file of reader.postings('files', term).ids) {
      if (isSource[file] !== 1) continue
      const first = firstChunk[file]!
      for (let chunk = first; chunk < first + chunkCount[file]!; chunk++) addOne(counts, chunk)
    }
    addBm25(scores, counts, { documents, lengths })
  }
  return scores
}

/** A file as one document; its length is that of its chunks together. */
export const rankByFile: Rank = (corpus, task, limit) => {
  const scores = fileBm25(corpus.reader, task)
  const files = corpus.reader.files().map(({ id, path }) => ({ path, score: scores[id] ?? 0 }))
  const ranked = best(files, limit).map(({ path }) => ({ path, pieces: [corpus.tokens(path)] }))
  return Promise.resolve(ranked)
}

function fileBm25(reader: IndexReader, task: string): Float64Array {
  const { fileOf, chunkLengths } = reader.documents
  const isSource = sourceFlags(reader)
  const lengths = new Float64Array(isSource.length)
  fileOf.forEach((file, chunk) => {
    if (isSource[file] === 1) lengths[file]! += chunkLengths[0][chunk]!
  })
  const documents = isSource.reduce((sum, flag) => sum + flag, 0)
  const scores = new Float64Array(isSource.length)
  for (const term of queryTerms(task)) {
    const counts = new Map<number, number>()
    const { ids, counts: fields } = reader.postings('chunks', term)
    ids.forEach((chunk, i) => {
      const file = fileOf[chunk]!
      if (isSource[file] === 1) counts.set(file, (counts.get(file) ?? 0) + fields[0][i]!)
    })
    for (const file of reader.postings('files', term).ids) if (isSource[file] === 1) addOne(counts, file)
    addBm25(scores, counts, { documents, lengths })
  }
  return scores
}

/** Adds one term's BM25 to the scores; ids index `scores` and `lengths`. */
function addBm25(
  scores: Float64Array,
  counts: ReadonlyMap<number, number>,
  options: { readonly documents: number; readonly lengths: Float64Array },
): void {
  const { documents, lengths } = options
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents)
  const weight = idf(documents, counts.size)
  for (const [id, count] of counts) {
    const norm = K1 * (1 - B + (B * lengths[id]!) / average)
    scores[id]! += (weight * count * (K1 + 1)) / (count + norm)
  }
}

/** Source files by the weighted sum of their best `chunks` chunks (1, 1/2, 1/3, ...), in no order. */
export function byChunks(
  { reader }: Corpus,
  scores: ChunkScores,
  options: { readonly chunks: number },
): readonly ScoredFile[] {
  return sourceFiles(reader).map((file) => topChunks(reader, scores, { file, ...options }))
}

export function rankByChunks(chunks: number): Rank {
  return (corpus, task, limit) => {
    const scored = byChunks(corpus, chunkBm25(corpus.reader, task), { chunks })
    return Promise.resolve(best(scored, limit).map((file) => file.toRanked(corpus)))
  }
}

/** Words of the task as the index holds them: stems without stop words, and the joined form of names with parts. */
export function queryTerms(task: string): readonly string[] {
  const { words, tokens } = parseTask(task)
  const names = tokens.filter((token) => partsOf(token).length > 1).map((token) => joinedForm(token))
  return [...new Set([...words, ...names].map((word) => stem(word)))]
}

/** By file id: 1 for a source file, else 0. */
function sourceFlags(reader: IndexReader): Uint8Array {
  const flags = new Uint8Array(reader.documents.isLive.length)
  for (const { id } of sourceFiles(reader)) flags[id] = 1
  return flags
}

function addOne(counts: Map<number, number>, id: number): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}
