/**
 * The words every stage shares: files, chunks, signals, answers. Types only, no behaviour.
 * The shapes of an answer are the published JSON (docs/interface.md); changing one is a contract change.
 */

declare const brand: unique symbol
/** Row id of a file in one index. Not stable across rebuilds. */
export type FileId = number & { readonly [brand]: 'FileId' }
/** Row id of a chunk in one index. Ids grow with insertion and are never reused inside one index. */
export type ChunkId = number & { readonly [brand]: 'ChunkId' }

// ---------------------------------------------------------------- walk

/** Why a file that the walk saw is not in the index. */
export type SkipReason =
  | 'ignored' // by an ignore file; only reported where the walk meets it
  | 'excluded' // by --exclude or for want of --include
  | 'too-large' // more than maxFileBytes
  | 'binary'
  | 'symlink' // a link; its target is indexed under its own path when it lies in the tree
  | 'special' // socket, FIFO, device
  | 'nested-repository' // submodule or repository inside the repository
  | 'secret'
  | 'minified'
  | 'unreadable' // an error while reading; the index run ends with exit code 5
  | 'vanished' // listed, but gone when it was read

export interface SkippedFile {
  /** Relative to the root, with "/". */
  readonly path: string
  readonly reason: SkipReason
  /** One short phrase for people, e.g. "2.1 MB > 1 MB" or "EACCES". */
  readonly detail?: string
}

/** A regular file that may be indexed: listed, not excluded, within the size limit; content not read yet. */
export interface WalkedFile {
  /** Relative to the root, with "/". */
  readonly path: string
  readonly absolutePath: string
  readonly bytes: number
  /** Modification time in milliseconds since the epoch, with the fraction the file system gives. */
  readonly mtimeMs: number
  /** Change time in milliseconds; moves when content or metadata change, and cannot be set back by tools. */
  readonly ctimeMs: number
  readonly inode: number
}

export interface WalkResult {
  /** Sorted by path (code unit order). */
  readonly files: readonly WalkedFile[]
  /** Sorted by path. Every entry seen is in exactly one of `files` and `skipped`. */
  readonly skipped: readonly SkippedFile[]
}

/** Decoded text of a file. `lines` counts as an editor does: "a\n" is one line, "" is none. */
export interface SourceText {
  readonly text: string
  readonly lines: number
  readonly encoding:
    'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1' | 'gb18030' | 'shift_jis' | 'euc-jp' | 'euc-kr'
}

// ---------------------------------------------------------------- chunk

/** What a chunk or symbol is. `piece` = part of a long symbol, `block` = lines between or without symbols. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'constant'
  | 'variable'
  | 'field'
  | 'macro'
  | 'test'
  | 'section'

export type ChunkKind = SymbolKind | 'piece' | 'block'

/** A definition found in a file. */
export interface CodeSymbol {
  readonly name: string
  readonly kind: SymbolKind
  /** Enclosing names joined with ".", e.g. "Session" for Session.refresh; "" at top level. */
  readonly scope: string
  /** Lines count from 1, ends included. `line` is where the name stands, `startLine` includes doc comment and decorators. */
  readonly line: number
  readonly startLine: number
  readonly endLine: number
}

/** A run of whole lines of one file. Every line of a file is in exactly one chunk. */
export interface Chunk {
  readonly startLine: number
  readonly endLine: number
  readonly kind: ChunkKind
  /** Name of the symbol this chunk is (or is a piece of); "" for a block. */
  readonly name: string
  /** Enclosing scope of `name`, joined with "."; "" at top level. */
  readonly scope: string
  /** Names of all symbols that start in this chunk, `name` first where it starts here. */
  readonly symbols: readonly string[]
  /** The lines, exactly as in the file. */
  readonly text: string
  /** Text of the comments inside `text` (markers stripped, runs joined with a newline). */
  readonly comment: string
}

export interface ChunkedFile {
  /** Language name of the table row, e.g. "typescript"; "text" where no row fits. */
  readonly language: string
  readonly chunks: readonly Chunk[]
  readonly symbols: readonly CodeSymbol[]
  /** Set when a grammar exists but could not be used for this file; chunks then come from the line fallback. */
  readonly fallback?: string
}

// ---------------------------------------------------------------- history

/** One commit of the repository's past. Paths are relative to the top of the repository, not to the root. */
export interface PastCommit {
  /** Object id, hex. */
  readonly oid: string
  /** First paragraph of its message in one line; "" when the commit says nothing about its files. */
  readonly subject: string
  /** Files it left behind changed, under their names of that time; empty when the subject is. */
  readonly files: readonly string[]
  /** Files it gave another name. */
  readonly renames: readonly Rename[]
}

export interface Rename {
  readonly from: string
  readonly to: string
}

/** Why an index has no history. */
export type NoHistoryReason =
  | 'off' // not wanted
  | 'no-git' // no program of that name
  | 'git-fails' // not even its version can be had
  | 'git-old' // older than LEAST_GIT (history/git.ts)
  | 'no-repository' // also: one that git refuses, e.g. of another owner
  | 'no-commits' // none yet, or none that touches a file under the root
  | 'unreadable' // git failed, e.g. objects are missing

export type PastState =
  | {
      readonly kind: 'read'
      /** Commits that say something about a file under the root. */
      readonly commits: number
      /** The clone holds only the newest commits. */
      readonly isShallow: boolean
    }
  | { readonly kind: 'none'; readonly why: NoHistoryReason }

// ---------------------------------------------------------------- answers

export type Band = 'high' | 'medium' | 'low' | 'none'

/** When a transformer looks at the best files: `auto` where the first cycle is unsure. */
export type DeepMode = 'always' | 'auto' | 'never'

export type StopReason = 'sufficient' | 'nothing-new' | 'max-cycles' | 'budget' | 'no-match'

/** The query of one cycle, as data the user can see. */
export interface CycleQuery {
  /** Globs that shift scores (inferred) or limit the answer (given by the caller). */
  readonly patterns: readonly string[]
  readonly keywords: readonly string[]
  /**
   * Left out of this cycle: the caller's globs, files judged irrelevant (by path), then those of the files rated below 0.2
   * by an earlier cycle that came nearest to it (best first, at most 20).
   */
  readonly excludes: readonly string[]
  /** How many more files are left out for having been rated below 0.2. */
  readonly moreExcludes: number
  /** Symbols and words this cycle looks for because an earlier one missed them. */
  readonly focusAreas: readonly string[]
}

export interface AnswerRange {
  readonly start: number
  readonly end: number
  readonly symbol?: string
  readonly kind: ChunkKind
  /** Only with a token budget or in markdown. */
  readonly text?: string
}

export interface MissingContext {
  readonly kind: 'symbol' | 'word'
  readonly name: string
  readonly definedIn?: string
  readonly critical: boolean
}

export interface Evidence {
  readonly signal: string
  readonly value: number
  /** Contribution to the log-odds of relevance. */
  readonly effect: number
}

export interface AnswerFile {
  readonly path: string
  /** Probability 0..1 that the file is needed for the task. */
  readonly relevance: number
  readonly band: Band
  /** The cycle (from 1) in which the file was added. */
  readonly cycle: number
  readonly reason: string
  readonly ranges: readonly AnswerRange[]
  readonly missingContext: readonly MissingContext[]
  readonly evidence?: readonly Evidence[]
}

export interface Bridge {
  readonly word: string
  readonly to: readonly string[]
  /** Cosine of the nearest, 0..1. */
  readonly similarity: number
}

export interface CycleReport {
  readonly n: number
  readonly query: CycleQuery
  readonly bridged: readonly Bridge[]
  readonly candidates: number
  /** Chunks the deep step looked at. */
  readonly deep: number
  readonly added: readonly string[]
  readonly discovered: readonly string[]
  readonly ms: number
}

export interface Note {
  readonly code: NoteCode
  readonly message: string
}

/** Things a result must say about itself although it is an answer. */
export type NoteCode =
  | 'STALE_FILES'
  | 'NO_HISTORY'
  | 'HISTORY_SHALLOW'
  | 'EXACT_SEARCH'
  | 'TASK_SHORTENED'
  | 'LEFT_OUT'
  | 'NO_KNOWN_WORDS'
  | 'BELOW_MINIMUM'
  | 'TIMED_OUT'
  | 'DEEP_UNAVAILABLE'
  | 'PARTIAL_INDEX'
  | 'NOT_INDEXED'

export interface Answer {
  readonly schema: 1
  readonly task: string
  readonly stop: StopReason
  readonly notes: readonly Note[]
  readonly files: readonly AnswerFile[]
  readonly gaps: readonly MissingContext[]
  readonly cycles: readonly CycleReport[]
  readonly index: {
    readonly files: number
    readonly chunks: number
    /** Files that differ from the index and were left; null where nobody looked (no refresh before). */
    readonly stale: number | null
    readonly skipped: number
    readonly encoder: string
  }
  readonly ms: number
}

export interface Judgement {
  readonly path: string
  readonly relevant: boolean
}

// ---------------------------------------------------------------- signals of a caller

/** What a signal of a caller's own is told: one file, and the task it is rated for. */
export interface SignalFile {
  /** Relative to the root, with "/". */
  readonly path: string
  /** The task as it was asked. */
  readonly task: string
  /** Parts the file is indexed in. */
  readonly chunks: number
  /** Past commits that touched it. */
  readonly commits: number
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly isGenerated: boolean
  readonly isData: boolean
  /** Its lines as they are on disk now, or undefined when it cannot be read. Reads the file: only where it is needed. */
  readonly lines: () => readonly string[] | undefined
}

/**
 * A signal of a caller's own: one number about a file, e.g. whether the caller owns it. `effect` times that number is
 * added to the log-odds of the relevance that the models give; with an effect or a value of 0 the answer is, byte for
 * byte, the one without it. It rates the files that the searches found, in every cycle and with judgements alike; it
 * brings in no file by itself, and neither the deep step nor feedback takes it for something it learned from.
 */
export interface CustomSignal {
  /** Shown as the `signal` of evidence. One line, unique, and no name that hone's own signals have. */
  readonly name: string
  /** What it says, for people, in reasons and explanations: "owned by my team". Default: the name. */
  readonly meaning?: string
  /** Log-odds for each unit of the value: 0.7 doubles the odds of a file whose value is 1, -0.7 halves them. */
  readonly effect: number
  /**
   * A finite number, else the question fails with SIGNAL_INVALID. The same for the same file and task: it is asked once
   * for each file of a task, in no order that counts.
   */
  readonly value: (file: SignalFile) => number
}

// ---------------------------------------------------------------- related code

/** A place in the code that was asked about. */
export interface Place {
  /** Relative to the root, with "/". */
  readonly path: string
  /** Lines that were looked at, ends included; without, the whole file. */
  readonly lines?: readonly { readonly start: number; readonly end: number }[]
}

export interface RelatedAnswerFile {
  readonly path: string
  /** 0..1, to order by; not a probability, and comparable within one answer only. */
  readonly relatedness: number
  readonly reason: string
  readonly ranges: readonly AnswerRange[]
  /** Cosine of its nearest chunk with the place, 0..1. */
  readonly similarity: number
  /** Past commits that changed both. */
  readonly commitsTogether: number
  /** Names the place uses and this file defines; sorted. */
  readonly uses: readonly string[]
  /** Names the place defines and this file uses; sorted. */
  readonly usedBy: readonly string[]
}

/** What belongs to a place: one result a file, best first, ties by path. */
export interface RelatedAnswer {
  readonly schema: 1
  readonly places: readonly Place[]
  readonly notes: readonly Note[]
  readonly files: readonly RelatedAnswerFile[]
  readonly index: Answer['index']
  readonly ms: number
}

// ---------------------------------------------------------------- explanations

/** Why a file ranks where it does for a task, also when it was not returned. */
export interface Explanation {
  readonly schema: 1
  readonly task: string
  readonly path: string
  readonly outcome: ExplainedOutcome
  /** The outcome in one sentence. */
  readonly why: string
  /** What it was, or would have been, rated; null for a file that is not in the index. */
  readonly rating: ExplainedRating | null
  /** How it stood after each cycle of the loop. */
  readonly cycles: readonly ExplainedCycle[]
  /** Every word the first cycle looked for, and where the file holds it. */
  readonly words: readonly ExplainedWord[]
  /** What the deep step did to it; null where none was asked for. */
  readonly deep: ExplainedDeepStep | null
  readonly stop: StopReason | null
}

export type ExplainedOutcome =
  | 'returned'
  | 'below-minimum' // rated, but lower than what is shown
  | 'beyond-limit' // rated high enough, but others are higher
  | 'no-candidate' // no search brought it in; its rating is what it would have had
  | 'excluded' // by the caller's globs
  | 'not-indexed'

export interface ExplainedRating {
  readonly relevance: number
  readonly band: Band
  /** The next band up and what is missing to it; null in the highest. */
  readonly nextBand: { readonly band: Band; readonly from: number; readonly missing: number } | null
  readonly evidence: readonly (Evidence & { readonly meaning: string })[]
}

export interface ExplainedCycle {
  readonly n: number
  /** null while it has not been found. */
  readonly relevance: number | null
  /** From 1, among all files found so far; null while it has not been found. */
  readonly rank: number | null
  /** Files found so far. */
  readonly files: number
  /** `lowered`: by the deep step or a judgement. */
  readonly change: 'absent' | 'found' | 'raised' | 'lowered' | 'same'
}

/** What the deep step did to one file. `why` is one sentence. */
export type ExplainedDeepStep =
  | {
      /** Nowhere: no encoder, the loop stopped before it, or `auto` saw no need. */
      readonly outcome: 'not-taken'
      readonly why: string
    }
  | {
      /** Of other files: this one was not among the best, or could not be read. */
      readonly outcome: 'not-read'
      readonly why: string
      readonly cycle: number
      /** Files that were read. */
      readonly files: number
    }
  | {
      /** `kept`: it was read, but a High file keeps its relevance. */
      readonly outcome: 'rated-anew' | 'kept'
      readonly why: string
      /** The cycle it was taken in. */
      readonly cycle: number
      /** Files that were read. */
      readonly files: number
      /** Relevance before and after the step, judgements aside. */
      readonly before: number
      readonly after: number
      /** Of the task with the part that was read, by the transformer, -1..1. */
      readonly cosine: number
      /** The same of all files that were read, on average: what the cosine counts beside. */
      readonly meanCosine: number
      /** The part that was read. */
      readonly range: AnswerRange
    }

export interface ExplainedWord {
  readonly word: string
  readonly origin: 'task' | 'joined' | 'bridge' | 'code' | 'discovered'
  /** Where the file holds it, most telling first; empty when it does not. */
  readonly places: readonly ('file name' | 'folder' | 'defined name' | 'text')[]
  /** Lines of the parts of the file that hold it, in order; the first few. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
  /** Parts of all files that hold it. */
  readonly chunks: number
}
