/** Reading option values: a wrong one is an error that names the option and what it takes. */
import { InvalidArgumentError, Option } from 'commander'
import { DEFAULTS } from '../config.js'
import type { DeepMode } from '../index.js'

/** A whole number from `least` up, or up to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (value: string) => number {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} up` : `from ${least} to ${most}`
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(`"${value}" is not a whole number ${range}.`)
    }
    return number
  }
}

/** A number from 0 to 1. */
export function probability(value: string): number {
  const number = Number(value)
  if (!/^\d*\.?\d+$/.test(value) || number > 1) {
    throw new InvalidArgumentError(`"${value}" is not a number from 0 to 1.`)
  }
  return number
}

/** Collects a repeatable option. */
export function collected(
  value: string,
  previous: readonly string[] | boolean | undefined,
): readonly string[] {
  // commander: true is the default of an option that has a --no- form, false that form itself.
  return [...(typeof previous === 'object' ? previous : []), value]
}

const DEEP_MODES: readonly DeepMode[] = ['always', 'auto', 'never']

/** When to take the deep step. */
export function deepOption(): Option {
  return new Option(
    '--deep <when>',
    'let a transformer rate the best files anew; auto: where the first cycle is unsure',
  )
    .choices(DEEP_MODES)
    .default(DEFAULTS.deep)
}
