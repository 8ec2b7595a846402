/** Whether the loop goes on, and if not, why: a pure decision on a few numbers. */
import { MAX_CYCLES } from '../config.js'
import type { StopReason } from '../types.js'

/** `sufficient` wants this many files ... */
export const ENOUGH_FILES = 3
/** ... rated at least this. */
export const ENOUGH_RELEVANCE = 0.7

export interface LoopFacts {
  /** Cycles done so far. */
  readonly cyclesDone: number
  readonly maxCycles: number
  /** Relevance of the files found so far, in any order. */
  readonly relevances: readonly number[]
  readonly criticalGaps: number
  /** Whether another cycle would ask for anything the ones before did not. */
  readonly hasNewQuery: boolean
  /** Whether there are judgements that no cycle has used yet. */
  readonly hasNewJudgements: boolean
  /** Whether the deep step is wanted and no cycle has taken it yet. */
  readonly isDeepOpen: boolean
  readonly isOutOfBudget: boolean
  /** The least relevance that counts as a match. */
  readonly minRelevance: number
}

/** The reason to stop now, or undefined to run another cycle. The first rule that holds decides. */
export function stopReason(facts: LoopFacts): StopReason | undefined {
  if (facts.cyclesDone === 0) return facts.maxCycles === 0 ? 'max-cycles' : undefined
  const isLast = facts.cyclesDone >= Math.min(facts.maxCycles, MAX_CYCLES)
  // Who judged, or asked for a deeper look, wants to see what comes of it, however good the answer is already.
  const isAwaited = facts.hasNewJudgements || facts.isDeepOpen
  if (isAwaited && !isLast && !facts.isOutOfBudget) return undefined
  const sure = facts.relevances.filter((relevance) => relevance >= ENOUGH_RELEVANCE).length
  if (sure >= ENOUGH_FILES && facts.criticalGaps === 0) return 'sufficient'
  if (facts.isOutOfBudget) return 'budget'
  const hasMatch = facts.relevances.some((relevance) => relevance >= facts.minRelevance && relevance > 0)
  if (!facts.hasNewQuery) return hasMatch ? 'nothing-new' : 'no-match'
  if (isLast) return hasMatch ? 'max-cycles' : 'no-match'
  return undefined
}
