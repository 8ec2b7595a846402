/** What the store keeps and gives back, in the words of the other stages. */
import type { ChunkId, ChunkKind, CodeSymbol, FileId, PastState, SkippedFile } from '../types.js'

/** What tells cheaply that a file is as it was: any of these moves when content does (see update-plan.ts). */
export interface Stamp {
  readonly bytes: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly inode: number
}

/** A skipped file; with a stamp when it was read to find out. */
export interface StampedSkip extends SkippedFile {
  readonly stamp?: Stamp
}

export interface FileRecord extends Stamp {
  readonly path: string
  readonly language: string
  readonly lines: number
  /** Hash of the content, hex. */
  readonly hash: string
}

export interface StoredFile extends FileRecord {
  readonly id: FileId
}

export interface StoredChunk {
  readonly id: ChunkId
  readonly file: FileId
  readonly startLine: number
  readonly endLine: number
  readonly kind: ChunkKind
  readonly name: string
  readonly scope: string
  readonly symbols: readonly string[]
}

export interface StoredSymbol extends CodeSymbol {
  readonly file: FileId
}

/** How an index was built; a refresh uses the same. */
export interface IndexSettings {
  readonly root: string
  readonly encoder: string
  /** Fingerprint of the encoder's weights and settings. */
  readonly fingerprint: string
  readonly dimensions: number
  /** The same of the words that titles of files are embedded by. */
  readonly titles: { readonly fingerprint: string; readonly dimensions: number }
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxFileBytes: number
  /** Whether past commits are read. */
  readonly history: boolean
}

/** What an index knows about the history it holds, besides the commits. */
export interface HistoryRecord {
  readonly state: PastState
  /** What tells cheaply that the repository's history is as it was (history/head-stamp.ts). */
  readonly stamp: string
  /** Folder of the root in the repository, "" or "a/b/"; paths of commits are relative to the repository's top. */
  readonly prefix: string
  /** Older commits were left out for their size, so that a part of it cannot be taken over. */
  readonly isCut: boolean
}

export interface IndexStats {
  readonly files: number
  readonly chunks: number
  readonly skipped: number
}
