/** Tells code written by a tool in a few endless lines from code written by people. */

// One-line settings and fixtures are worth reading; only a large file drowns the index.
const MIN_TEXT_LENGTH = 5000
// Prose with a paragraph a line stays below 400; bundles have thousands.
const MAX_MEAN_LINE = 500

/** A phrase that says why a text counts as minified, or undefined when it does not. */
export function minifiedDetail(text: string, lines: number): string | undefined {
  if (text.length < MIN_TEXT_LENGTH) return undefined
  const mean = Math.round(text.length / Math.max(1, lines))
  return mean > MAX_MEAN_LINE ? `${mean} characters a line` : undefined
}
