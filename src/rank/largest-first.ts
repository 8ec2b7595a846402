/** The largest of many scores, a batch at a time: sorting all would take longer than scoring them. */

// Scores are counted in so many equal steps between the smallest and the largest; whole steps are sorted, from the top.
const STEPS = 4096
// Each further batch is so many times larger: who needs more than one may need all.
const GROWTH = 4

/**
 * Positions of the scores above `above`, largest first, in batches of `atLeast` and more. Equal scores are never in two
 * batches; their order inside one is not defined.
 */
export function* largestFirst(
  scores: ArrayLike<number>,
  { atLeast, above = -Infinity }: { readonly atLeast: number; readonly above?: number },
): Generator<readonly number[]> {
  const { least, most } = rangeOf(scores, above)
  const scale = most > least ? STEPS / (most - least) : 0
  const counts = new Uint32Array(STEPS + 1)
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]! // i < length, here and below
    if (score > above) counts[Math.floor((score - least) * scale)]!++
  }
  let high = STEPS
  for (let wanted = atLeast; high >= 0; wanted *= GROWTH) {
    let low = high
    for (let n = 0; low >= 0 && n < wanted; low--) n += counts[low]!
    const batch: number[] = []
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!
      const step = score > above ? Math.floor((score - least) * scale) : -1
      if (step > low && step <= high) batch.push(i)
    }
    if (batch.length > 0) yield batch.sort((a, b) => scores[b]! - scores[a]!)
    high = low
  }
}

function rangeOf(
  scores: ArrayLike<number>,
  above: number,
): { readonly least: number; readonly most: number } {
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!
    if (score <= above) continue
    if (score < least) least = score
    if (score > most) most = score
  }
  return { least, most }
}
