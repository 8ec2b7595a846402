/** Reading a task: the words to look for, names written as in code, paths and places, code and quoted text inside it. */
import { STOP_WORDS } from '../text/stop-words.js'
import { identifiersIn, joinedForm, partsOf } from '../text/words.js'
import type { WordPair } from './bridge.js'
import { readStackTraces, slashed, type Place } from './stack-trace.js'

// More words than this say no more about what is wanted; the rarest are kept (dispatch.ts).
export const MAX_TASK_CHARACTERS = 20_000

export interface ParsedTask {
  /** The task as given, or its beginning. */
  readonly text: string
  /** The same without stack frames and fences of code: what is said about the code, and code that is shown. */
  readonly prose: string
  /** Lower-case words in order of first appearance, stop words left out (unless there is nothing else). */
  readonly words: readonly string[]
  /** Those of the words that stand in blocks of code only. */
  readonly codeWords: ReadonlySet<string>
  /** Joined forms worth trying: of identifiers with several parts, and of neighbouring words ("rate limit" -> ratelimit). */
  readonly joined: readonly string[]
  /** Neighbouring words, none of them a stop word; those in blocks of code are left out. */
  readonly pairs: readonly WordPair[]
  /** Tokens as written that look like names in code: camelCase, snake_case, in backticks, called with "()". */
  readonly names: readonly string[]
  /** Every token as written, for exact look-ups of symbols. */
  readonly tokens: readonly string[]
  /** Names written with what they belong to: Cart.total, Cart::total, Cart#total. */
  readonly members: readonly Member[]
  /** Tokens that look like paths, e.g. src/a.ts or a.ts:12 (line cut off). */
  readonly paths: readonly string[]
  /** Places named with a line, e.g. a.ts:12. */
  readonly places: readonly Place[]
  /** Frames of stack traces, where it happened first. */
  readonly frames: readonly Place[]
  /** Folders and extensions: src/auth/, *.ts. */
  readonly folders: readonly string[]
  readonly extensions: readonly string[]
  /** Texts of several words in quotation marks, and messages of errors. */
  readonly quotes: readonly string[]
}

export interface Member {
  readonly owner: string
  readonly name: string
}

const CODE_SHAPE = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^[A-Z]{2,}[a-z]|^_|\$/
const QUOTED_NAME = /`([^`\s]{2,80})`|\b([A-Za-z_$][\w$]*)\(\)/g
const MEMBER = /\b([A-Za-z_$][\w$]*)(?:\.|::|#|->)([A-Za-z_$][\w$]*)\b(?!\/)/g
// A dot, question or exclamation mark after it ends the sentence, not the path.
const PATH_TOKEN =
  /(?:[\p{L}\p{N}_@.[\]-]+\/)*[\p{L}\p{N}_@.-]+\.[A-Za-z][A-Za-z0-9]{0,11}(?=$|[.?!]*(?:[\s:,;)'"`\]#]|$))/gu
// src/a.ts:12, src/a.ts#L12, src/a.ts(12), "src/a.ts, line 12"
const LINE_AFTER = /^(?::(\d+)|#L(\d+)|\((\d+)[,)]|[`"']?,? (?:at |on )?lines? (\d+))/
const FOLDER_TOKEN =
  /(?<![\p{L}\p{N}/.:@-])\.?\/?((?:[\p{L}\p{N}_@.-]+\/)+[\p{L}\p{N}_@-]*)(?=$|[\s,;:.?!)'"`*])/gu
const FOLDER_WORD = /\b([\w-]+) (?:folder|directory|dir|package|module)\b/g
const EXTENSION = /(?:^|[\s("'`/*])\*?\.([A-Za-z][A-Za-z0-9]{0,9})(?=$|[\s,;:.?!)'"`])/g
const QUOTE =
  /"([^"\n]{8,300})"|“([^”\n]{8,300})”|`([^`\n]{8,300})`|(?<![\p{L}\p{N}])'([^'\n]{8,300})'(?![\p{L}\p{N}])/gu
const ERROR_MESSAGE =
  /^.{0,80}?\b\w*(?:Error|Exception|Warning|panic|fatal|error)\b(?:\[\w+\])?: *(\S.{7,300})$/gm
const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm

export function parseTask(task: string): ParsedTask {
  const text = task.slice(0, MAX_TASK_CHARACTERS)
  const { frames, rest } = readStackTraces(text)
  const { prose, code } = withoutFences(rest)
  const [said, shown] = [identifiersIn(prose), identifiersIn(code)]
  const [words, codeWords] = contentWords(said, shown)
  const tokens = unique([...said, ...shown])
  return {
    text,
    prose: `${prose}\n${code}`.trim(),
    words,
    codeWords,
    joined: joinedForms(said),
    pairs: pairsOf(said),
    names: unique([...quotedNames(prose), ...tokens.filter((token) => CODE_SHAPE.test(token))]),
    tokens,
    members: [...rest.matchAll(MEMBER)].map(([, owner = '', name = '']) => ({ owner, name })),
    paths: unique(pathsIn(rest).map(({ path }) => path)),
    places: pathsIn(rest).filter(({ line }) => line !== undefined),
    frames,
    folders: foldersIn(prose),
    extensions: unique([...prose.matchAll(EXTENSION)].map(([, extension = '']) => extension.toLowerCase())),
    quotes: quotesIn(rest),
  }
}

/** What stands around fenced blocks of code, and what in them. */
function withoutFences(text: string): { readonly prose: string; readonly code: string } {
  const code: string[] = []
  const prose = text.replace(FENCE, (_, __, block: string) => {
    code.push(block)
    return '\n'
  })
  return { prose, code: code.join('\n') }
}

/** The words of both, and those that are in code only; without other words code is what is asked for. */
function contentWords(
  said: readonly string[],
  shown: readonly string[],
): readonly [words: readonly string[], codeWords: ReadonlySet<string>] {
  const [own, fromCode] = [said, shown].map((ids) => unique(ids.flatMap((id) => partsOf(id)))) as [
    string[],
    string[],
  ]
  const all = unique([...own, ...fromCode])
  const content = all.filter((word) => !STOP_WORDS.has(word))
  const words = content.length > 0 ? content : all
  const isSaid = new Set(own)
  const codeWords = words.filter((word) => !isSaid.has(word))
  return [words, new Set(codeWords.length === words.length ? [] : codeWords)]
}

function pairsOf(identifiers: readonly string[]): readonly WordPair[] {
  const words = identifiers.flatMap((identifier) => partsOf(identifier))
  const pairs = new Map<string, WordPair>()
  words.forEach((word, i) => {
    const next = words[i + 1]
    if (next === undefined || word === next || STOP_WORDS.has(word) || STOP_WORDS.has(next)) return
    pairs.set(`${word} ${next}`, [word, next])
  })
  return [...pairs.values()]
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

function pathsIn(text: string): readonly Place[] {
  return [...text.matchAll(PATH_TOKEN)].map((match) => {
    const after = LINE_AFTER.exec(
      text.slice(match.index + match[0].length, match.index + match[0].length + 20),
    )
    const line = firstGroup(after)
    return { path: slashed(match[0]), line: line === undefined ? undefined : Number(line), symbol: '' }
  })
}

function foldersIn(text: string): readonly string[] {
  const written = [...text.matchAll(FOLDER_TOKEN)].map(([, folder = '']) => folder.replace(/\/$/, ''))
  const said = [...text.matchAll(FOLDER_WORD)].map(([, folder = '']) => folder)
  return unique([...written, ...said].filter((folder) => folder !== ''))
}

function quotesIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(QUOTE)].map((match) => firstGroup(match) ?? '')
  const messages = [...text.matchAll(ERROR_MESSAGE)].map(([, message = '']) => message)
  return unique([...quoted, ...messages].map((quote) => quote.trim())).filter((quote) => /\s/.test(quote))
}

/** What the first group that took part holds; the types of TypeScript say that all do. */
function firstGroup(match: readonly (string | undefined)[] | null): string | undefined {
  return match?.slice(1).find((group) => group !== undefined)
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)]
}
