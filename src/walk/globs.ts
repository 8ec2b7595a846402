/** Globs a user gives: `*.ts` by name at any depth, `src/auth` that folder and all in it, `src/*.ts` from the root. */
import picomatch from 'picomatch'
import { HoneError, messageOf } from '../errors.js'

/** A test for paths relative to the root. Throws GLOB_INVALID naming the glob at fault; no globs match nothing. */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map(compiled)
  return (path) => tests.some((test) => test(path))
}

function compiled(glob: string): (path: string) => boolean {
  const isAnchored = glob.replace(/\/+$/, '').includes('/')
  const body = glob.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')
  if (body === '') throw invalid(glob, 'it is empty')
  if (/^!(?!\()/.test(glob)) throw invalid(glob, 'it starts with "!"; use the opposite option instead')
  const pattern = isAnchored ? body : `**/${body}`
  const matches = compile(glob, [pattern, `${pattern}/**`])
  // Folders like `app/[id]` are meant as they stand.
  return (path) => matches(path) || path === body || path.startsWith(`${body}/`)
}

function compile(glob: string, patterns: string[]): (path: string) => boolean {
  try {
    return picomatch(patterns, { dot: true, strictBrackets: true, nonegate: true })
  } catch (cause) {
    throw invalid(glob, messageOf(cause))
  }
}

function invalid(glob: string, why: string): HoneError {
  return new HoneError('GLOB_INVALID', `the glob ${JSON.stringify(glob)} is not valid: ${why}`)
}
