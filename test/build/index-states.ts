/** What an index says, as text to compare; and the ways tests look into one. */
import { buildIndex, openIndex, type BuildOptions, type BuildSummary } from '../../src/index.js'
import { openDatabase } from '../../src/store/database.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'

export function build(root: string, options: Omit<BuildOptions, 'root'> = {}): Promise<BuildSummary> {
  return buildIndex({ root, jobs: 0, ...options })
}

export function databaseOf(root: string): string {
  const path = currentDatabase(`${root}/.hone`)
  if (path === undefined) throw new Error(`no index in ${root}`)
  return path
}

/** Moves with every commit. */
export function generationOf(root: string): string {
  const database = openDatabase(databaseOf(root), 'read')
  try {
    return database.prepare("select value from meta where key = 'generation'").pluck().get() as string
  } finally {
    database.close()
  }
}

/** Path -> row id, which changes when a file is indexed anew. */
export function idsOf(root: string): ReadonlyMap<string, number> {
  const reader = new IndexReader(databaseOf(root))
  try {
    return new Map(reader.files().map(({ path, id }) => [path, id]))
  } finally {
    reader.close()
  }
}

/** All that can be asked of the index without looking at the files first, times left out. */
export async function saysOf(root: string, tasks: readonly string[]): Promise<string> {
  const index = await openIndex({ root })
  try {
    const answers: unknown[] = []
    for (const task of tasks) {
      const answer = await index.retrieve({
        task,
        limit: 100,
        minRelevance: 0,
        explain: true,
        withText: true,
      })
      answers.push({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })
    }
    return JSON.stringify({ files: index.files(), skipped: index.skipped(), answers }, null, 1)
  } finally {
    index.close()
  }
}
