/** The evidence of a file for people: by what was looked at, with words for every signal. */
import { evidenceByKind } from '../rank/evidence-kinds.js'
import { signalInWords } from '../rank/signal-words.js'
import type { Evidence } from '../types.js'

/** All evidence of one kind. */
export interface EvidenceInWords {
  /** What was looked at, e.g. "names it defines". */
  readonly kind: string
  /** Contribution to the log-odds of relevance: the sum of its signals'. */
  readonly effect: number
  /** Largest effect first. */
  readonly signals: readonly (Evidence & { readonly meaning: string })[]
}

/** Kinds with the largest effect first, whatever its sign; ties by kind. */
export function evidenceInWords(evidence: readonly Evidence[]): readonly EvidenceInWords[] {
  return evidenceByKind(evidence).map(({ kind, effect, signals }) => ({
    kind,
    effect,
    signals: signals.map((one) => ({ ...one, meaning: signalInWords(one.signal) })),
  }))
}
