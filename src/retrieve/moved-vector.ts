/** The query vector of a later cycle: moved towards what was found, away from what was rejected (Rocchio 1971). */
import { unit } from '../vector/arithmetic.js'

// Rocchio's weights, the usual ones (Manning et al. 2008, 9.1.1): what is confirmed counts more than what is rejected.
const CONFIRMED_WEIGHT = 0.75
const REJECTED_WEIGHT = 0.15

/** Unit vector (or zeros). `confirmed`, `rejected`: what stands for each side, e.g. a mean; zeros for an empty side. */
export function movedVector(
  task: Float32Array,
  confirmed: Float32Array,
  rejected: Float32Array,
): Float32Array {
  return unit(task.map((x, d) => x + CONFIRMED_WEIGHT * confirmed[d]! - REJECTED_WEIGHT * rejected[d]!))
}
