/** From a candidate of the loop to what a caller's own signals are told about it, and what they add. */
import { addedBy, checkCustomSignals, NOTHING_ADDED, type Added } from '../rank/custom-signals.js'
import type { CustomSignal, FileId, SignalFile } from '../types.js'
import type { Engine } from './engine.js'
import type { Candidate } from './file-view.js'

/** What is added to the log-odds of a candidate. Throws SIGNAL_INVALID. */
export type Adding = (candidate: Pick<Candidate, 'id' | 'view'>) => Added

export const addNothing: Adding = () => NOTHING_ADDED

/** The signals of an index and of one question to it. Throws SIGNAL_INVALID. */
export function signalsOf(
  { signals: ofIndex = [] }: Pick<Engine, 'signals'>,
  ofQuestion: readonly CustomSignal[],
): readonly CustomSignal[] {
  const signals = [...ofIndex, ...ofQuestion]
  checkCustomSignals(signals)
  return signals
}

/** Asks the signals once for each file of a task. */
export function addingOf(
  { linesOf }: Pick<Engine, 'linesOf'>,
  { signals, task }: { readonly signals: readonly CustomSignal[]; readonly task: string },
): Adding {
  if (signals.length === 0) return addNothing
  const known = new Map<FileId, Added>()
  return ({ id, view }) => {
    const added = known.get(id) ?? addedBy(signals, signalFile(view, task, linesOf))
    known.set(id, added)
    return added
  }
}

function signalFile(
  { path, chunks, commits, facts }: Candidate['view'],
  task: string,
  linesOf: Engine['linesOf'],
): SignalFile {
  const { isTest, isDocument, isGenerated, isData } = facts
  return { path, task, chunks, commits, isTest, isDocument, isGenerated, isData, lines: () => linesOf(path) }
}
