/** What an answer says about the history it could not use. */
import type { NoHistoryReason, Note, PastState } from '../types.js'

const WHY: Readonly<Record<NoHistoryReason, string>> = {
  off: 'switched off (--no-history)',
  'no-git': 'git is not installed',
  'git-fails': 'git is installed but does not run; hone doctor says more',
  'git-old': 'git is too old; hone doctor says which one is needed',
  'no-repository': 'the folder is in no git repository that git can read',
  'no-commits': 'no commit touches a file of this folder',
  unreadable: 'git could not read the commits of this repository',
}

/** In one phrase. */
export function whyNoHistory(reason: NoHistoryReason): string {
  return WHY[reason]
}

/** Nothing when the history is whole, or was not wanted. */
export function pastNotes(state: PastState): readonly Note[] {
  if (state.kind === 'none') {
    if (state.why === 'off') return []
    return [{ code: 'NO_HISTORY', message: `past commits are not used: ${WHY[state.why]}` }]
  }
  if (!state.isShallow) return []
  const message = 'the clone is shallow, so older commits are not known; git fetch --unshallow brings them'
  return [{ code: 'HISTORY_SHALLOW', message }]
}
