/** A long task or path repeated in an answer: its beginning. */

// It is repeated so that what is meant can be told from others; its beginning does that.
const SHOWN = 200

/** The beginning of a text, with a mark where there is more; never half a character. */
export function beginningOf(text: string): string {
  if (text.length <= SHOWN) return text
  const start = text.slice(0, SHOWN)
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}...`
}
