/** Which repositories are served: those the server was started with, else those the client has open. */
import { basename, resolve } from 'node:path'
import { HoneError } from '../errors.js'
import { defaultRoot, findIndexedRoot } from '../index.js'
import { Repository } from './repository.js'

export interface RepositoriesOptions {
  /** Folders the server was started with. */
  readonly given: readonly string[]
  /** Folders the client has open; asked when none are given. Empty where it does not say. */
  readonly ofClient: () => Promise<readonly string[]>
  /** Where none are known: the folder the server was started in. */
  readonly current: string
  readonly patienceMs: number
}

export class Repositories {
  readonly #open = new Map<string, Repository>()
  #roots: Promise<readonly string[]> | undefined

  constructor(private readonly options: RepositoriesOptions) {}

  /** The client's folders may have changed: ask again. */
  forgetRoots(): void {
    this.#roots = undefined
  }

  /** All, sorted by root. */
  async all(): Promise<readonly Repository[]> {
    this.#roots ??= this.#findRoots()
    return (await this.#roots).map((root) => this.#at(root))
  }

  /** The one that is meant. Throws USAGE that lists them unless exactly one is. */
  async one(root: string | undefined): Promise<Repository> {
    const all = await this.all()
    const meant = root === undefined ? all : all.filter((repository) => isCalled(repository.root, root))
    const [only] = meant
    if (only !== undefined && meant.length === 1) return only
    const list = all.map((repository) => repository.root).join(', ')
    const why =
      root === undefined
        ? 'several repositories are served; say which as root'
        : `${JSON.stringify(root.slice(0, 100))} is ${only === undefined ? 'not served' : 'the name of several'}; give one of these as root`
    throw new HoneError('USAGE', `${why}: ${list}`)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((repository) => repository.close()))
  }

  async #findRoots(): Promise<readonly string[]> {
    const { given, ofClient, current } = this.options
    if (given.length > 0) return unique(given.map((path) => indexedRoot(path) ?? resolve(path)))
    const offered = await ofClient()
    if (offered.length > 0) return unique(offered.map((path) => indexedRoot(path) ?? resolve(path)))
    return [indexedRoot(current) ?? defaultRoot(current)]
  }

  #at(root: string): Repository {
    const known = this.#open.get(root)
    if (known !== undefined) return known
    const repository = new Repository(root, this.options.patienceMs)
    this.#open.set(root, repository)
    return repository
  }
}

/** The nearest indexed folder upward; undefined without one, and for a folder that is not there: asking it says so. */
function indexedRoot(path: string): string | undefined {
  try {
    return findIndexedRoot(path)
  } catch (error) {
    if (error instanceof HoneError) return undefined
    throw error
  }
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort()
}

function isCalled(root: string, name: string): boolean {
  return basename(root) === name || root === resolve(name)
}
