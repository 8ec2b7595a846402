/** What an answer without files says in one sentence, the same wherever it is shown. */
import type { Note } from '../types.js'

/** Whether there was nothing, or nothing likely enough: then a note names what comes nearest. */
export function nothingFound({ notes }: { readonly notes: readonly Note[] }): string {
  const isNear = notes.some(({ code }) => code === 'BELOW_MINIMUM')
  return isNear ? 'Nothing likely enough found.' : 'Nothing relevant found.'
}
