/**
 * Seen or unseen: whether any learned part of hone was trained on a repository that it is scored on.
 * The report keeps the two apart; a part that does not say what it was trained on makes every repository `unknown`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RELEVANCE_MODEL } from '../../src/config.js'
import { readJson } from './results.js'
import type { Repository } from './tasks.js'

export type Provenance = 'unseen' | 'seen' | 'unknown'

/** A table or model with weights, and the repositories behind them ("owner/name", a URL, or a bare name). */
export interface LearnedPart {
  readonly name: string
  /** undefined: not stated. */
  readonly trainedOn: readonly string[] | undefined
  /** Repositories (by name in repos.json) scored with a twin that was trained without them, and the number of its fold. */
  readonly folds?: Readonly<Record<string, number>>
}

/** One repository: seen when any part saw it, else unknown when any part does not say, else unseen. */
export function provenanceOf(repository: Repository, parts: readonly LearnedPart[]): Provenance {
  if (parts.some((part) => hasSeen(part, repository))) return 'seen'
  return parts.some(({ trainedOn }) => trainedOn === undefined) ? 'unknown' : 'unseen'
}

function hasSeen({ trainedOn, folds }: LearnedPart, repository: Repository): boolean {
  if (folds !== undefined && repository.name in folds) return false
  return trainedOn?.some((name) => isSame(name, repository)) ?? false
}

/** The parts that saw a repository, or that do not say. */
export function culprits(repository: Repository, parts: readonly LearnedPart[]): readonly string[] {
  return parts
    .filter((part) => part.trainedOn === undefined || hasSeen(part, repository))
    .map(({ name }) => name)
}

/** Heading of a table. Throws when a repository in it is not what the heading would say. */
export function headingFor(
  provenance: Provenance,
  repositories: readonly Repository[],
  parts: readonly LearnedPart[],
): string {
  const wrong = repositories.find((repository) => provenanceOf(repository, parts) !== provenance)
  if (wrong !== undefined) {
    throw new Error(`refusing to print ${wrong.name} as ${provenance}: it is ${provenanceOf(wrong, parts)}`)
  }
  const names = [...new Set(repositories.flatMap((repository) => culprits(repository, parts)))].join(', ')
  const count = `${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`
  if (provenance === 'unseen') {
    const folded = parts.filter(({ folds }) =>
      repositories.some(({ name }) => folds !== undefined && name in folds),
    )
    const how = folded.length === 0 ? '' : ` (${folded.map(({ name }) => name).join(', ')}: in folds)`
    return `${count}, unseen by every learned part${how}`
  }
  if (provenance === 'seen') return `${count}, SEEN in training by: ${names}`
  return `${count}, seen or not is UNKNOWN: ${names} does not say what it was trained on`
}

/**
 * What is learned in the product: the encoder in use and every model folder that states its training, from
 * models/NAME/trained-on.json, else from `stated` (scripts/bench/trained-on.json).
 */
export function readLearnedParts(
  modelsFolder: string,
  options: { readonly encoder: string; readonly stated: string },
): readonly LearnedPart[] {
  const stated = readJson(options.stated) as Readonly<Record<string, unknown>> | undefined
  const folders = readdirSync(modelsFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const parts = new Map<string, LearnedPart>([
    [options.encoder, { name: options.encoder, trainedOn: undefined }],
  ])
  const put = (name: string, statement: unknown): void => {
    if (statement !== undefined) parts.set(name, { name, ...(statement as Omit<LearnedPart, 'name'>) })
  }
  for (const [name, statement] of Object.entries(stated ?? {})) put(name, statement)
  for (const { name } of folders) put(name, readJson(join(modelsFolder, name, 'trained-on.json')))
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Folder of the model that never saw a repository: its fold's, or undefined for the one that ships, which saw none that
 * is not in a fold.
 */
export function foldModel(
  modelsFolder: string,
  repository: string,
  model = RELEVANCE_MODEL,
): string | undefined {
  const folder = join(modelsFolder, model)
  const stated = readJson(join(folder, 'trained-on.json')) as Pick<LearnedPart, 'folds'> | undefined
  const fold = stated?.folds?.[repository]
  return fold === undefined ? undefined : join(folder, 'folds', String(fold))
}

/** The last part of the name decides: a fork or a mirror of a repository is that repository. */
function isSame(trained: string, { name, origin }: Repository): boolean {
  const last = lastPart(trained)
  return last === lastPart(origin) || last === name.toLowerCase()
}

function lastPart(origin: string): string {
  return (origin.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? origin).replace(/\.git$/, '').toLowerCase()
}
