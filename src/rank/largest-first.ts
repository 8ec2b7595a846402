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
  scores: Float64Array,
  { atLeast, above = -Infinity }: { readonly atLeast: number; readonly above?: number },
): Generator<readonly number[]> {
  const { least, range, counts } = counted(scores, above)
  let high = STEPS
  for (let wanted = atLeast; high >= 0; wanted *= GROWTH) {
    let low = high
    for (let n = 0; low >= 0 && n < wanted; low--) n += counts[low]!
    const batch = between(scores, { least, range, above, low, high })
    if (batch.length > 0) yield batch.sort((a, b) => scores[b]! - scores[a]!)
    high = low
  }
}

/** How many scores fall into each step. */
function counted(
  scores: Float64Array,
  above: number,
): { readonly least: number; readonly range: number; readonly counts: Uint32Array } {
  const { least, most } = rangeOf(scores, above)
  const range = most > least ? most - least : 1 // all equal: all in step 0
  const counts = new Uint32Array(STEPS + 1)
  for (const score of scores) {
    if (score > above) counts[stepOf(score, least, range)]!++ // a step below STEPS + 1
  }
  return { least, range, counts }
}

/** Positions of the scores in the steps above `low`, up to `high`. */
function between(
  scores: Float64Array,
  steps: {
    readonly least: number
    readonly range: number
    readonly above: number
    readonly low: number
    readonly high: number
  },
): number[] {
  const { least, range, above, low, high } = steps
  const found: number[] = []
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]! // i < length
    if (!(score > above)) continue
    const step = stepOf(score, least, range)
    if (step > low && step <= high) found.push(i)
  }
  return found
}

function stepOf(score: number, least: number, range: number): number {
  return Math.floor(((score - least) / range) * STEPS)
}

function rangeOf(scores: Float64Array, above: number): { readonly least: number; readonly most: number } {
  let least = Infinity
  let most = -Infinity
  for (const score of scores) {
    if (score <= above) continue
    if (score < least) least = score
    if (score > most) most = score
  }
  return { least, most }
}
