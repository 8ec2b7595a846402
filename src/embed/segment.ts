/** Cutting a word that a table does not know into words that it knows: "ratelimiter" -> rate, limiter. */

// Shorter pieces are nearly always accidents ("th" + "ing").
const MIN_PIECE = 3
// Longer words are keys or hashes; cutting them costs time and gives noise.
const MAX_WORD = 40

/**
 * The cut of `word` into the fewest known pieces (ties: the longest first piece), or [] when there is none.
 * Every character is covered: a word with an unknown rest is left unknown rather than guessed.
 */
export function segment(word: string, isKnown: (piece: string) => boolean): readonly string[] {
  const n = word.length
  if (n < 2 * MIN_PIECE || n > MAX_WORD) return []
  // best[i]: fewest pieces that cover word[i..]; next[i]: end of the first of them
  const best = new Array<number>(n + 1).fill(Infinity)
  const next = new Array<number>(n + 1).fill(-1)
  best[n] = 0
  for (let i = n - MIN_PIECE; i >= 0; i--) {
    for (let end = n; end >= i + MIN_PIECE; end--) {
      const pieces = 1 + (best[end] ?? Infinity)
      if (pieces < (best[i] ?? Infinity) && isKnown(word.slice(i, end))) {
        best[i] = pieces
        next[i] = end
      }
    }
  }
  if (!Number.isFinite(best[0])) return []
  const pieces: string[] = []
  for (let i = 0; i < n;) {
    const end = next[i] ?? n
    pieces.push(word.slice(i, end))
    i = end
  }
  return pieces
}
