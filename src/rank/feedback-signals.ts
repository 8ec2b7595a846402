/**
 * The signals of feedback: named numbers about (judgements, file that was not judged), each one small pure function.
 * As in signals.ts their order is the model's input; a change means a new FEEDBACK_VERSION and a newly trained model.
 */
import type { FileScore } from './aggregate.js'
import type { Together } from './changed-together.js'
import { descending, flag, log, over, reciprocalRank, shareOfBest } from './compare.js'
import type { PathFacts } from './path-facts.js'
import type { PlaceFacts } from './places.js'

export const FEEDBACK_VERSION = 1

/** What is known of one file that was not judged, beside those that were. */
export interface FeedbackView {
  readonly path: string
  readonly facts: PathFacts
  /** What the loop says without judgements, 0..1. */
  readonly relevance: number
  readonly chunks: number
  /** Past commits that touched it. */
  readonly commits: number
  /** From the first cycle: BM25, cosine with the task, what past subjects say. */
  readonly body: number
  readonly names: number
  readonly cosine: number
  readonly past: number
  readonly coverage: number
  /** Weight of the task's words it shares with confirmed files over that of the words either holds, 0..1; the best. */
  readonly wordsShared: number
  readonly together: Together
  readonly togetherRejected: Together
  /** Cosine of its mean vector with that of all confirmed files, of the nearest one, and of the nearest rejected one. */
  readonly like: number
  readonly likeOne: number
  readonly likeRejected: number
  /** Cosines of its chunks with the mean of the chunks of confirmed files that match the task. */
  readonly likeFocus: FileScore
  /** Cosines of its chunks with the task's vector, moved towards confirmed and away from rejected chunks. */
  readonly moved: FileScore
  /** BM25 of the words that tell confirmed files from others: of the whole files, of what matches the task. */
  readonly told: FileScore
  readonly toldFocus: FileScore
  /** Symbols it defines that confirmed files use, and the other way round, each over the files that define it. */
  readonly usedByConfirmed: number
  readonly usesConfirmed: number
  /** Whether a confirmed file mentions its name, as an import does; and the other way round. */
  readonly isMentioned: boolean
  readonly mentions: boolean
  readonly place: PlaceFacts
  readonly placeRejected: PlaceFacts
  /** Confirmed and rejected files in its folder, and all files there. */
  readonly confirmedBeside: number
  readonly rejectedBeside: number
  readonly beside: number
  /** Whether it and a confirmed file of the same stem are test and tested. */
  readonly isTestPair: boolean
  /** Part of the confirmed files that have its ending, 0..1. */
  readonly sameEnding: number
  readonly grounds: Grounds
}

/** The confirmed files behind the numbers, as paths, for the reasons; undefined where there is none. */
export interface Grounds {
  readonly changedWith: string | undefined
  readonly likest: string | undefined
  readonly sameStem: string | undefined
  readonly beside: string | undefined
  /** A symbol it defines and the confirmed file that uses it. */
  readonly used: Link | undefined
  /** A symbol it uses and the confirmed file that defines it. */
  readonly uses: Link | undefined
}

export interface Link {
  readonly name: string
  readonly path: string
}

const COMPARED = {
  relevance: (f) => f.relevance,
  together: (f) => f.together.sum,
  'together.task': (f) => f.together.onTask,
  'together.best': (f) => f.together.best,
  like: (f) => Math.max(0, f.like),
  'like.one': (f) => Math.max(0, f.likeOne),
  'like.focus': (f) => f.likeFocus.sum,
  moved: (f) => f.moved.sum,
  told: (f) => f.told.sum,
  'told.focus': (f) => f.toldFocus.sum,
  references: (f) => f.usedByConfirmed + f.usesConfirmed,
} as const satisfies Readonly<Record<string, (file: FeedbackView) => number>>

type ComparedScore = keyof typeof COMPARED

/** What is known of the judgements. */
export interface FeedbackQuery {
  readonly confirmed: number
  readonly rejected: number
  /** Mean relevance that the loop gave the confirmed files and the rejected ones; 0 for none. */
  readonly confirmedRelevance: number
  readonly rejectedRelevance: number
  readonly files: number
  readonly hasPast: boolean
  readonly knownTerms: number
  /** Sum of idf over the task's terms in the subjects of past commits. */
  readonly pastIdf: number
  readonly candidates: Readonly<Record<ComparedScore, Float64Array>>
}

/** What the files that were not judged are compared by. */
export function feedbackScores(files: readonly FeedbackView[]): FeedbackQuery['candidates'] {
  return Object.fromEntries(
    Object.entries(COMPARED).map(([name, of]) => [name, descending(files.map(of))]),
  ) as unknown as FeedbackQuery['candidates']
}

export interface FeedbackSignal {
  readonly name: string
  readonly value: (query: FeedbackQuery, file: FeedbackView) => number
}

function compared(name: ComparedScore): readonly FeedbackSignal[] {
  const of = COMPARED[name]
  return [
    { name: `${name}.share`, value: (q, f) => shareOfBest(q.candidates[name], of(f)) },
    { name: `${name}.rank`, value: (q, f) => reciprocalRank(q.candidates[name], of(f)) },
  ]
}

export const FEEDBACK_SIGNALS: readonly FeedbackSignal[] = [
  ...(Object.keys(COMPARED) as ComparedScore[]).flatMap(compared),
  { name: 'relevance.odds', value: (_, f) => Math.log(f.relevance / (1 - f.relevance)) },
  { name: 'body', value: (_, f) => f.body },
  { name: 'names', value: (_, f) => f.names },
  { name: 'cosine', value: (_, f) => f.cosine },
  { name: 'past', value: (_, f) => f.past },
  { name: 'coverage', value: (_, f) => f.coverage },
  { name: 'coverage.shared', value: (_, f) => f.wordsShared },
  { name: 'together.raw', value: (_, f) => f.together.sum },
  { name: 'together.mean', value: (q, f) => over(f.together.sum, q.confirmed) },
  { name: 'together.best.raw', value: (_, f) => f.together.best },
  { name: 'together.commits', value: (_, f) => log(f.together.commits) },
  { name: 'together.part', value: (_, f) => f.together.share },
  { name: 'together.part-back', value: (_, f) => f.together.shareBack },
  { name: 'together.narrow', value: (_, f) => log(f.together.narrow) },
  { name: 'together.newest', value: (_, f) => f.together.newest },
  { name: 'together.task.raw', value: (q, f) => over(f.together.onTask, q.pastIdf) },
  { name: 'rejected.together', value: (_, f) => f.togetherRejected.best },
  { name: 'like.raw', value: (_, f) => f.like },
  { name: 'like.one.raw', value: (_, f) => f.likeOne },
  { name: 'like.focus.best', value: (_, f) => f.likeFocus.best },
  { name: 'moved.best', value: (_, f) => f.moved.best },
  { name: 'rejected.like', value: (_, f) => f.likeRejected },
  { name: 'rejected.unlike', value: (_, f) => f.likeOne - f.likeRejected },
  { name: 'told.raw', value: (_, f) => f.told.sum },
  { name: 'told.focus.raw', value: (_, f) => f.toldFocus.sum },
  { name: 'references.used', value: (_, f) => log(f.usedByConfirmed) },
  { name: 'references.uses', value: (_, f) => log(f.usesConfirmed) },
  { name: 'references.mentioned', value: (_, f) => flag(f.isMentioned) },
  { name: 'references.mentions', value: (_, f) => flag(f.mentions) },
  { name: 'place.near', value: (_, f) => f.place.nearness },
  { name: 'place.stem', value: (_, f) => flag(f.place.isSameStem) },
  { name: 'place.name', value: (_, f) => f.place.nameOverlap },
  { name: 'place.beside', value: (_, f) => f.confirmedBeside },
  { name: 'place.beside.part', value: (q, f) => over(f.confirmedBeside, q.confirmed) },
  { name: 'place.files', value: (_, f) => log(f.beside) },
  { name: 'place.test', value: (_, f) => flag(f.isTestPair) },
  { name: 'place.ending', value: (_, f) => f.sameEnding },
  { name: 'rejected.near', value: (_, f) => f.placeRejected.nearness },
  { name: 'rejected.name', value: (_, f) => f.placeRejected.nameOverlap },
  { name: 'rejected.beside', value: (_, f) => f.rejectedBeside },
  { name: 'file.test', value: (_, f) => flag(f.facts.isTest) },
  { name: 'file.document', value: (_, f) => flag(f.facts.isDocument) },
  { name: 'file.data', value: (_, f) => flag(f.facts.isData) },
  { name: 'file.generated', value: (_, f) => flag(f.facts.isGenerated) },
  { name: 'file.barrel', value: (_, f) => flag(f.facts.isBarrel) },
  { name: 'file.size', value: (_, f) => log(f.chunks) },
  { name: 'file.depth', value: (_, f) => f.path.split('/').length - 1 },
  { name: 'past.commits', value: (_, f) => log(f.commits) },
  { name: 'past.known', value: (q) => flag(q.hasPast) },
  { name: 'judged.confirmed', value: (q) => q.confirmed },
  { name: 'judged.rejected', value: (q) => q.rejected },
  { name: 'judged.share', value: (q) => over(q.confirmed, q.confirmed + q.rejected) },
  { name: 'judged.relevance', value: (q) => q.confirmedRelevance },
  { name: 'judged.unlikely', value: (q) => q.rejectedRelevance },
  { name: 'query.terms', value: (q) => q.knownTerms },
  { name: 'index.files', value: (q) => log(q.files) },
]
