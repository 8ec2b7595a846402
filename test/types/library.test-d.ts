/**
 * What callers may rely on in the types of the library. Checked by `npm run typecheck`, run by nobody: a broken promise
 * is a compile error, and so is a mistake that the types no longer catch (@ts-expect-error). test/types/exports.test.ts
 * holds that every export is named here.
 */
/* eslint-disable @typescript-eslint/unbound-method, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access -- methods are only named, and what must fail does not resolve */
import { expectTypeOf } from 'vitest'
import {
  addEncoder,
  buildIndex,
  codeMarker,
  defaultRoot,
  diagnose,
  encodersAtHand,
  evidenceInWords,
  findIndexedRoot,
  HoneError,
  indexCommand,
  indexFolderOf,
  nothingFound,
  openIndex,
  removeIndex,
  tokensOf,
  watchIndex,
  whyNoHistory,
  type AddEncoderOptions,
  type Answer,
  type AnswerFile,
  type AnswerRange,
  type Band,
  type Bridge,
  type BuildOptions,
  type BuildProgress,
  type BuildSummary,
  type Check,
  type Chunk,
  type ChunkedFile,
  type ChunkId,
  type ChunkKind,
  type CodeMarker,
  type CodeMarks,
  type CodeSymbol,
  type CustomSignal,
  type CycleQuery,
  type CycleReport,
  type DeepMode,
  type Embedder,
  type EmbedOptions,
  type EncoderKind,
  type Evidence,
  type EvidenceInWords,
  type ExplainedCycle,
  type ExplainedDeepStep,
  type ExplainedOutcome,
  type ExplainedRating,
  type ExplainedWord,
  type ExplainRequest,
  type Explanation,
  type FileId,
  type HoneErrorCode,
  type HoneIndex,
  type IndexStatus,
  type Judgement,
  type MarkedExcerpt,
  type MissingContext,
  type ModelFolder,
  type NoHistoryReason,
  type Note,
  type NoteCode,
  type OpenOptions,
  type PastCommit,
  type PastState,
  type Place,
  type RelatedAnswer,
  type RelatedAnswerFile,
  type RelatedOptions,
  type RelatedToOptions,
  type Rename,
  type RetrieveOptions,
  type Session,
  type SignalFile,
  type SkippedFile,
  type SkipReason,
  type SourceText,
  type StopReason,
  type SymbolKind,
  type TextSpan,
  type WalkedFile,
  type WalkResult,
  type WordSpan,
  type WatchOptions,
} from '../../src/index.js'

// ---------------------------------------------------------------- nothing that is given can be changed

// The two functions differ exactly where A and B do, modifiers included.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Whether no property of T, at any depth, can be assigned to. */
type IsReadonly<T> = T extends (...args: never) => unknown
  ? true
  : T extends readonly (infer Item)[]
    ? T extends unknown[]
      ? false
      : IsReadonly<Item>
    : T extends object
      ? false extends {
          [K in keyof T]-?: Same<Pick<T, K>, Readonly<Pick<T, K>>> extends true ? IsReadonly<T[K]> : false
        }[keyof T]
        ? false
        : true
      : true

type Given = readonly [
  ...[Answer, AnswerFile, AnswerRange, Bridge, CycleQuery, CycleReport, Evidence, MissingContext, Note],
  ...[RelatedAnswer, RelatedAnswerFile, Place],
  ...[Explanation, ExplainedCycle, ExplainedDeepStep, ExplainedRating, ExplainedWord],
  ...[IndexStatus, BuildSummary, BuildProgress, Check, ModelFolder, PastState, SignalFile],
  ...[Chunk, ChunkedFile, CodeSymbol, PastCommit, Rename, SkippedFile, SourceText, WalkedFile, WalkResult],
]
type AllReadonly<T extends readonly unknown[]> = { [K in keyof T]: IsReadonly<T[K]> }[number]

expectTypeOf<AllReadonly<Given>>().toEqualTypeOf<true>()
// The check itself tells the two apart.
expectTypeOf<IsReadonly<{ readonly a: { b: number } }>>().toEqualTypeOf<false>()
expectTypeOf<IsReadonly<{ readonly a: number[] }>>().toEqualTypeOf<false>()
expectTypeOf<IsReadonly<{ readonly a: readonly { readonly b: number }[] }>>().toEqualTypeOf<true>()

declare const answer: Answer
// @ts-expect-error an answer is not the caller's to change
answer.files.push(answer.files[0]!)
// @ts-expect-error nor is a relevance
answer.files[0]!.relevance = 1

// ---------------------------------------------------------------- what comes back from where

declare const index: HoneIndex
declare const session: Session
expectTypeOf(buildIndex).parameters.toEqualTypeOf<[BuildOptions]>()
expectTypeOf(buildIndex).returns.toEqualTypeOf<Promise<BuildSummary>>()
expectTypeOf(watchIndex).parameters.toEqualTypeOf<[WatchOptions]>()
expectTypeOf(watchIndex).returns.toEqualTypeOf<Promise<void>>()
expectTypeOf(openIndex).parameters.toEqualTypeOf<[OpenOptions]>()
expectTypeOf(openIndex).returns.toEqualTypeOf<Promise<HoneIndex>>()
expectTypeOf(removeIndex).returns.toEqualTypeOf<string | undefined>()
expectTypeOf(addEncoder).parameters.toEqualTypeOf<[AddEncoderOptions]>()
expectTypeOf(addEncoder).returns.toEqualTypeOf<Promise<ModelFolder>>()
expectTypeOf(encodersAtHand).returns.toEqualTypeOf<readonly ModelFolder[]>()
expectTypeOf(diagnose).returns.toEqualTypeOf<Promise<readonly Check[]>>()
expectTypeOf(findIndexedRoot).returns.toEqualTypeOf<string | undefined>()
expectTypeOf(defaultRoot).returns.toEqualTypeOf<string>()
expectTypeOf(indexFolderOf).returns.toEqualTypeOf<string>()
expectTypeOf(indexCommand).returns.toEqualTypeOf<string>()
expectTypeOf(codeMarker).toEqualTypeOf<() => Promise<CodeMarker>>()
expectTypeOf<CodeMarker>().toEqualTypeOf<(excerpt: MarkedExcerpt) => CodeMarks>()
expectTypeOf<CodeMarks['comments']>().toEqualTypeOf<readonly TextSpan[]>()
expectTypeOf<CodeMarks['words']>().toEqualTypeOf<readonly WordSpan[]>()
expectTypeOf(evidenceInWords).toEqualTypeOf<(evidence: readonly Evidence[]) => readonly EvidenceInWords[]>()
expectTypeOf(nothingFound).toEqualTypeOf<(answer: { readonly notes: readonly Note[] }) => string>()
expectTypeOf(tokensOf).toEqualTypeOf<(text: string) => number>()
expectTypeOf(whyNoHistory).parameter(0).toEqualTypeOf<NoHistoryReason>()
expectTypeOf(index.retrieve).parameters.toEqualTypeOf<[RetrieveOptions]>()
expectTypeOf(index.retrieve).returns.toEqualTypeOf<Promise<Answer>>()
expectTypeOf(index.start).returns.toEqualTypeOf<Session>()
expectTypeOf(index.explain).parameters.toEqualTypeOf<[ExplainRequest]>()
expectTypeOf(index.explain).returns.toEqualTypeOf<Promise<Explanation>>()
expectTypeOf(index.related).parameters.toEqualTypeOf<[RelatedOptions]>()
expectTypeOf(index.related).returns.toEqualTypeOf<RelatedAnswer>()
expectTypeOf(index.relatedToChanges).parameter(0).toEqualTypeOf<RelatedToOptions | undefined>()
expectTypeOf(index.refresh).returns.toEqualTypeOf<Promise<number>>()
expectTypeOf(index.status).toEqualTypeOf<IndexStatus>()
expectTypeOf(index.files()).toEqualTypeOf<readonly string[]>()
expectTypeOf(index.skipped()).toEqualTypeOf<readonly SkippedFile[]>()
expectTypeOf(index.linesOf('a')).toEqualTypeOf<readonly string[] | undefined>()
expectTypeOf(session.stop).toEqualTypeOf<StopReason | undefined>()
expectTypeOf(session.next).returns.toEqualTypeOf<Promise<Answer>>()
expectTypeOf(session.finish).returns.toEqualTypeOf<Promise<Answer>>()
expectTypeOf(session.judge).parameters.toEqualTypeOf<[readonly Judgement[]]>()
// @ts-expect-error an index stays where it is
index.root = 'elsewhere'
// @ts-expect-error a session is not changed from outside
session.stop = 'sufficient'

// ---------------------------------------------------------------- what is one of a few is told apart

declare const past: PastState
if (past.kind === 'read') expectTypeOf(past.commits).toEqualTypeOf<number>()
else expectTypeOf(past.why).toEqualTypeOf<NoHistoryReason>()
// @ts-expect-error there are no commits where there is no history
past.commits.toFixed()

expectTypeOf<StopReason>().toEqualTypeOf<
  'sufficient' | 'nothing-new' | 'max-cycles' | 'budget' | 'no-match'
>()
expectTypeOf<Band>().toEqualTypeOf<'high' | 'medium' | 'low' | 'none'>()
expectTypeOf<DeepMode>().toEqualTypeOf<'always' | 'auto' | 'never'>()
expectTypeOf<EncoderKind>().toEqualTypeOf<ModelFolder['kind']>()
expectTypeOf<MissingContext['kind']>().toEqualTypeOf<'symbol' | 'word'>()
expectTypeOf<AnswerRange['kind']>().toEqualTypeOf<ChunkKind>()
expectTypeOf<SymbolKind>().toExtend<ChunkKind>()
expectTypeOf<Note['code']>().toEqualTypeOf<NoteCode>()
expectTypeOf<Explanation['outcome']>().toEqualTypeOf<ExplainedOutcome>()
expectTypeOf<SkippedFile['reason']>().toEqualTypeOf<SkipReason>()
expectTypeOf<Answer['schema']>().toEqualTypeOf<1>()
expectTypeOf<Answer['index']['stale']>().toEqualTypeOf<number | null>()

declare const error: HoneError
expectTypeOf(error).toExtend<Error>()
expectTypeOf(error.code).toEqualTypeOf<HoneErrorCode>()
expectTypeOf<'ABORTED' | 'INDEX_ENCODER' | 'INDEX_MISSING' | 'SIGNAL_INVALID'>().toExtend<HoneErrorCode>()
// @ts-expect-error a code that is in no table
if (error.code === 'NO_SUCH_CODE') throw error
// @ts-expect-error a code does not change
error.code = 'USAGE'

// One id is not another, nor any number.
declare const file: FileId
// @ts-expect-error a file is no chunk
file satisfies ChunkId
// @ts-expect-error ids come from an index
1 satisfies FileId

// ---------------------------------------------------------------- options

void buildIndex({ root: '.', history: false, include: ['src'] as const })
void openIndex({ root: '.', refresh: true, signal: new AbortController().signal })
void index.retrieve({ task: 'a', judge: () => [], signals: [] })
void index.retrieve({ task: 'a', judge: () => Promise.resolve([{ path: 'a', relevant: true }]) })
// @ts-expect-error a root is always named
void buildIndex({})
// @ts-expect-error a misspelt option
void buildIndex({ root: '.', inculde: ['src'] })
// @ts-expect-error globs come as a list
void buildIndex({ root: '.', include: 'src' })
// @ts-expect-error "not given" is left out, not undefined
void buildIndex({ root: '.', encoder: undefined })
// @ts-expect-error an encoder is a name; an embedder is another option
void buildIndex({ root: '.', encoder: {} as Embedder })
// @ts-expect-error nothing would end it
void watchIndex({ root: '.' })
// @ts-expect-error the root is named
void openIndex('.')
// @ts-expect-error without a task
void index.retrieve({ limit: 3 })
// @ts-expect-error no such mode
void index.retrieve({ task: 'a', deep: 'sometimes' })
// @ts-expect-error a judgement says which way
void index.retrieve({ task: 'a', judgements: [{ path: 'a' }] })
// @ts-expect-error a judge that says nothing returns an empty list
void index.retrieve({ task: 'a', judge: () => undefined })
// @ts-expect-error a place is a path
index.related({ line: 3 })
// @ts-expect-error an explanation is of one file
void index.explain({ task: 'a' })
// @ts-expect-error and has no budget
void index.explain({ task: 'a', path: 'a', budgetTokens: 100 })

// ---------------------------------------------------------------- what a caller brings

const signal: CustomSignal = {
  name: 'mine',
  effect: 1,
  value: ({ path, isTest }) => (isTest ? 0 : path.length),
}
expectTypeOf(signal.value).parameters.toEqualTypeOf<[SignalFile]>()
// @ts-expect-error a value is there at once
signal satisfies CustomSignal & { value: () => Promise<number> }
// @ts-expect-error a signal has an effect
const weightless: CustomSignal = { name: 'mine', value: () => 1 }
// @ts-expect-error a value is a number
const wordy: CustomSignal = { name: 'mine', effect: 1, value: () => 'much' }
// @ts-expect-error a value is not waited for
const late: CustomSignal = { name: 'mine', effect: 1, value: () => Promise.resolve(1) }
export const declared = [weightless, wordy, late]

const embedder: Embedder = {
  name: 'mine',
  dimensions: 2,
  fingerprint: '1',
  embed: (texts, options) => {
    expectTypeOf(texts).toEqualTypeOf<readonly string[]>()
    expectTypeOf(options).toEqualTypeOf<EmbedOptions | undefined>()
    return Promise.resolve(new Float32Array(texts.length * 2))
  },
}
void openIndex({ root: '.', embedder })
// @ts-expect-error vectors come in one array, and later
const lists: Embedder = { ...embedder, embed: () => [[1, 0]] }
export const vectors = lists
