/** From a relevance to its band. */
import type { Band } from '../types.js'

/** Lower borders of the bands; below `low` a file is excluded unless the caller asks for less. */
export const BAND_FROM = { high: 0.8, medium: 0.5, low: 0.2 } as const

export function bandOf(relevance: number): Band {
  if (relevance >= BAND_FROM.high) return 'high'
  if (relevance >= BAND_FROM.medium) return 'medium'
  return relevance >= BAND_FROM.low ? 'low' : 'none'
}
