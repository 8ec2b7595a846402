/** `.honeignore` files: gitignore syntax, nested like it, for what git keeps and the index should not hold. */
import { join } from 'node:path'
import { IgnoreRules, readIgnoreFile } from './ignore-rules.js'

export class HoneIgnore {
  readonly #rulesByFolder = new Map<string, IgnoreRules>()

  constructor(readonly root: string) {}

  /** Whether a path or a folder above it is ruled out. A folder's path ends with "/". */
  ignores(path: string): boolean {
    return this.#rulesIn(folderOf(path)).ignores(path)
  }

  #rulesIn(folder: string): IgnoreRules {
    const known = this.#rulesByFolder.get(folder)
    if (known !== undefined) return known
    const above = folder === '' ? IgnoreRules.none : this.#rulesIn(folderOf(folder))
    const text = readIgnoreFile(join(this.root, folder, '.honeignore'))
    const rules = text === undefined ? above : above.plus(folder, text)
    this.#rulesByFolder.set(folder, rules)
    return rules
  }
}

/** "a/b/c" and "a/b/c/" -> "a/b/"; "c" -> "". */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
}
