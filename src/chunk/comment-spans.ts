/** Where comments stand in some lines of a file, by the markers of its language. */
import { commentSpans } from './comment-scan.js'
import { languageOf } from './language.js'
import { rowOf } from './languages/table.js'

/** In order. `text` has Unix breaks; it need not be the whole file. None for a language without comments. */
export function commentSpansOf(
  path: string,
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  return commentSpans(rowOf(languageOf(path, text)).comments)(text)
}
