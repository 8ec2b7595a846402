/** Ignore rules from outside the walked folder: the user's global file, `.git/info/exclude`, folders above. */
import { join } from 'node:path'
import { gitEnvironment } from '../config.js'
import { IgnoreRules, readIgnoreFile } from './ignore-rules.js'
import type { Repository } from './repository.js'

/** Rules that hold before the folder's own. Paths are relative to the repository's top, else to the folder. */
export function outerRules(repository: Repository | undefined): IgnoreRules {
  const user = plusFile(IgnoreRules.none, { folder: '', path: globalExcludesFile() })
  if (repository === undefined) return user
  const { top, prefix, commonFolder } = repository
  const shared = plusFile(user, { folder: '', path: join(commonFolder, 'info', 'exclude') })
  const above = foldersAbove(prefix).reduce(
    (rules, folder) => plusFile(rules, { folder, path: join(top, folder, '.gitignore') }),
    shared,
  )
  // A folder that is itself ignored was asked for by name: the rules that hide it say nothing about its files.
  return prefix !== '' && above.ignores(prefix) ? user : above
}

/** "a/b/" -> ["", "a/"]: the folders from the top down to, but without, the folder itself. */
function foldersAbove(prefix: string): string[] {
  const names = prefix.split('/').slice(0, -1)
  return names.map((_, depth) =>
    names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join(''),
  )
}

function plusFile(rules: IgnoreRules, file: { folder: string; path: string }): IgnoreRules {
  const text = readIgnoreFile(file.path)
  return text === undefined ? rules : rules.plus(file.folder, text)
}

/** core.excludesFile of the user's git configuration, or git's default for it. */
function globalExcludesFile(): string {
  const { HOME: home = '', XDG_CONFIG_HOME: xdg = '' } = gitEnvironment()
  const configFolder = join(xdg === '' ? join(home, '.config') : xdg, 'git')
  const named = [join(home, '.gitconfig'), join(configFolder, 'config')]
    .map((path) => excludesFileIn(readIgnoreFile(path) ?? ''))
    .find((value) => value !== undefined)
  return named === undefined ? join(configFolder, 'ignore') : named.replace(/^~(?=\/)/, home)
}

/** The last `excludesFile` of the `[core]` sections. Includes and conditions are left to git itself. */
function excludesFileIn(config: string): string | undefined {
  let isCore = false
  let value: string | undefined
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)
    if (section !== null) isCore = section[1]?.toLowerCase() === 'core'
    const setting = /^\s*excludesfile\s*=\s*"?([^"#;]*?)"?\s*$/i.exec(line)
    if (isCore && setting !== null) value = setting[1]
  }
  return value
}
