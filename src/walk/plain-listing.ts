/** Lists a folder without git: every entry that gitignore files do not rule out. Never follows a link. */
import { readdirSync, type Dirent } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { HoneError, messageOf, systemCode } from '../errors.js'
import type { SkippedFile } from '../types.js'
import type { HoneIgnore } from './hone-ignore.js'
import { type IgnoreRules, readIgnoreFile } from './ignore-rules.js'
import { escapedName, isNeverWalked, type Listing } from './listing.js'
import { outerRules } from './outer-rules.js'
import { isRepository, repositoryAround } from './repository.js'

export interface PlainListingOptions {
  readonly root: string
  readonly honeIgnore: HoneIgnore
  readonly signal?: AbortSignal | undefined
}

/** Folders of installed or built code, left out where no ignore file says anything. `beside`: only next to it. */
const DEFAULT_IGNORED: readonly { readonly name: string; readonly beside?: string }[] = [
  { name: 'node_modules' },
  { name: '.venv' },
  { name: 'venv' },
  { name: '__pycache__' },
  { name: 'target', beside: 'Cargo.toml' },
  { name: '.hg' },
  { name: '.svn' },
]

interface Folder {
  /** "" or "a/b/". */
  readonly path: string
  /** Rules of the folders above. */
  readonly rules: IgnoreRules
  readonly isInRepository: boolean
  /** A gitignore file rules here, so its author decided what is worth keeping. */
  readonly hasIgnoreFile: boolean
}

// Between so many folders other work gets its turn and an abort is seen.
const FOLDERS_PER_TURN = 200

export async function plainListing(options: PlainListingOptions): Promise<Listing> {
  const repository = repositoryAround(options.root)
  const walk = new PlainWalk(options, repository?.prefix ?? '')
  const isInRepository = repository !== undefined
  const start = { path: '', rules: outerRules(repository), isInRepository, hasIgnoreFile: false }
  const waiting: Folder[] = [start]
  for (let visited = 1; ; visited++) {
    const folder = waiting.pop()
    if (folder === undefined) return walk
    for (const inner of walk.visit(folder)) waiting.push(inner) // not push(...): a folder may have more than a call takes
    if (visited % FOLDERS_PER_TURN === 0) {
      await setImmediate()
      if (options.signal?.aborted === true) return walk
    }
  }
}

class PlainWalk implements Listing {
  readonly paths: string[] = []
  readonly skipped: SkippedFile[] = []

  constructor(
    readonly options: PlainListingOptions,
    /** From the repository's top to the root: the ignore rules know paths from the top. */
    readonly prefix: string,
  ) {}

  /** Takes in the entries of one folder and returns the folders to visit next. */
  visit(folder: Folder): Folder[] {
    const entries = this.#entriesOf(folder)
    const names = new Set(entries.map((entry) => entry.name))
    const here = names.has('.gitignore') ? this.#withOwnRules(folder) : folder
    return entries.flatMap((entry) => {
      if (entry.isDirectory()) return isNeverWalked(entry.name) ? [] : this.#subfolder(here, { entry, names })
      if (entry.name !== '.git') this.#file(here, entry.name)
      return []
    })
  }

  #entriesOf(folder: Folder): Dirent[] {
    const absolutePath = join(this.options.root, folder.path)
    try {
      const entries = readdirSync(absolutePath, { withFileTypes: true })
      // U+FFFD may stand for bytes that are no UTF-8: such an entry cannot be named, so not opened either.
      if (entries.some((entry) => entry.name.includes('\uFFFD'))) this.#skipOddNames(folder, absolutePath)
      return entries.filter((entry) => !entry.name.includes('\uFFFD'))
    } catch (error) {
      if (folder.path === '') throw rootUnreadable(this.options.root, error)
      this.skipped.push({ path: folder.path, reason: 'unreadable', detail: systemCode(error) })
      return []
    }
  }

  #skipOddNames(folder: Folder, absolutePath: string): void {
    for (const name of readdirSync(absolutePath, { encoding: 'buffer' })) {
      if (!isUtf8(name)) {
        this.skipped.push({
          path: folder.path + escapedName(name),
          reason: 'unreadable',
          detail: 'name is not UTF-8',
        })
      } else if (name.includes('\uFFFD')) this.#file(folder, name.toString('utf8'))
    }
  }

  #withOwnRules(folder: Folder): Folder {
    const text = readIgnoreFile(join(this.options.root, folder.path, '.gitignore'))
    if (text === undefined) return folder
    return { ...folder, rules: folder.rules.plus(this.prefix + folder.path, text), hasIgnoreFile: true }
  }

  #file(folder: Folder, name: string): void {
    const path = folder.path + name
    if (folder.rules.ignores(this.prefix + path)) this.skipped.push({ path, reason: 'ignored' })
    else this.paths.push(path)
  }

  #subfolder(folder: Folder, at: { entry: Dirent; names: ReadonlySet<string> }): Folder[] {
    const path = `${folder.path}${at.entry.name}/`
    const ignoredBy = this.#ignoredBy(folder, { path, ...at })
    if (ignoredBy !== undefined) {
      this.skipped.push({ path, reason: 'ignored', ...(ignoredBy === '' ? {} : { detail: ignoredBy }) })
      return []
    }
    const isOwnRepository = isRepository(join(this.options.root, path))
    if (isOwnRepository && folder.isInRepository) {
      this.paths.push(path)
      return []
    }
    // A folder of several repositories is no repository: each of them is walked by its own rules.
    return [{ ...folder, path, isInRepository: folder.isInRepository || isOwnRepository }]
  }

  /** What rules a folder out: "" for a gitignore file; undefined when nothing does. */
  #ignoredBy(
    folder: Folder,
    at: { path: string; entry: Dirent; names: ReadonlySet<string> },
  ): string | undefined {
    if (folder.rules.ignores(this.prefix + at.path)) return ''
    if (this.options.honeIgnore.ignores(at.path)) return '.honeignore'
    const isDefault = DEFAULT_IGNORED.some(
      ({ name, beside }) => name === at.entry.name && (beside === undefined || at.names.has(beside)),
    )
    return isDefault && !folder.isInRepository && !folder.hasIgnoreFile ? 'default' : undefined
  }
}

function rootUnreadable(root: string, cause: unknown): HoneError {
  return new HoneError(
    'ROOT_UNREADABLE',
    `cannot list ${root} (${messageOf(cause)}); check its permissions, or give a folder you can read`,
    { cause },
  )
}
