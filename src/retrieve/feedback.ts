/**
 * What judgements say of the files that were not judged: the evidence is gathered here, for files the loop found and
 * for those that only the judged ones point at.
 */
import { aggregate, type FileScore } from '../rank/aggregate.js'
import { changedTogether, NOT_TOGETHER, type Together } from '../rank/changed-together.js'
import { over } from '../rank/compare.js'
import { feedbackScores, type FeedbackQuery, type FeedbackView } from '../rank/feedback-signals.js'
import { subjectScores } from '../rank/past-scores.js'
import { NO_PLACE, placeFacts, placeOf, type Place, type PlaceFacts } from '../rank/places.js'
import { identifiersIn, joinedForm, stem } from '../text/words.js'
import type { ChunkId, FileId } from '../types.js'
import { dot } from '../vector/arithmetic.js'
import type { Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import type { RatedFile } from './evaluate.js'
import { chunksVector, meanVector, nearestOf } from './feedback-likeness.js'
import { usedBySources, usersOfSources, type References, type Source } from './feedback-references.js'
import { tellingScores } from './feedback-words.js'
import { judgedAs, type Judged } from './judgements.js'
import { movedVector } from './moved-vector.js'
import { matchedChunks } from './ranges.js'
import type { Search } from './search.js'

// Judged files that are looked into, the most relevant first: more cost time and say the same again.
const MAX_SOURCES = 20
// Files that each kind of evidence may bring in besides those the loop found.
const MAX_POINTED_AT = 30
// Chunks that are looked for near the confirmed ones; about four to a file.
const NEAREST_CHUNKS = 4 * MAX_POINTED_AT

export interface FeedbackInput {
  readonly judged: Judged
  /** The first cycle's search, and the vector of its task. */
  readonly search: Search
  readonly taskVector: Float32Array
  /** Terms of the task for the subjects of past commits. */
  readonly pastTerms: Dispatched['pastTerms']
  /** What the loop found so far, as it rated it without judgements. */
  readonly rated: readonly RatedFile[]
  /** Rates further files as the first cycle would; those past the limits of the caller are left out. */
  readonly rate: (files: readonly FileId[]) => readonly RatedFile[]
}

export interface FeedbackCandidate {
  readonly rated: RatedFile
  readonly view: FeedbackView
}

export interface Feedback {
  readonly query: FeedbackQuery
  /** Files that were not judged, by path. */
  readonly candidates: readonly FeedbackCandidate[]
}

export function gatherFeedback(engine: Engine, input: FeedbackInput): Feedback {
  const evidence = evidenceOf(engine, input)
  const found = new Map(input.rated.map((file) => [file.id, file]))
  const more = pointedAt(engine, evidence).filter((id) => !found.has(id))
  for (const file of input.rate(more)) found.set(file.id, file)
  const candidates = [...found.values()]
    .filter(({ id }) => !input.judged.has(id))
    .sort((a, b) => (a.path < b.path ? -1 : 1)) // paths are unique
    .map((rated) => ({ rated, view: viewOf(engine, rated, evidence) }))
  return { query: queryOf(engine, evidence, candidates), candidates }
}

/** A judged file, taken apart once. */
interface JudgedFile {
  readonly rated: RatedFile
  readonly place: Place
  readonly vector: Float32Array
  /** Its chunks that match the task. */
  readonly matched: readonly ChunkId[]
}

interface Evidence {
  readonly input: FeedbackInput
  readonly confirmed: readonly JudgedFile[]
  readonly rejected: readonly JudgedFile[]
  readonly together: ReadonlyMap<FileId, Together>
  readonly togetherRejected: ReadonlyMap<FileId, Together>
  readonly like: Float32Array
  readonly focus: Float32Array
  /** Cosines by chunk: with `focus`, and with the moved vector of the task. */
  readonly focusSimilarities: Float64Array
  readonly movedSimilarities: Float64Array
  readonly told: (file: FileId) => FileScore
  readonly toldFocus: (file: FileId) => FileScore
  readonly used: ReadonlyMap<FileId, References>
  readonly users: ReadonlyMap<FileId, References>
  /** Names in the texts of confirmed files, joined. */
  readonly mentioned: ReadonlySet<string>
  /** Files that hold the names of confirmed files. */
  readonly mentioning: ReadonlySet<FileId>
  readonly filesBeside: ReadonlyMap<string, number>
}

function evidenceOf(engine: Engine, input: FeedbackInput): Evidence {
  const { index } = engine
  const confirmed = judgedFiles(engine, input, true)
  const rejected = judgedFiles(engine, input, false)
  const { dimensions } = index.settings
  const subjects = subjectScores(index.past, input.pastTerms).byCommit
  const focus = chunksVector(
    index,
    confirmed.flatMap(({ matched }) => matched),
  )
  const away = chunksVector(
    index,
    rejected.flatMap(({ matched }) => matched),
  )
  const sources = confirmed.map(({ rated }) => sourceOf(engine, rated))
  const ids = (files: readonly JudgedFile[]): readonly FileId[] => files.map(({ rated }) => rated.id)
  return {
    input,
    confirmed,
    rejected,
    together: changedTogether(index.past, ids(confirmed), subjects),
    togetherRejected: changedTogether(index.past, ids(rejected), subjects),
    like: meanVector(
      confirmed.map(({ vector }) => vector),
      dimensions,
    ),
    focus,
    focusSimilarities: index.vectors.similarities(focus),
    movedSimilarities: index.vectors.similarities(movedVector(input.taskVector, focus, away)),
    told: tellingScores(
      engine,
      sources.map(({ text }) => text),
    ),
    toldFocus: tellingScores(
      engine,
      confirmed.map((file, c) => matchedText(engine, file, sources[c]!)),
    ),
    used: usedBySources(engine, sources),
    users: usersOfSources(engine, sources),
    mentioned: new Set(sources.flatMap(({ text }) => identifiersIn(text).map(joinedForm))),
    mentioning: mentioning(engine, confirmed),
    filesBeside: engine.filesByFolder,
  }
}

function judgedFiles(engine: Engine, input: FeedbackInput, verdict: boolean): readonly JudgedFile[] {
  const { index } = engine
  const ids = judgedAs(index, input.judged, verdict)
  const known = new Map(input.rated.map((file) => [file.id, file]))
  const rated = [
    ...ids.flatMap((id) => known.get(id) ?? []),
    ...input.rate(ids.filter((id) => !known.has(id))),
  ]
  return rated
    .sort((a, b) => b.relevance - a.relevance || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_SOURCES)
    .map((file) => ({
      rated: file,
      place: placeOf(file.path),
      vector: engine.vectorOf(file.id),
      matched: matchedChunks(index, input.search.scores, { file: file.id, body: file.view.body }).map(
        ({ chunk }) => chunk.id,
      ),
    }))
}

/** A file that cannot be read has no text: then its names say nothing, the rest still does. */
function sourceOf({ linesOf }: Engine, { id, path }: RatedFile): Source {
  return { id, path, text: linesOf(path)?.join('\n') ?? '' }
}

function matchedText({ index }: Engine, { matched }: JudgedFile, { text }: Source): string {
  const lines = text.split('\n')
  return matched
    .map((id) => index.chunk(id))
    .map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine).join('\n'))
    .join('\n')
}

function mentioning({ index }: Engine, confirmed: readonly JudgedFile[]): ReadonlySet<FileId> {
  const files = new Set<FileId>()
  for (const { place } of confirmed) {
    if (place.stem === '') continue
    const { ids, length } = index.postings('chunks', stem(place.stem))
    for (let i = 0; i < length; i++) files.add(index.documents.fileOf[ids[i]!] as FileId)
  }
  return files
}

/** Files that the evidence points at, the best of each kind. */
function pointedAt({ index }: Engine, evidence: Evidence): readonly FileId[] {
  const best = (scored: Iterable<readonly [FileId, number]>): readonly FileId[] =>
    [...scored]
      .map(([id, score]) => ({ id, score, path: index.pathOf(id) }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_POINTED_AT)
      .map(({ id }) => id)
  const { fileOf } = index.documents
  const near = evidence.confirmed.length === 0 ? [] : nearestFiles(evidence)
  function nearestFiles({ focus }: Evidence): readonly FileId[] {
    const { nearest } = index.vectorIndex.search(focus, NEAREST_CHUNKS, (chunk) => fileOf[chunk]! > 0)
    return [...new Set(nearest.map(({ chunk }) => fileOf[chunk] as FileId))]
  }
  return [
    ...new Set([
      ...best([...evidence.together].map(([id, { sum }]) => [id, sum] as const)),
      ...best([...evidence.used].map(([id, { weight }]) => [id, weight] as const)),
      ...best([...evidence.users].map(([id, { weight }]) => [id, weight] as const)),
      ...near,
    ]),
  ]
}

function viewOf(engine: Engine, rated: RatedFile, evidence: Evidence): FeedbackView {
  const { index } = engine
  const { id, path, view } = rated
  const { confirmed, rejected, input } = evidence
  const { candidates } = input.search.query
  const vector = engine.vectorOf(id)
  const place = placeOf(path)
  const likest = nearestOf(
    confirmed.map((file) => file.vector),
    vector,
  )
  const together = evidence.together.get(id) ?? NOT_TOGETHER
  const isSameStem = (file: JudgedFile): boolean => placeFacts(place, file.place).isSameStem
  const namesake = confirmed.find(isSameStem)
  const aggregated = (similarities: Float64Array): FileScore =>
    aggregate(similarities, index.documents.firstChunk[id]!, index.documents.chunkCount[id]!)
  return {
    path,
    facts: view.facts,
    relevance: rated.calibrated.relevance,
    chunks: view.chunks,
    commits: view.commits,
    body: over(view.body.sum, candidates.body[0] ?? 0),
    names: over(view.names.sum, candidates.names[0] ?? 0),
    cosine: view.cosine.best,
    past: over(view.past.sum, candidates['past.sum'][0] ?? 0),
    coverage: view.coverage,
    wordsShared: Math.max(0, ...confirmed.map((file) => wordsShared(engine, rated, file.rated))),
    together,
    togetherRejected: evidence.togetherRejected.get(id) ?? NOT_TOGETHER,
    like: dot(vector, evidence.like),
    likeOne: likest.cosine,
    likeRejected: nearestOf(
      rejected.map((file) => file.vector),
      vector,
    ).cosine,
    likeFocus: aggregated(evidence.focusSimilarities),
    moved: aggregated(evidence.movedSimilarities),
    told: evidence.told(id),
    toldFocus: evidence.toldFocus(id),
    usedByConfirmed: evidence.used.get(id)?.weight ?? 0,
    usesConfirmed: evidence.users.get(id)?.weight ?? 0,
    isMentioned: evidence.mentioned.has(place.stem),
    mentions: evidence.mentioning.has(id),
    place: nearestPlace(place, confirmed),
    placeRejected: nearestPlace(place, rejected),
    confirmedBeside: confirmed.filter((file) => file.place.folder === place.folder).length,
    rejectedBeside: rejected.filter((file) => file.place.folder === place.folder).length,
    beside: evidence.filesBeside.get(place.folder) ?? 0,
    isTestPair: confirmed.some(
      (file) => isSameStem(file) && file.rated.view.facts.isTest !== view.facts.isTest,
    ),
    sameEnding: over(confirmed.filter((file) => file.place.ending === place.ending).length, confirmed.length),
    grounds: {
      changedWith: confirmed[together.partner]?.rated.path,
      likest: confirmed[likest.at]?.rated.path,
      sameStem: namesake?.rated.path,
      beside: confirmed.find((file) => file.place.folder === place.folder)?.rated.path,
      used: evidence.used.get(id)?.link,
      uses: evidence.users.get(id)?.link,
    },
  }
}

/** Weight of the task's words that both hold over that of the words either holds, 0..1. */
function wordsShared({ vocabulary }: Engine, a: RatedFile, b: RatedFile): number {
  let both = 0
  let all = 0
  for (const term of new Set([...a.matched, ...b.matched])) {
    const weight = term.weight * vocabulary.idf(term.term)
    all += weight
    if (a.matched.includes(term) && b.matched.includes(term)) both += weight
  }
  return over(both, all)
}

/** What it has in common with any of the files, each fact for itself. */
function nearestPlace(place: Place, files: readonly JudgedFile[]): PlaceFacts {
  return files
    .map((file) => placeFacts(place, file.place))
    .reduce(
      (best, facts) => ({
        isSameFolder: best.isSameFolder || facts.isSameFolder,
        nearness: Math.max(best.nearness, facts.nearness),
        isSameStem: best.isSameStem || facts.isSameStem,
        nameOverlap: Math.max(best.nameOverlap, facts.nameOverlap),
      }),
      NO_PLACE,
    )
}

function queryOf(
  { index }: Engine,
  { confirmed, rejected, input }: Evidence,
  candidates: readonly FeedbackCandidate[],
): FeedbackQuery {
  const mean = (files: readonly JudgedFile[]): number =>
    over(
      files.reduce((sum, { rated }) => sum + rated.calibrated.relevance, 0),
      files.length,
    )
  return {
    confirmed: confirmed.length,
    rejected: rejected.length,
    confirmedRelevance: mean(confirmed),
    rejectedRelevance: mean(rejected),
    files: index.liveFiles,
    hasPast: input.search.query.hasPast,
    pastIdf: input.search.query.pastIdf,
    knownTerms: input.search.query.knownTerms,
    candidates: feedbackScores(candidates.map(({ view }) => view)),
  }
}
