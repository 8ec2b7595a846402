/**
 * The signals: named numbers about (query, file), each one small pure function. Their order is the model's input;
 * adding, removing or changing one means a new SIGNALS_VERSION and a newly trained model.
 */
import type { FileScore } from './aggregate.js'
import { descending, flag, log, over, reciprocalRank, shareOfBest } from './compare.js'
import type { PastScore } from './past-scores.js'
import { Neighbourhoods, type Neighbourhood } from './neighbourhood.js'
import { isText, type PathFacts } from './path-facts.js'

/**
 * 1: first table, hand-set weights.
 * 2: past commits.
 * 3: every score as share of the best, as rank and as it is; whole files; exact names; facts about query and repository.
 * 4: titles of files, and what stands near a file.
 */
export const SIGNALS_VERSION = 4

/** What ranking knows about one candidate file. */
export interface FileView {
  readonly path: string
  readonly facts: PathFacts
  readonly body: FileScore
  readonly names: FileScore
  readonly comment: FileScore
  /** BM25 of the file taken as one document. */
  readonly wholeFile: number
  /** BM25 of the file name and of the folder names. */
  readonly fileName: number
  readonly folder: number
  /** Cosine of the query with the file's chunks, 0..1. */
  readonly cosine: FileScore
  /** Cosine of the query with the file's title (its path and the names it defines), 0..1. */
  readonly titleCosine: number
  /** Share of the query's idf found in the file's text, 0..1; and in its definition names and path. */
  readonly coverage: number
  readonly nameCoverage: number
  /** Share of the query's idf found together in the file's best chunk, 0..1. */
  readonly chunkCoverage: number
  /** Whether the file holds the rarest term of the query: 0 no, 1 in its text, 2 in a definition name or the path. */
  readonly rarest: 0 | 1 | 2
  /** Terms of the query in the file. */
  readonly matchedTerms: number
  /** Share of the words of its file name, and of its best definition name, that the query holds, 0..1. */
  readonly fileNameFit: number
  readonly nameFit: number
  /** Identifiers of the task (as written) that this file defines. */
  readonly definedSymbols: readonly string[]
  /** Whether the task points at this file: by its path, as the place of an error, by a text that it holds. */
  readonly isNamed: boolean
  /** How the task points at it, in words; "" when it does not. */
  readonly mention: string
  /** Lines of it that the task points at. */
  readonly mentionedLines: readonly number[]
  /** Symbols a confirmed file uses and this file defines. */
  readonly pointedAtBy: readonly string[]
  readonly chunks: number
  /** What the subjects of past commits that touched it have of the query. */
  readonly past: PastScore
  /** Past commits that touched it. */
  readonly commits: number
}

/** Scores that mean most beside those of the other candidates. */
const COMPARED = {
  body: (f) => f.body.sum,
  names: (f) => f.names.sum,
  comment: (f) => f.comment.sum,
  'whole-file': (f) => f.wholeFile,
  'all-fields': (f) => f.body.sum + f.names.sum + f.comment.sum + f.fileName + f.folder,
  'file-name': (f) => f.fileName,
  folder: (f) => f.folder,
  'cosine.best': (f) => f.cosine.best,
  'cosine.sum': (f) => f.cosine.sum,
  'cosine.title': (f) => f.titleCosine,
  'past.sum': (f) => f.past.sum,
  'past.best': (f) => f.past.best,
} as const satisfies Readonly<Record<string, (file: FileView) => number>>

type ComparedScore = keyof typeof COMPARED

/** What ranking knows about the query. */
export interface QueryView {
  /** Sum of idf over the query's terms. */
  readonly totalIdf: number
  /** Query terms that occur somewhere in the index. */
  readonly knownTerms: number
  /** Sum of idf over the query's terms in the subjects of past commits. */
  readonly pastIdf: number
  /** Whether the index holds past commits. */
  readonly hasPast: boolean
  /** Files of the index. */
  readonly files: number
  /** By score, what the candidates have, largest first; see `comparedScores`. */
  readonly candidates: Readonly<Record<ComparedScore, Float64Array>>
  /** What the candidates say about where they stand; see `neighbourhoodsOf`. */
  readonly neighbourhoods: Neighbourhoods
}

/** What the candidates of a query are compared by: files of code, or all where there are none. */
export function comparedScores(candidates: readonly FileView[]): QueryView['candidates'] {
  const files = codeOf(candidates)
  return Object.fromEntries(
    Object.entries(COMPARED).map(([name, of]) => [name, descending(files.map(of))]),
  ) as unknown as QueryView['candidates']
}

/** Neighbourhoods of the candidates that count, by their shares of the best of `scores`. */
export function neighbourhoodsOf(
  candidates: readonly FileView[],
  scores: QueryView['candidates'],
): Neighbourhoods {
  const share = (name: ComparedScore, file: FileView): number =>
    shareOfBest(scores[name], COMPARED[name](file))
  return new Neighbourhoods(
    codeOf(candidates).map((file) => ({
      path: file.path,
      words: share('all-fields', file),
      cosine: share('cosine.sum', file),
      past: share('past.sum', file),
    })),
  )
}

/** Files of code, or all where there are none. */
function codeOf(files: readonly FileView[]): readonly FileView[] {
  const code = files.filter(({ facts }) => !isText(facts))
  return code.length > 0 ? code : files
}

export interface Signal {
  readonly name: string
  readonly value: (query: QueryView, file: FileView) => number
}

/**
 * Nearness in meaning is unknown, not far, where no word of the task has a vector (a task in Chinese): what the words
 * themselves say is then the best guess of it.
 */
function isMeaningUnknown({ candidates }: QueryView): boolean {
  return (candidates['cosine.best'][0] ?? 0) === 0
}

/** One score of COMPARED as a share of the best candidate's, 0..1, and as a rank among them. */
function compared(name: ComparedScore): readonly Signal[] {
  const isOfMeaning = name.startsWith('cosine.')
  const score = (q: QueryView): ComparedScore => (isOfMeaning && isMeaningUnknown(q) ? 'all-fields' : name)
  return [
    {
      name: `${name}.share`,
      value: (q, f) => shareOfBest(q.candidates[score(q)], COMPARED[score(q)](f)),
    },
    {
      name: `${name}.rank`,
      value: (q, f) => reciprocalRank(q.candidates[score(q)], COMPARED[score(q)](f)),
    },
  ]
}

/** What stands near a file, by one word each. */
const NEIGHBOURHOOD: Readonly<Record<string, keyof Neighbourhood>> = {
  'folder.candidates': 'inFolder',
  'folder.words': 'folderWords',
  'folder.cosine': 'folderCosine',
  'folder.past': 'folderPast',
  'folder.words.mean': 'folderMeanWords',
  'folder.cosine.mean': 'folderMeanCosine',
  'near.words': 'nearWords',
  'near.cosine': 'nearCosine',
  'near.past': 'nearPast',
  'namesake.words': 'namesakeWords',
  'namesake.cosine': 'namesakeCosine',
}

/** Shares, coverages, fits and ranks are in 0..1; "raw" scores, over the idf they could have, are from 0 up. */
export const SIGNALS: readonly Signal[] = [
  ...(Object.keys(COMPARED) as ComparedScore[]).flatMap(compared),
  { name: 'body.raw', value: (q, f) => over(f.body.sum, q.totalIdf) },
  { name: 'body.best.raw', value: (q, f) => over(f.body.best, q.totalIdf) },
  { name: 'body.second.raw', value: (q, f) => over(f.body.second, q.totalIdf) },
  { name: 'names.raw', value: (q, f) => over(f.names.sum, q.totalIdf) },
  { name: 'names.best.raw', value: (q, f) => over(f.names.best, q.totalIdf) },
  { name: 'comment.raw', value: (q, f) => over(f.comment.sum, q.totalIdf) },
  { name: 'whole-file.raw', value: (q, f) => over(f.wholeFile, q.totalIdf) },
  { name: 'file-name.raw', value: (q, f) => over(f.fileName, q.totalIdf) },
  { name: 'folder.raw', value: (q, f) => over(f.folder, q.totalIdf) },
  { name: 'cosine.best.raw', value: (_, f) => f.cosine.best },
  { name: 'cosine.second.raw', value: (_, f) => f.cosine.second },
  { name: 'cosine.title.raw', value: (_, f) => f.titleCosine },
  { name: 'past.sum.raw', value: (q, f) => over(f.past.sum, q.pastIdf) },
  { name: 'past.best.raw', value: (q, f) => over(f.past.best, q.pastIdf) },
  { name: 'coverage', value: (_, f) => f.coverage },
  { name: 'coverage.names', value: (_, f) => f.nameCoverage },
  { name: 'coverage.chunk', value: (_, f) => f.chunkCoverage },
  { name: 'coverage.rarest', value: (_, f) => f.rarest },
  { name: 'coverage.terms', value: (_, f) => f.matchedTerms },
  { name: 'fit.file-name', value: (_, f) => f.fileNameFit },
  { name: 'fit.names', value: (_, f) => f.nameFit },
  { name: 'defines.symbol', value: (_, f) => Math.min(f.definedSymbols.length, 2) },
  { name: 'named.path', value: (_, f) => flag(f.isNamed) },
  { name: 'pointed-at', value: (_, f) => Math.min(f.pointedAtBy.length, 3) },
  { name: 'file.test', value: (_, f) => flag(f.facts.isTest) },
  { name: 'file.document', value: (_, f) => flag(f.facts.isDocument) },
  { name: 'file.generated', value: (_, f) => flag(f.facts.isGenerated) },
  { name: 'file.data', value: (_, f) => flag(f.facts.isData) },
  { name: 'file.barrel', value: (_, f) => flag(f.facts.isBarrel) },
  { name: 'file.size', value: (_, f) => log(f.chunks) },
  { name: 'file.depth', value: (_, f) => f.path.split('/').length - 1 },
  { name: 'past.known', value: (q) => flag(q.hasPast) },
  { name: 'past.commits', value: (_, f) => log(f.commits) },
  ...Object.entries(NEIGHBOURHOOD).map(([name, of]): Signal => ({
    name,
    value: (q, f) => q.neighbourhoods.of(f.path)[of],
  })),
  { name: 'query.terms', value: (q) => q.knownTerms },
  { name: 'query.rarity', value: (q) => over(q.totalIdf, q.knownTerms) },
  { name: 'query.cosine', value: (q) => q.candidates['cosine.best'][0] ?? 0 },
  { name: 'index.files', value: (q) => log(q.files) },
]
