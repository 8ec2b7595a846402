/**
 * Signals of a caller's own (types.ts): what they add to what the models say. The models never see them, so each model
 * is given its own ratings to go on from, and what is added is added once, last.
 */
import { HoneError, messageOf } from '../errors.js'
import type { CustomSignal, Evidence, SignalFile } from '../types.js'
import { DEEP_SIGNALS } from './deep-signals.js'
import { FEEDBACK_SIGNALS } from './feedback-signals.js'
import { SIGNALS } from './signals.js'
import { byEffect, ratingOf, rounded, type Rating } from './tree-rating.js'

/** What a caller's signals say of one file. */
export interface Added {
  readonly logOdds: number
  /** One entry for each signal that says something, in the order the signals were given. */
  readonly evidence: readonly Evidence[]
}

export const NOTHING_ADDED: Added = { logOdds: 0, evidence: [] }

/** A rating by a model with what a caller's signals add to it. */
export interface AdjustedRating extends Pick<Rating, 'relevance' | 'evidence'> {
  /** What the model said. */
  readonly calibrated: Rating
  readonly added: Added
}

export function adjusted(calibrated: Rating, added: Added): AdjustedRating {
  const { relevance, evidence } = ratingOf(calibrated.logOdds + added.logOdds, () =>
    [...calibrated.evidence(), ...added.evidence].sort(byEffect),
  )
  return { relevance, evidence, calibrated, added }
}

/** What the signals add for a file. Throws SIGNAL_INVALID naming the signal and the file. */
export function addedBy(signals: readonly CustomSignal[], file: SignalFile): Added {
  let logOdds = 0
  const evidence: Evidence[] = []
  for (const signal of signals) {
    const value = valueOf(signal, file)
    const effect = value * signal.effect
    logOdds += effect
    if (!Number.isFinite(logOdds))
      throw invalid(signal.name, `it adds ${effect} to ${file.path}; that is too much`)
    if (rounded(effect) !== 0)
      evidence.push({ signal: signal.name, value: rounded(value), effect: rounded(effect) })
  }
  return { logOdds, evidence }
}

function valueOf(signal: CustomSignal, file: SignalFile): number {
  let value: unknown
  try {
    value = signal.value(file)
  } catch (error) {
    throw invalid(signal.name, `it failed for ${file.path}: ${messageOf(error)}`, error)
  }
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const shown = typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
  throw invalid(signal.name, `it gave ${shown} for ${file.path}; it takes a finite number`)
}

/** Throws SIGNAL_INVALID for a signal that cannot be used whatever the file. */
export function checkCustomSignals(signals: readonly CustomSignal[]): void {
  const names = new Set<string>()
  for (const { name, meaning = name, effect, value } of signals) {
    if (!isLine(name)) throw invalid(name, 'its name takes one line of text')
    if (!isLine(meaning)) throw invalid(name, 'its meaning takes one line of text')
    if (OWN_NAMES.has(name)) throw invalid(name, 'hone has a signal of this name; give it another')
    if (names.has(name)) throw invalid(name, 'two signals have this name; give one of them another')
    if (!Number.isFinite(effect)) throw invalid(name, `its effect is ${effect}; it takes a finite number`)
    if (typeof value !== 'function') throw invalid(name, 'its value takes a function')
    names.add(name)
  }
}

const OWN_NAMES: ReadonlySet<string> = new Set(
  [...SIGNALS, ...DEEP_SIGNALS, ...FEEDBACK_SIGNALS].map(({ name }) => name),
)

function isLine(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && !/\p{Cc}/u.test(text)
}

function invalid(name: string, why: string, cause?: unknown): HoneError {
  return new HoneError(
    'SIGNAL_INVALID',
    `signal ${JSON.stringify(name)}: ${why}`,
    cause === undefined ? {} : { cause },
  )
}

/** What each signal says, by its name: one phrase, without the mark that separates phrases. */
export function meaningsOf(signals: readonly CustomSignal[]): ReadonlyMap<string, string> {
  return new Map(signals.map(({ name, meaning = name }) => [name, meaning.replaceAll(';', ',')]))
}
