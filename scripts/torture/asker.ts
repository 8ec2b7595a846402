/**
 * A process that opens an index and answers, again and again: torture damages the files, this one must never die of
 * it. One line of JSON in ({root, tasks, index?}), one out ({kind: 'answered' | 'refused' | 'fault', ...}).
 */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { buildIndex, HoneError, indexFolderOf, openIndex } from '../../src/index.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'

export interface Question {
  readonly root: string
  readonly tasks: readonly string[]
  /** Run `hone index` (or `--rebuild`) first. */
  readonly index?: 'update' | 'rebuild'
  /** Search through the graph too, which an index from so many chunks on has. */
  readonly graphFrom?: number
}

export type Said =
  | { readonly kind: 'answered'; readonly digest: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string }

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as Question))}\n`)
}

async function answer({ root, tasks, index, graphFrom }: Question): Promise<Said> {
  try {
    if (index !== undefined) await buildIndex({ root, jobs: 0, rebuild: index === 'rebuild' })
    if (graphFrom !== undefined) searchGraph(root, graphFrom)
    return { kind: 'answered', digest: await digestOf(root, tasks) }
  } catch (error) {
    if (error instanceof HoneError) return { kind: 'refused', code: error.code, message: error.message }
    return { kind: 'fault', message: error instanceof Error ? (error.stack ?? '') : String(error) }
  }
}

/** Throws when the graph beside the database does not find a chunk by its own vector. */
function searchGraph(root: string, graphFrom: number): void {
  const path = currentDatabase(indexFolderOf(root))
  if (path === undefined) return
  const reader = new IndexReader(path, { graphFrom, loadGraphAfter: 0 })
  try {
    const { fileOf } = reader.documents
    const vector = reader.vectors.vector(fileOf.findIndex((file) => file > 0))
    const isLive = (chunk: number): boolean => (fileOf[chunk] ?? 0) > 0
    const [nearest] = reader.vectorIndex.search(vector, 1, isLive).nearest
    if (nearest === undefined || nearest.similarity < 0.99) throw new Error('the graph does not find a chunk')
  } finally {
    reader.close()
  }
}

/** All an index says without looking at the files, times left out. */
async function digestOf(root: string, tasks: readonly string[]): Promise<string> {
  const opened = await openIndex({ root })
  try {
    const hash = createHash('sha256').update(JSON.stringify([opened.files(), opened.skipped()]))
    for (const task of tasks) {
      const answered = await opened.retrieve({ task, limit: 50, minRelevance: 0 })
      hash.update(
        JSON.stringify({ ...answered, ms: 0, cycles: answered.cycles.map((c) => ({ ...c, ms: 0 })) }),
      )
    }
    return hash.digest('hex')
  } finally {
    opened.close()
  }
}
