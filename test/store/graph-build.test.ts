/** Who builds the graph of an index, and when. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildIndex, type BuildRequest, type BuildSummary } from '../../src/build/build-index.js'
import { loadEncoder } from '../../src/build/encoders.js'
import { refresh } from '../../src/build/refresh.js'
import { DEFAULTS, MODELS_FOLDER } from '../../src/config.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { temporaryFolder } from './temporary-folder.js'

const FILES = 30

async function setUp(): Promise<{
  readonly root: string
  readonly request: BuildRequest
  readonly build: (more?: Partial<BuildRequest>) => Promise<BuildSummary>
  readonly graphs: () => readonly string[]
}> {
  const root = temporaryFolder()
  const folder = join(root, '.hone')
  for (let i = 0; i < FILES; i++)
    writeFileSync(join(root, `made${i}.ts`), `export function made${i}() {\n  return token${i}\n}\n`)
  const embedder = await loadEncoder([MODELS_FOLDER], DEFAULTS.encoder)
  const settings = {
    root,
    encoder: embedder.name,
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    include: [],
    exclude: [],
    maxFileBytes: DEFAULTS.maxFileBytes,
    history: false,
  }
  const request: BuildRequest = { settings, folder, embedder, jobs: 0, rebuild: false, graphFrom: 10 }
  return {
    root,
    request,
    build: (more = {}) => buildIndex({ ...request, ...more }),
    graphs: () => readdirSync(folder).filter((file) => file.includes('hnsw')),
  }
}

describe('hone index', () => {
  it('leaves a small index without a graph', async () => {
    const { build, graphs } = await setUp()
    await build({ graphFrom: FILES + 1 })
    expect(graphs()).toEqual([])
  })

  it('builds the graph of a large one, says so, and does not build it again for a small change', async () => {
    const { root, build, graphs } = await setUp()
    const phases: string[] = []
    await build({ onProgress: ({ phase }) => phases.push(phase) })
    expect(phases.at(-1)).toBe('graph')
    expect(graphs()).toEqual(['index-1.hnsw', 'index-1.hnsw.json'])
    const built = statSync(join(root, '.hone', 'index-1.hnsw')).mtimeMs
    writeFileSync(join(root, 'made0.ts'), 'export const other = 1\n')
    await build()
    expect(statSync(join(root, '.hone', 'index-1.hnsw')).mtimeMs).toBe(built)
    await build({ rebuild: true })
    expect(graphs()).toEqual(['index-2.hnsw', 'index-2.hnsw.json'])
  })

  it('lets updates through while it builds the graph, and exact search answer', async () => {
    const { root, request, build } = await setUp()
    let during: Promise<BuildSummary> | undefined
    await build({
      onProgress: ({ phase }) => {
        if (phase !== 'graph' || during !== undefined) return
        writeFileSync(join(root, 'made0.ts'), 'export const other = 1\n')
        during = build({ isHurried: true })
      },
    })
    expect(await during).toMatchObject({ changed: 1 })
    const reader = new IndexReader(currentDatabase(request.folder)!, { graphFrom: 10, loadGraphAfter: 0 })
    expect(reader.vectorIndex.kind).toBe('hnsw') // the chunk that came meanwhile is compared beside it
    reader.close()
  })

  it('stopped while it builds the graph has left a complete index', async () => {
    const { request, build, graphs } = await setUp()
    const stopping = new AbortController()
    const building = build({
      signal: stopping.signal,
      onProgress: ({ phase }) => {
        if (phase === 'write') stopping.abort()
      },
    })
    await expect(building).rejects.toMatchObject({ code: 'ABORTED' })
    expect(graphs()).toEqual([])
    const reader = new IndexReader(currentDatabase(request.folder)!)
    expect(reader.stats.files).toBe(FILES)
    reader.close()
  })
})

describe('a query that brings the index up to date', () => {
  it('does not build a graph meanwhile', async () => {
    const { root, request, build, graphs } = await setUp()
    await build({ graphFrom: Infinity })
    writeFileSync(join(root, 'made0.ts'), 'export const other = 1\n')
    const reader = new IndexReader(currentDatabase(request.folder)!)
    const { embedder, folder } = request
    expect(await refresh(reader, { root, folder, embedder, jobs: 0, graphFrom: 10 })).toMatchObject({
      updated: 1,
    })
    expect(graphs()).toEqual([])
    reader.close()
  })
})
