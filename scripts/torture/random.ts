/** Random numbers that a seed gives again: a fault that torture finds must be found again. */

/** From 0 to below 1. */
export type Random = () => number

/** mulberry32 (Ettinger 2017, public domain). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
