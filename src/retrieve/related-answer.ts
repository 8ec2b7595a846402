/** From places in the code to the published answer about what belongs to them. */
import { HoneError } from '../errors.js'
import { firstPhrase } from '../rank/reasons.js'
import { wholeTermOf } from '../text/words.js'
import type { StoredFile } from '../store/records.js'
import type { AnswerRange, FileId, Note, Place, RelatedAnswer, RelatedAnswerFile } from '../types.js'
import { fitAnswer, type Budget } from './budget.js'
import type { Engine } from './engine.js'
import { knownFile } from './known-path.js'
import { lineInterest } from './line-interest.js'
import { pastNotes } from './past-notes.js'
import { bestRanges, toRanges } from './ranges.js'
import { chunkAt, type SourcePlace } from './references.js'
import { related, type RelatedFile } from './related.js'
import { accepts, scopeOf } from './scope.js'
import { withLines } from './with-lines.js'

export interface RelatedAnswerOptions {
  readonly limit: number
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Ranges carry their lines. */
  readonly withText: boolean
  readonly stale: number | null
  readonly notes: readonly Note[]
  readonly budget?: Pick<Budget<RelatedAnswer>, 'tokens' | 'emit'>
  /** Milliseconds since the question was asked. */
  readonly elapsedMs: () => number
}

/** Throws PATH_UNKNOWN or PATH_OUTSIDE for a file that is not indexed, USAGE for a line beyond its end, GLOB_INVALID. */
export function relatedAnswer(
  engine: Engine,
  asked: readonly Place[],
  options: RelatedAnswerOptions,
): RelatedAnswer {
  const { index } = engine
  const known = asked.map((place) => ({ place, file: knownFile(index, place.path) }))
  const places = known.map(({ place, file }) => ({ ...place, path: file.path }))
  const scope = scopeOf(index, options.include, options.exclude)
  const sources = known.map(({ place, file }) => sourceOf(engine, file, place.lines))
  const shown = related(engine, sources, { accepts: (file) => accepts(scope, file) }).slice(0, options.limit)
  const { files, chunks, skipped } = index.stats
  const matched = new Map(shown.map((file) => [file.path, file.matched]))
  const answer: RelatedAnswer = {
    schema: 1,
    places,
    notes: [...options.notes, ...pastNotes(index.history.state)],
    files: shown.map((file) => toFile(engine, file, { sources, withText: options.withText })),
    index: { files, chunks, stale: options.stale, skipped, encoder: index.settings.encoder },
    ms: options.elapsedMs(),
  }
  if (options.budget === undefined) return answer
  const interest = lineInterest()
  return fitAnswer(answer, {
    ...options.budget,
    bestRanges: ({ path }) => bestRanges(matched.get(path) ?? []),
    interest: ({ uses, usedBy }, { symbol }) =>
      interest(
        [...uses, ...usedBy].map((name) => ({ term: wholeTermOf(name), worth: 1 })),
        symbol,
      ),
    inBrief,
  })
}

/** A file with its hardest evidence alone, and the names that a reason would list. */
function inBrief(file: RelatedAnswerFile): RelatedAnswerFile {
  return {
    ...file,
    reason: firstPhrase(file.reason),
    uses: file.uses.slice(0, MAX_NAMES),
    usedBy: file.usedBy.slice(0, MAX_NAMES),
  }
}

/** The chunks a place means: those that its lines touch, or all of the file. */
function sourceOf({ index }: Engine, file: StoredFile, lines: Place['lines']): SourcePlace {
  const chunks = index.chunksOf(file.id)
  if (lines === undefined) return { file: file.id, chunks }
  for (const { start } of lines) {
    if (chunkAt(chunks, start) !== undefined) continue
    throw new HoneError('USAGE', `${file.path} has ${file.lines} lines; line ${start} is not one of them`)
  }
  const touched = chunks.filter(({ startLine, endLine }) =>
    lines.some(({ start, end }) => startLine <= end && start <= endLine),
  )
  return { file: file.id, chunks: touched }
}

function toFile(
  engine: Engine,
  file: RelatedFile,
  options: { readonly sources: readonly SourcePlace[]; readonly withText: boolean },
): RelatedAnswerFile {
  const { path, relatedness, parts, matched } = file
  const commitsTogether = commitsOfBoth(engine, file.file, options.sources)
  const ranges: readonly AnswerRange[] = toRanges(matched)
  return {
    path,
    relatedness,
    reason: reasonOf(file, commitsTogether),
    ranges: options.withText ? withLines(ranges, engine.linesOf(path)) : ranges,
    similarity: Math.round(Math.max(0, parts.similar) * 1000) / 1000,
    commitsTogether,
    uses: parts.uses,
    usedBy: parts.usedBy,
  }
}

function commitsOfBoth({ index }: Engine, file: FileId, sources: readonly SourcePlace[]): number {
  const { past } = index
  let commits = 0
  for (let commit = 0; commit < past.commits; commit++) {
    const files = past.fileOf.subarray(past.firstFile[commit], past.firstFile[commit + 1])
    if (files.includes(file) && sources.some((source) => files.includes(source.file))) commits++
  }
  return commits
}

// Names in a reason; the lists beside it have all.
const MAX_NAMES = 3
// Cosine from which a similarity is worth a word (docs/decisions/0006-static-embedding.md: near names begin at 0.45).
const SAID_FROM = 0.45

/** Its evidence in words, the hardest first. */
function reasonOf({ parts, matched }: RelatedFile, commits: number): string {
  const similar = matched[0]?.chunk.name ?? ''
  const said = [
    ...(parts.uses.length === 0 ? [] : [`defines ${listed(parts.uses)}, used here`]),
    ...(parts.usedBy.length === 0 ? [] : [`uses ${listed(parts.usedBy)}`]),
    ...(commits === 0 ? [] : [`changed together in ${commits} commit${commits === 1 ? '' : 's'}`]),
    ...(parts.similar < SAID_FROM ? [] : [`similar code${similar === '' ? '' : `, ${similar}`}`]),
  ]
  return said.length === 0 ? 'somewhat similar code' : said.join('; ')
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
