/** Which commits say something about the files they touch, and what is kept of each. */
import type { PastCommit } from '../types.js'
import type { LoggedCommit } from './log-parser.js'
import { movedFiles } from './renames.js'

// A commit about more files says little about any of them (docs/design.md of the measurements: 12 to 15).
export const MAX_FILES_OF_COMMIT = 15
// The longest subject of 150,000 commits that is not a pasted message has 200 characters.
const MAX_SUBJECT = 200

/** Reduces a commit to what ranking needs. */
export function pastCommit({ oid, subject, touched, changes, renames }: LoggedCommit): PastCommit {
  const isTelling = touched <= MAX_FILES_OF_COMMIT
  const kept = isTelling ? changes.filter(({ status }) => status !== 'deleted') : []
  return {
    oid,
    subject: kept.length > 0 ? shortened(subject) : '',
    files: kept.map(({ path }) => path),
    // A move is followed whatever the size of its commit.
    renames: [...renames, ...movedFiles(changes)],
  }
}

// Blanks and line breaks, and what would steer the terminal a reason is printed on.
const BLANK_OR_CONTROL = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** At most MAX_SUBJECT characters in one line. */
function shortened(subject: string): string {
  return subject.replace(BLANK_OR_CONTROL, ' ').slice(0, MAX_SUBJECT).trim()
}
