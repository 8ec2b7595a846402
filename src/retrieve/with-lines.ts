/** Giving ranges the text they point at. */
import type { AnswerRange } from '../types.js'

/** Ranges with their lines as they are on disk now; without, where the file cannot be read or has become shorter. */
export function withLines(
  ranges: readonly AnswerRange[],
  lines: readonly string[] | undefined,
): readonly AnswerRange[] {
  return ranges.map((range) => {
    const text = lines?.slice(range.start - 1, range.end)
    return text === undefined || text.length === 0 ? range : { ...range, text: text.join('\n') }
  })
}
