/**
 * Why a file ranks where it does: the loop is run once more, watched from that file's side. Nothing here rates anything
 * in another way than the loop does.
 */
import { BAND_FROM, bandOf } from '../rank/bands.js'
import { meaningsOf } from '../rank/custom-signals.js'
import { signalInWords } from '../rank/signal-words.js'
import type {
  Band,
  CustomSignal,
  ExplainedCycle,
  ExplainedOutcome,
  ExplainedRating,
  ExplainedWord,
  Explanation,
  FileId,
} from '../types.js'
import { pathMatcher } from '../walk/globs.js'
import { addingOf } from './custom-signals.js'
import { dispatch, type Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import { explainDeep } from './explain-deep.js'
import { rateAgain, type RatedFile } from './evaluate.js'
import { knownFile } from './known-path.js'
import type { Scores } from './scoring.js'
import { search } from './search.js'
import { RetrievalSession, type RetrieveOptions } from './session.js'
import { parseTask } from './task.js'
import { taskFacts } from './task-facts.js'

// More places are a list to skim.
const MAX_SHOWN_RANGES = 4

export interface ExplainOptions extends RetrieveOptions {
  readonly path: string
  readonly limit: number
}

/** Throws TASK_EMPTY, GLOB_INVALID, PATH_OUTSIDE, and PATH_UNKNOWN for a path that is neither indexed nor skipped. */
export async function explain(engine: Engine, options: ExplainOptions): Promise<Explanation> {
  const session = new RetrievalSession(engine, options)
  const skipped = whySkipped(engine, options.path)
  if (skipped !== undefined) return notIndexed(options, skipped)
  const { id, path } = knownFile(engine.index, options.path)
  const excluded = whyExcluded(path, options)
  const watched = await watch(session, path)
  const own = await firstLook(engine, options.task, { file: id, signals: session.signals })
  const rated = watched.last ?? own.rated
  const { outcome, why } =
    excluded === undefined
      ? verdict(watched, rated, own.words, options)
      : { outcome: 'excluded' as const, why: excluded }
  return {
    schema: 1,
    task: options.task,
    path,
    outcome,
    why,
    rating: ratingOf(rated, meaningsOf(session.signals)),
    cycles: watched.cycles,
    words: own.words,
    deep: explainDeep(session, path),
    stop: session.stop ?? null,
  }
}

function notIndexed({ task, path }: ExplainOptions, why: string): Explanation {
  return {
    schema: 1,
    task,
    path,
    outcome: 'not-indexed',
    why,
    rating: null,
    cycles: [],
    words: [],
    deep: null,
    stop: null,
  }
}

function whySkipped({ index }: Engine, path: string): string | undefined {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '')
  const skipped = index.skipped().find((file) => file.path === plain)
  if (skipped === undefined) return undefined
  const detail = skipped.detail === undefined ? '' : ` (${skipped.detail})`
  return `it was skipped when the repository was indexed: ${skipped.reason}${detail}`
}

function whyExcluded(path: string, { include, exclude }: RetrieveOptions): string | undefined {
  const out = exclude.find((glob) => pathMatcher([glob])(path))
  if (out !== undefined) return `it is excluded by ${out}`
  const isIn = include.length === 0 || pathMatcher(include)(path)
  return isIn ? undefined : `it matches none of ${include.join(', ')}`
}

interface Watched {
  readonly cycles: readonly ExplainedCycle[]
  /** As the loop left it; undefined when it was never found. */
  readonly last: RatedFile | undefined
  readonly rank: number | null
}

/** Runs the loop to its end and notes after each cycle how the file stands. */
async function watch(session: RetrievalSession, path: string): Promise<Watched> {
  const cycles: ExplainedCycle[] = []
  let last: RatedFile | undefined
  while (session.stop === undefined) {
    await session.next()
    const { files } = session
    const at = files.findIndex(({ rated }) => rated.path === path)
    const now = files[at]?.rated
    cycles.push({
      n: session.cycles.length,
      relevance: now?.relevance ?? null,
      rank: at < 0 ? null : at + 1,
      files: files.length,
      change: changeOf(last, now),
    })
    last = now
  }
  return { cycles, last, rank: cycles.at(-1)?.rank ?? null }
}

function changeOf(before: RatedFile | undefined, now: RatedFile | undefined): ExplainedCycle['change'] {
  if (now === undefined) return 'absent'
  if (before === undefined) return 'found'
  if (now.relevance === before.relevance) return 'same'
  return now.relevance > before.relevance ? 'raised' : 'lowered'
}

/** What the first cycle knows of the file, whether it is a candidate or not. */
async function firstLook(
  engine: Engine,
  text: string,
  { file, signals }: { readonly file: FileId; readonly signals: readonly CustomSignal[] },
): Promise<{ readonly rated: RatedFile | undefined; readonly words: readonly ExplainedWord[] }> {
  const task = parseTask(text)
  const dispatched = dispatch(task, engine.vocabulary)
  const vectors = await engine.taskVectors(task.prose)
  const facts = { ...taskFacts(engine.index, task), pointedAt: new Map<FileId, readonly string[]>() }
  const accepts = (): boolean => true
  const rating = { facts, accepts, adding: addingOf(engine, { signals, task: text }) }
  const { scores, query } = search(engine, { dispatched, ...vectors, ...rating })
  const { model, factsOf } = engine
  const again = { ...rating, terms: dispatched.terms, model, factsOf, query, files: [file] }
  const [rated] = rateAgain(engine.index, scores, again)
  return { rated, words: wordsIn(engine, file, { dispatched, scores }) }
}

function wordsIn(
  { index, vocabulary }: Engine,
  file: FileId,
  { dispatched, scores }: { readonly dispatched: Dispatched; readonly scores: Scores },
): readonly ExplainedWord[] {
  const chunks = index.chunksOf(file)
  const known = dispatched.terms.map(({ term, word, origin }, t): ExplainedWord => {
    const bit = 1 << t
    const holding = chunks.filter(({ id }) => (scores.mask[id]! & bit) !== 0) // ids of this index
    const isInName = (scores.fileNameMask[file]! & bit) !== 0
    const places = [
      ...(isInName ? ['file name' as const] : []),
      ...(!isInName && (scores.pathMask[file]! & bit) !== 0 ? ['folder' as const] : []),
      ...(chunks.some(({ id }) => (scores.nameMask[id]! & bit) !== 0) ? ['defined name' as const] : []),
      ...(holding.length > 0 ? ['text' as const] : []),
    ]
    const ranges = holding
      .slice(0, MAX_SHOWN_RANGES)
      .map(({ startLine, endLine }) => ({ start: startLine, end: endLine }))
    return { word, origin, places, ranges, chunks: vocabulary.frequency(term) }
  })
  const unknown = dispatched.unknown.map((word): ExplainedWord => {
    return { word, origin: 'task', places: [], ranges: [], chunks: 0 }
  })
  return [...known, ...unknown]
}

function ratingOf(
  rated: RatedFile | undefined,
  meanings: ReadonlyMap<string, string>,
): ExplainedRating | null {
  if (rated === undefined) return null
  const { relevance } = rated
  return {
    relevance,
    band: bandOf(relevance),
    nextBand: nextBand(relevance),
    evidence: rated.evidence().map((evidence) => {
      const meaning = meanings.get(evidence.signal) ?? signalInWords(evidence.signal)
      return { ...evidence, meaning }
    }),
  }
}

function nextBand(relevance: number): ExplainedRating['nextBand'] {
  const above = (Object.entries(BAND_FROM) as [Band, number][])
    .filter(([, from]) => from > relevance)
    .sort(([, a], [, b]) => a - b)[0]
  if (above === undefined) return null
  const [band, from] = above
  return { band, from, missing: Math.round((from - relevance) * 10_000) / 10_000 }
}

function verdict(
  { rank, last }: Watched,
  rated: RatedFile | undefined,
  words: readonly ExplainedWord[],
  { minRelevance, limit }: ExplainOptions,
): { readonly outcome: ExplainedOutcome; readonly why: string } {
  const relevance = rated?.relevance ?? 0
  if (last === undefined || rank === null) {
    const common = words.filter(({ places }) => places.length > 0).map(({ word }) => word)
    const what =
      common.length === 0
        ? 'no word in common with the task'
        : `only ${common.join(', ')} in common with the task`
    return {
      outcome: 'no-candidate',
      why: `no search brought it in: it has ${what}, and others are nearer in meaning; it would be rated ${relevance.toFixed(2)}`,
    }
  }
  if (relevance < minRelevance)
    return {
      outcome: 'below-minimum',
      why: `rated ${relevance.toFixed(2)}, below the minimum of ${minRelevance}`,
    }
  if (rank > limit)
    return { outcome: 'beyond-limit', why: `at rank ${rank}, and only ${limit} files are shown` }
  return { outcome: 'returned', why: `rated ${relevance.toFixed(2)}, at rank ${rank}` }
}
