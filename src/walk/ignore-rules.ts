/**
 * Rules of gitignore files, the outermost first, the last match deciding, as in git.
 * The `ignore` package knows one file; files in sub-folders are added by writing the folder into each pattern.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'

export class IgnoreRules {
  static readonly none = new IgnoreRules(undefined)

  private constructor(private readonly rules: Ignore | undefined) {}

  get isEmpty(): boolean {
    return this.rules === undefined
  }

  /** These rules and those of one more file. `folder`: where its patterns are rooted, "" or "a/b/". */
  plus(folder: string, text: string): IgnoreRules {
    const patterns = patternLines(text).map((line) => ({ pattern: rooted(folder, line) }))
    if (patterns.length === 0) return this
    const rules = ignore({ ignorecase: false })
    if (this.rules !== undefined) rules.add(this.rules)
    return new IgnoreRules(rules.add(patterns))
  }

  /** Whether a path, or a folder it lies in, is ignored. A folder's path ends with "/". */
  ignores(path: string): boolean {
    return this.rules?.ignores(path) ?? false
  }
}

function patternLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#') && !/^!?\/? *$/.test(line))
}

/** The pattern of a file in `folder` as a pattern of the top folder. */
function rooted(folder: string, line: string): string {
  if (folder === '') return line
  const [sign, body] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line]
  const prefix = `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}`
  const isAnchored = /\/(?! *$)/.test(body) // a "/" before the end ties a pattern to its folder
  return sign + prefix + (isAnchored ? body.replace(/^\//, '') : `**/${body}`)
}

// Larger than any list of rules; git gives up on large ones too.
const MAX_IGNORE_FILE_BYTES = 16_000_000

/** Text of an ignore file; undefined where there is none or, as in git, where it is a link or not readable. */
export function readIgnoreFile(path: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(descriptor)
    const isRules = fstatSync(descriptor).isFile() && size <= MAX_IGNORE_FILE_BYTES
    return isRules ? readFileSync(descriptor, 'utf8') : undefined
  } finally {
    closeSync(descriptor)
  }
}
