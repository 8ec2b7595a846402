/**
 * Fitting an answer into a number of tokens. What counts is what is emitted, so the caller says how it emits. In which
 * order an answer is filled in: budget-plan.ts. What was left out is said in a note.
 */
import { HoneError } from '../errors.js'
import type { Note } from '../types.js'
import { Plan, type FileKnowledge, type Fittable, type LeftOut } from './budget-plan.js'

export interface Budget<A extends Fittable> extends FileKnowledge<A['files'][number]> {
  readonly tokens: number
  /** The answer as it will be written out. */
  readonly emit: (answer: A) => string
}

/** Tokens of a text: its UTF-8 bytes / 4, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/** The answer, or as much of it as keeps the budget when emitted. Throws USAGE when not even the first file fits. */
export function fitAnswer<A extends Fittable>(answer: A, budget: Budget<A>): A {
  const size = (candidate: A): number => tokensOf(budget.emit(withLongTimes(candidate)))
  const whole = size(answer)
  if (whole <= budget.tokens) return answer
  const plan = new Plan(answer, budget)
  // The longest note there can be, so that a step that makes it shorter does not make the whole shorter.
  const longestNote = noteOf(plan.most)
  const sizeAfter = (steps: number): number => size(withNote(plan.after(steps).answer, longestNote))
  const least = sizeAfter(0)
  if (least > budget.tokens) {
    throw new HoneError(
      'USAGE',
      `a budget of ${budget.tokens} tokens is too small for this answer; the least that says anything takes ${Math.min(least, whole)}`,
    )
  }
  const fitted = plan.after(largest(plan.steps, (steps) => sizeAfter(steps) <= budget.tokens))
  return withNote(fitted.answer, noteOf(fitted.left))
}

function withNote<A extends Fittable>(answer: A, note: Note | undefined): A {
  return note === undefined ? answer : { ...answer, notes: [...answer.notes, note] }
}

function noteOf(left: LeftOut): Note | undefined {
  const what = [
    ...counted(left.files, 'file'),
    ...counted(left.lines, 'line', ' of those shown'),
    ...counted(left.details, 'file', ' told in brief'),
    ...counted(left.gaps, 'gap'),
    ...counted(left.cycles, 'cycle'),
    ...counted(left.places, 'place'),
    ...(left.task === 0 ? [] : ['the end of the task']),
  ]
  if (what.length === 0) return undefined
  return { code: 'LEFT_OUT', message: `left out to keep the budget: ${what.join(', ')}` }
}

function counted(n: number, thing: string, which = ''): readonly string[] {
  return n === 0 ? [] : [`${n} ${thing}${n === 1 ? '' : 's'}${which}`]
}

/** The largest n in 0..most for which `holds`, given that it holds for 0 and for all smaller ones. */
function largest(most: number, holds: (n: number) => boolean): number {
  if (holds(most)) return most
  let low = 0
  let high = most
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

// Wide enough for a quarter of an hour, so that what is left out does not depend on how long the answer took.
const LONG_MS = 999_999.9

function withLongTimes<A extends Fittable>(answer: A): A {
  return {
    ...answer,
    ms: Math.max(LONG_MS, answer.ms),
    ...(answer.cycles === undefined
      ? {}
      : { cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: Math.max(LONG_MS, cycle.ms) })) }),
  }
}
