/** Reading a task: the words to look for, names written as in code, and paths. */
import { STOP_WORDS } from '../text/stop-words.js'
import { identifiersIn, joinedForm, partsOf } from '../text/words.js'

// More words than this say no more about what is wanted; the rarest are kept (dispatch.ts).
export const MAX_TASK_CHARACTERS = 20_000

export interface ParsedTask {
  readonly text: string
  /** Lower-case words in order of first appearance, stop words left out (unless there is nothing else). */
  readonly words: readonly string[]
  /** Joined forms worth trying: of identifiers with several parts, and of neighbouring words ("rate limit" -> ratelimit). */
  readonly joined: readonly string[]
  /** Tokens as written that look like names in code: camelCase, snake_case, in backticks, called with "()". */
  readonly names: readonly string[]
  /** Every token as written, for exact look-ups of symbols. */
  readonly tokens: readonly string[]
  /** Tokens that look like paths, e.g. src/a.ts or a.ts:12 (line cut off). */
  readonly paths: readonly string[]
}

const CODE_SHAPE = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^[A-Z]{2,}[a-z]|^_|\$/
const QUOTED_NAME = /`([^`\s]{2,80})`|\b([A-Za-z_$][\w$]*)\(\)/g
// A dot, question or exclamation mark after it ends the sentence, not the path.
const PATH_TOKEN =
  /(?:[\p{L}\p{N}_@.[\]-]+\/)*[\p{L}\p{N}_@.-]+\.[A-Za-z][A-Za-z0-9]{0,11}(?=$|[.?!]*(?:[\s:,;)'"`\]]|$))/gu

export function parseTask(task: string): ParsedTask {
  const text = task.slice(0, MAX_TASK_CHARACTERS)
  const identifiers = identifiersIn(text)
  const tokens = unique(identifiers)
  return {
    text,
    words: contentWords(identifiers),
    joined: joinedForms(identifiers),
    names: unique([...quotedNames(text), ...tokens.filter((token) => CODE_SHAPE.test(token))]),
    tokens,
    paths: unique([...text.matchAll(PATH_TOKEN)].map((match) => match[0].replace(/^\.\//, ''))),
  }
}

function contentWords(identifiers: readonly string[]): readonly string[] {
  const all = unique(identifiers.flatMap((identifier) => partsOf(identifier)))
  const content = all.filter((word) => !STOP_WORDS.has(word))
  return content.length > 0 ? content : all
}

function joinedForms(identifiers: readonly string[]): readonly string[] {
  const forms: string[] = []
  identifiers.forEach((identifier, i) => {
    if (partsOf(identifier).length > 1) forms.push(joinedForm(identifier))
    const next = identifiers[i + 1]
    const isPair =
      next !== undefined && !STOP_WORDS.has(identifier.toLowerCase()) && !STOP_WORDS.has(next.toLowerCase())
    if (isPair) forms.push(joinedForm(identifier) + joinedForm(next))
  })
  return unique(forms)
}

function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(QUOTED_NAME)].flatMap((match) => identifiersIn(match[1] ?? match[2] ?? ''))
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}
