/** The tasks of every set, from the label files; which checkout each needs. Reads files, computes nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SETS = ['fixtures', 'queries', 'commits', 'plain', 'feedback'] as const
export type SetName = (typeof SETS)[number]

/** The checkouts a set is asked on. Two sets may share one, and then one index. */
export const LAYOUT_OF = {
  fixtures: 'fixtures',
  queries: 'queries',
  plain: 'queries',
  commits: 'commits',
  feedback: 'commits',
} as const satisfies Record<SetName, string>
export type Layout = (typeof LAYOUT_OF)[SetName]

export interface Task {
  readonly set: SetName
  readonly repository: string
  /** What kind of task it is, e.g. symbol, ask, commit. */
  readonly category: string
  readonly text: string
  /** Paths that are right, without repetitions. */
  readonly labels: readonly string[]
}

export interface Repository {
  readonly name: string
  readonly language: string
  /** Where its code comes from, for comparing with what was trained on; the name for our own fixtures. */
  readonly origin: string
  /** Folder inside the checkout that is searched, "" for all of it. */
  readonly root: string
}

export interface TaskSet {
  readonly set: SetName
  readonly repositories: readonly Repository[]
  /** In the order of the label files. */
  readonly tasks: readonly Task[]
}

/** `labels`: folder with repos.json, queries/, commits.jsonl, plain.jsonl; `fixtures`: folder with tasks.json. */
export interface LabelFolders {
  readonly labels: string
  readonly fixtures: string
}

/** Reads one set. Throws when its label file is missing or malformed. */
export function readSet(set: SetName, folders: LabelFolders): TaskSet {
  if (set === 'fixtures') return readFixtures(folders.fixtures)
  const repositories = readRepositories(folders.labels)
  const tasks = readers[set](folders.labels, repositories)
  const asked = new Set(tasks.map(({ repository }) => repository))
  return { set, repositories: repositories.filter(({ name }) => asked.has(name)), tasks }
}

interface LabelledQuery {
  readonly query: string
  readonly category: string
  readonly relevant: readonly string[]
  readonly secondary?: readonly string[]
}

interface LabelledLine {
  readonly repo: string
  readonly query: string
  readonly kind?: string
  readonly relevant: readonly string[]
}

const readers = {
  queries: (folder, repositories) => repositories.flatMap(({ name }) => queriesOf(folder, name)),
  commits: (folder) => readLines(folder, 'commits.jsonl').map((line) => toTask('commits', line)),
  plain: (folder) => readLines(folder, 'plain.jsonl').map((line) => toTask('plain', line)),
  feedback: (folder) =>
    readLines(folder, 'commits.jsonl')
      .map((line) => toTask('feedback', line))
      .filter(({ labels }) => labels.length >= 2),
} as const satisfies Record<
  Exclude<SetName, 'fixtures'>,
  (folder: string, repositories: readonly Repository[]) => readonly Task[]
>

function queriesOf(folder: string, repository: string): readonly Task[] {
  const path = join(folder, 'queries', `${repository}.json`)
  if (!existsSync(path)) return []
  return (readJson(path) as readonly LabelledQuery[]).map(({ query, category, relevant, secondary }) => ({
    set: 'queries',
    repository,
    category,
    text: query,
    labels: unique([...relevant, ...(secondary ?? [])]),
  }))
}

function toTask(set: SetName, { repo, query, kind, relevant }: LabelledLine): Task {
  return { set, repository: repo, category: kind ?? 'commit', text: query, labels: unique(relevant) }
}

function readRepositories(folder: string): readonly Repository[] {
  const rows = readJson(join(folder, 'repos.json')) as readonly (Omit<Repository, 'origin'> & {
    readonly url: string
  })[]
  return rows.map(({ name, language, root, url }) => ({ name, language, root, origin: url }))
}

interface FixtureFile {
  readonly repositories: readonly { readonly name: string; readonly language: string }[]
  readonly tasks: readonly {
    readonly repository: string
    readonly kind: string
    readonly task: string
    readonly relevant: readonly string[]
  }[]
}

function readFixtures(folder: string): TaskSet {
  const { repositories, tasks } = readJson(join(folder, 'tasks.json')) as FixtureFile
  return {
    set: 'fixtures',
    repositories: repositories.map(({ name, language }) => ({ name, language, root: '', origin: name })),
    tasks: tasks.map(({ repository, kind, task, relevant }) => ({
      set: 'fixtures',
      repository,
      category: kind,
      text: task,
      labels: unique(relevant),
    })),
  }
}

function readLines(folder: string, file: string): readonly LabelledLine[] {
  const lines = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as LabelledLine)
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)]
}
