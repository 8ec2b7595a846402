/** Putting one server into an agent's configuration and taking it out again; everything else in the file stays as it is. */
import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { HoneError } from '../errors.js'
import type { Agent } from './agents.js'

const NAME = 'hone'

/** The file's text with the server (undefined: without it). Throws USAGE for a file that cannot be read as what it is. */
export function edited(text: string, agent: Agent, entry: object | undefined): string {
  return agent.format === 'toml' ? editedToml(text, agent, entry) : editedJson(text, agent, entry)
}

/** Comments, order and indentation of what is there stay. */
function editedJson(text: string, agent: Agent, entry: object | undefined): string {
  const errors: ParseError[] = []
  const held: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined || typeof held !== 'object' || held === null || Array.isArray(held)) {
    const why =
      error === undefined ? 'it is no object' : `${printParseErrorCode(error.error)} at ${error.offset}`
    throw new HoneError('USAGE', `the configuration is not JSON (${why}); mend it, or add hone by hand`)
  }
  const servers = (held as Readonly<Record<string, unknown>>)[agent.servers]
  if (entry === undefined && (servers === undefined || !hasOwn(servers, NAME))) return text
  const isLast = entry === undefined && Object.keys(servers as object).length === 1
  const path = isLast ? [agent.servers] : [agent.servers, NAME]
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  const source = text.trim() === '' ? '{}' : text
  const result = applyEdits(source, modify(source, path, entry, { formattingOptions }))
  return result.endsWith('\n') ? result : `${result}\n`
}

function hasOwn(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
}

/** The table [SERVERS.hone] up to the next table; TOML needs no more to be edited safely. */
function editedToml(text: string, agent: Agent, entry: object | undefined): string {
  const header = `[${agent.servers}.${NAME}]`
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === header)
  const isOfOthers = (line: string): boolean =>
    /^\s*\[/.test(line) && !line.trim().startsWith(`[${agent.servers}.${NAME}.`)
  const length = start < 0 ? 0 : lines.slice(start + 1).findIndex(isOfOthers) + 1
  const end = start < 0 ? lines.length : length === 0 ? lines.length : start + length
  const before = (start < 0 ? lines : lines.slice(0, start)).join('\n').trimEnd()
  const after = start < 0 ? '' : lines.slice(end).join('\n').trim()
  const own = entry === undefined ? '' : [header, ...Object.entries(entry).map(tomlLine)].join('\n')
  if (entry === undefined && start < 0) return text
  const parts = [before, own, after].filter((part) => part !== '')
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

/** JSON strings and lists of strings are TOML too. */
function tomlLine([key, value]: readonly [string, unknown]): string {
  return `${key} = ${JSON.stringify(value)}`
}

/** The lines that differ, as people read them: the whole of a small file, "+" and "-" before what changes. */
export function lineDiff(before: string, after: string): string {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const now = after === '' ? [] : after.replace(/\n$/, '').split('\n')
  let head = 0
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const context = 3
  const from = Math.max(0, head - context)
  const marked = (mark: string, list: readonly string[]): readonly string[] =>
    list.map((line) => `${mark}${line}`)
  return [
    ...marked(' ', now.slice(from, head)),
    ...marked('-', old.slice(head, old.length - tail)),
    ...marked('+', now.slice(head, now.length - tail)),
    ...marked(' ', now.slice(now.length - tail, now.length - tail + context)),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
