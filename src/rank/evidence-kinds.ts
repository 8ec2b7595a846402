/**
 * Kinds of evidence: signals that look at the same thing in several ways (raw, as a share of the best, by rank), taken
 * together. Effects are parts of the log-odds, so the sum over a kind is what that kind moved.
 */
import type { Evidence } from '../types.js'

/** By what the name of a signal begins with (signals.ts, feedback-signals.ts, deep-signals.ts); the first that fits. */
const KINDS: readonly (readonly [start: string, kind: string])[] = [
  ['namesake.', 'the files near it'],
  ['near.', 'the files near it'],
  ['folder.candidates', 'the files near it'],
  ['folder.words', 'the files near it'],
  ['folder.cosine', 'the files near it'],
  ['folder.past', 'the files near it'],
  ['fit.names', 'names it defines'],
  ['coverage.names', 'names it defines'],
  ['names', 'names it defines'],
  ['defines.', 'names it defines'],
  ['body', 'words in its text'],
  ['whole-file', 'words in its text'],
  ['all-fields', 'words in its text'],
  ['coverage', 'words in its text'],
  ['comment', 'words in its comments'],
  ['file-name', 'its file name and folders'],
  ['folder', 'its file name and folders'],
  ['fit.file-name', 'its file name and folders'],
  ['named.path', 'its file name and folders'],
  ['cosine', 'nearness of meaning'],
  ['deep.', 'a closer look at its meaning'],
  ['past', 'past commits'],
  ['pointed-at', 'used by relevant files'],
  ['file.', 'what sort of file it is'],
  ['together', 'changed together with confirmed files'],
  ['like', 'likeness to confirmed files'],
  ['moved', 'likeness to confirmed files'],
  ['told', 'likeness to confirmed files'],
  ['references', 'uses confirmed files or is used by them'],
  ['place', 'place beside confirmed files'],
  ['rejected', 'likeness to rejected files'],
  ['judged.', 'the judgements as such'],
  ['relevance', 'relevance without the judgements'],
  ['before', 'relevance before the closer look'],
  ['query.', 'the task and the repository'],
  ['index.', 'the task and the repository'],
]

const OTHER = 'something else'

/** What a signal looks at, in words that complete "rated by ...". */
export function kindOfSignal(signal: string): string {
  return KINDS.find(([start]) => signal.startsWith(start))?.[1] ?? OTHER
}

export interface EvidenceOfKind {
  readonly kind: string
  /** Contribution to the log-odds of relevance, four decimals. */
  readonly effect: number
  /** Largest effect first, as they were given. */
  readonly signals: readonly Evidence[]
}

/** Largest effect first, whatever its sign; ties by kind. */
export function evidenceByKind(evidence: readonly Evidence[]): readonly EvidenceOfKind[] {
  const kinds = new Map<string, Evidence[]>()
  for (const one of evidence) {
    const kind = kindOfSignal(one.signal)
    const held = kinds.get(kind)
    if (held === undefined) kinds.set(kind, [one])
    else held.push(one)
  }
  return [...kinds]
    .map(([kind, signals]) => ({ kind, effect: summed(signals), signals }))
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.kind < b.kind ? -1 : 1))
}

// As every effect is rounded (tree-rating.ts), without what adding fractions leaves behind.
const DECIMALS = 10_000

function summed(signals: readonly Evidence[]): number {
  return Math.round(signals.reduce((sum, { effect }) => sum + effect, 0) * DECIMALS) / DECIMALS
}
