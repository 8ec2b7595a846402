/** From a finished (or paused) session to the answer that is published. */
import { dirname } from 'node:path'
import { bandOf } from '../rank/bands.js'
import { meaningsOf } from '../rank/custom-signals.js'
import { feedbackReason } from '../rank/feedback-reasons.js'
import { firstPhrase, reasonOf } from '../rank/reasons.js'
import type { Answer, AnswerFile, AnswerRange, MissingContext, Note, StopReason } from '../types.js'
import { mendCommand } from '../store/mend.js'
import { briefly, type FileKnowledge } from './budget-plan.js'
import { fitAnswer, type Budget } from './budget.js'
import type { Dispatched } from './dispatch.js'
import type { Engine } from './engine.js'
import type { Interest } from './excerpt.js'
import type { FoundFile } from './found-file.js'
import { lineInterest } from './line-interest.js'
import { pastNotes } from './past-notes.js'
import { bestRanges, bestSymbol, toRanges } from './ranges.js'
import type { RetrievalSession } from './session.js'
import { withLines } from './with-lines.js'

export interface AnswerOptions {
  readonly limit: number
  readonly minRelevance: number
  /** Where some file reaches `minRelevance`, others from here on follow in brief. Default: none. */
  readonly minRelevanceOfRest?: number
  /** Add the signals behind each relevance. */
  readonly explain: boolean
  /** Add the lines of every range. */
  readonly withText: boolean
  /** Files known to differ from the index; null where nobody looked. */
  readonly stale: number | null
  readonly notes: readonly Note[]
  readonly ms: number
  /** Leave out files that were judged. */
  readonly onlyNew: boolean
  /** What the answer may take when it is emitted. */
  readonly budget?: Pick<Budget<Answer>, 'tokens' | 'emit'>
}

export function toAnswer(session: RetrievalSession, stop: StopReason, options: AnswerOptions): Answer {
  const { engine } = session
  const shown = shownFiles(session, options)
  const paths = new Set(shown.map(({ rated }) => rated.path))
  const isOpen = ({ definedIn }: MissingContext): boolean => definedIn === undefined || !paths.has(definedIn)
  const { files, chunks, skipped } = engine.index.stats
  const answer: Answer = {
    schema: 1,
    task: session.options.task,
    stop,
    notes: [...options.notes, ...ownNotes(session, options)],
    files: shown.map((found) =>
      toFile({ ...found, missing: found.missing.filter(isOpen) }, session, options),
    ),
    gaps: orderedGaps(session.gaps.filter(isOpen)),
    cycles: session.cycles,
    index: { files, chunks, stale: options.stale, skipped, encoder: engine.index.settings.encoder },
    ms: options.ms,
  }
  if (options.budget === undefined) return answer
  const found = new Map(shown.map((one) => [one.rated.path, one]))
  const knowledge: FileKnowledge<AnswerFile> = {
    bestRanges: ({ path }) => bestRanges(found.get(path)?.matched ?? []),
    interest: interestOf(found, engine),
    inBrief,
  }
  const ofRest = (file: AnswerFile): boolean => file.relevance < options.minRelevance
  const told = answer.files.map((file) => (ofRest(file) ? briefly(file, knowledge) : file))
  return fitAnswer(
    { ...answer, files: told },
    {
      ...options.budget,
      ...knowledge,
      // In brief there are fewer of them.
      bestRanges: (file) => (ofRest(file) ? [...file.ranges.keys()] : knowledge.bestRanges(file)),
    },
  )
}

/** What the answer may hold, best first: files that are likely enough, and the rest only where there is such a one. */
function shownFiles(session: RetrievalSession, options: AnswerOptions): readonly FoundFile[] {
  const { minRelevance, minRelevanceOfRest = minRelevance, onlyNew, limit } = options
  const [best] = session.files
  const isMatch = best !== undefined && best.rated.relevance >= minRelevance
  const least = isMatch ? minRelevanceOfRest : minRelevance
  return session.files
    .filter(({ rated }) => rated.relevance >= least && rated.relevance > 0)
    .filter(({ verdict }) => !onlyNew || verdict?.kind !== 'confirmed')
    .slice(0, limit)
    .map((found) => session.detailed(found))
}

/** What a line is worth: the words of the task in it, by how rare they are. */
function interestOf(
  found: ReadonlyMap<string, FoundFile>,
  { vocabulary }: Engine,
): (file: AnswerFile, range: AnswerRange) => Interest {
  const interest = lineInterest()
  return ({ path }, { symbol }) => {
    const terms = found.get(path)?.rated.matched ?? []
    const wanted = terms.map(({ term, weight }) => ({ term, worth: weight * vocabulary.idf(term) }))
    return interest(wanted, symbol)
  }
}

/** A file with the first phrase of its reason, its strongest evidence; without what it misses. */
function inBrief({ path, relevance, band, cycle, reason, ranges }: AnswerFile): AnswerFile {
  return { path, relevance, band, cycle, reason: firstPhrase(reason), ranges, missingContext: [] }
}

function toFile(found: FoundFile, session: RetrievalSession, options: AnswerOptions): AnswerFile {
  const { rated, cycle, matched, missing } = found
  const ranges = toRanges(matched)
  const evidence = rated.evidence()
  const meanings = meaningsOf(session.signals)
  return {
    path: rated.path,
    relevance: rated.relevance,
    band: bandOf(rated.relevance),
    cycle,
    reason: judgedReason(found, {
      meanings,
      own: reasonOf({
        meanings,
        view: rated.view,
        evidence,
        words: tellingWords(found, session.engine),
        symbol: bestSymbol(matched),
        subject: rated.view.past.commit < 0 ? '' : session.engine.index.past.subject(rated.view.past.commit),
        bridges: bridgesInto(found, session.dispatched),
        ranges: matched.length,
      }),
    }),
    ranges: options.withText ? withLines(ranges, session.engine.linesOf(rated.path)) : ranges,
    missingContext: missing,
    ...(options.explain
      ? { evidence: found.verdict?.kind === 'rated' ? found.verdict.evidence() : evidence }
      : {}),
  }
}

function judgedReason({ verdict }: FoundFile, said: Parameters<typeof feedbackReason>[2]): string {
  if (verdict === undefined) return said.own
  if (verdict.kind === 'confirmed') return `judged relevant; ${said.own}`
  return feedbackReason(verdict.view, verdict.evidence(), said)
}

/** Matched words of the task, rarest first. */
function tellingWords({ rated }: FoundFile, { vocabulary }: Engine): readonly string[] {
  return rated.matched
    .filter(({ origin }) => origin === 'task' || origin === 'bridge')
    .map(({ word, term }) => ({ word, rarity: vocabulary.idf(term) }))
    .sort((a, b) => b.rarity - a.rarity || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
}

function bridgesInto(
  { rated }: FoundFile,
  dispatched: Dispatched | undefined,
): readonly { readonly word: string; readonly to: string }[] {
  const words = new Set(rated.matched.filter(({ origin }) => origin === 'bridge').map(({ word }) => word))
  return (dispatched?.bridged ?? []).flatMap(({ word, to }) => {
    const target = to.find((candidate) => words.has(candidate))
    return target === undefined ? [] : [{ word, to: target }]
  })
}

function orderedGaps(gaps: readonly MissingContext[]): readonly MissingContext[] {
  return [...gaps].sort((a, b) => Number(b.critical) - Number(a.critical))
}

function ownNotes(session: RetrievalSession, options: AnswerOptions): readonly Note[] {
  const notes: Note[] = [...pastNotes(session.engine.index.history.state)]
  if (options.stale !== null && options.stale > 0) {
    notes.push({
      code: 'STALE_FILES',
      message: `${options.stale} files changed since they were indexed; run: ${mendCommand(dirname(session.engine.index.path))}`,
    })
  }
  if (session.deepUnavailable !== undefined) {
    const message = `no transformer looked at the best files: ${session.deepUnavailable}`
    notes.push({ code: 'DEEP_UNAVAILABLE', message })
  }
  if (session.wasShortened) {
    notes.push({ code: 'TASK_SHORTENED', message: 'the task is very long; only its beginning was used' })
  }
  if (session.dispatched?.terms.length === 0) {
    notes.push({
      code: 'NO_KNOWN_WORDS',
      message: 'the index holds none of the words of the task, nor any near them',
    })
  }
  const nearest = nearestBelow(session.files, options)
  if (nearest.length > 0) {
    const list = shortList(nearest.map(inShort))
    const message = `nothing reaches ${options.minRelevance}; the nearest: ${list}; a lower minimum relevance shows more`
    notes.push({ code: 'BELOW_MINIMUM', message })
  }
  return notes
}

// As many as one looks at; docs/decisions/0020-nothing-likely-enough.md.
const MOST_NEAREST = 5
// Below it even the second of them is a guess; the first is named whatever it is.
const LEAST_NEAREST = 0.03

/** Where no file reaches the minimum: those that come nearest, best first. */
function nearestBelow(
  files: readonly FoundFile[],
  { minRelevance }: Pick<AnswerOptions, 'minRelevance'>,
): readonly FoundFile[] {
  const [best] = files
  if (best === undefined || best.rated.relevance >= minRelevance || best.rated.relevance === 0) return []
  return files
    .filter(({ rated }) => rated === best.rated || rated.relevance >= LEAST_NEAREST)
    .slice(0, MOST_NEAREST)
}

// A note stands in every answer, also in one of 200 tokens (800 bytes).
const MAX_NEAREST_CHARACTERS = 300

/** The first, and as many more as there is room for. */
function shortList(items: readonly string[]): string {
  return items.reduce((list, item) =>
    list.length + item.length > MAX_NEAREST_CHARACTERS ? list : `${list}, ${item}`,
  )
}

/** "src/token.ts:10-40 (0.17)": its best range. */
function inShort({ rated, matched }: FoundFile): string {
  const ranges = toRanges(matched)
  const range = ranges[bestRanges(matched)[0] ?? 0]
  const lines = range === undefined ? '' : `:${range.start}-${range.end}`
  return `${rated.path}${lines} (${rated.relevance.toFixed(2)})`
}
