/**
 * The one table of errors a caller can act on. Anything else that escapes is a fault in hone (exit code 70).
 * Branch on `code`, never on `message`.
 */

/** Exit codes of the command line, see docs/interface.md. */
export const EXIT = {
  answered: 0,
  nothingRelevant: 1,
  wrongUsage: 2,
  noIndex: 3,
  indexUnusable: 4,
  someFilesFailed: 5,
  internalFault: 70,
  interrupted: 130, // as shells report a process that Ctrl-C ended
} as const

/** code -> exit code of a command that ends with it. */
export const ERROR_EXIT = {
  USAGE: EXIT.wrongUsage,
  TASK_EMPTY: EXIT.wrongUsage,
  ROOT_NOT_FOUND: EXIT.wrongUsage,
  ROOT_NOT_DIRECTORY: EXIT.wrongUsage,
  ROOT_UNREADABLE: EXIT.wrongUsage,
  ROOT_REFUSED: EXIT.wrongUsage,
  GLOB_INVALID: EXIT.wrongUsage,
  PATH_UNKNOWN: EXIT.wrongUsage,
  PATH_OUTSIDE: EXIT.wrongUsage,
  ENCODER_UNKNOWN: EXIT.wrongUsage,
  ENCODER_UNUSABLE: EXIT.indexUnusable,
  INDEX_MISSING: EXIT.noIndex,
  INDEX_CORRUPT: EXIT.indexUnusable,
  INDEX_VERSION: EXIT.indexUnusable,
  INDEX_ENCODER: EXIT.indexUnusable,
  INDEX_BUSY: EXIT.indexUnusable,
  INDEX_UNWRITABLE: EXIT.indexUnusable,
  MODEL_CORRUPT: EXIT.indexUnusable,
  SIGNAL_INVALID: EXIT.wrongUsage,
  NATIVE_MODULE: EXIT.indexUnusable,
  ABORTED: EXIT.interrupted,
} as const

export type HoneErrorCode = keyof typeof ERROR_EXIT

/** An error the caller can do something about. The message names the value at fault and the next step. */
export class HoneError extends Error {
  override readonly name = 'HoneError'
  readonly code: HoneErrorCode

  constructor(code: HoneErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Throws ABORTED when the caller has asked to stop. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new HoneError('ABORTED', 'stopped; the index is as it was before')
}

/** What to throw for an error that came out of work which `signal` stops: ABORTED when that is why it failed. */
export function asAborted(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted !== true || error instanceof HoneError) return error
  return new HoneError('ABORTED', 'stopped; the index is as it was before', { cause: error })
}

/** System error code ("ENOENT") of a thrown value, or "" when it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** One line of text for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
