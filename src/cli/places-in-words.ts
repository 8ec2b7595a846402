/** The places that related code was asked for, in one line. */
import type { RelatedAnswer } from '../index.js'

// More places are a change set: their number says enough.
const MAX_PLACES = 3

export function placesInWords({ places: all }: RelatedAnswer): string {
  if (all.length > MAX_PLACES) return `changes in ${all.length} files`
  return all
    .map(
      ({ path, lines = [] }) =>
        path + lines.map(({ start, end }) => `:${start === end ? start : `${start}-${end}`}`).join(','),
    )
    .join(', ')
}
