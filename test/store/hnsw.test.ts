import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeGraph, type GraphSource } from '../../src/store/graph-file.js'
import { buildGraph, graphIndex, hasGraph } from '../../src/store/hnsw.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { IndexWriter } from '../../src/store/index-writer.js'
import { ExactIndex, type VectorIndex } from '../../src/store/vectors.js'
import type { ChunkId } from '../../src/types.js'
import { encodeVector, VectorTable, vectorRowBytes } from '../../src/vector/vector-table.js'
import { indexedFile, SETTINGS } from './indexed-files.js'

const DIMENSIONS = 48
const POINTS = 3000
const LATER = 200

/** Clusters of vectors from a fixed pseudo-random sequence; row 0 is empty, as in an index. */
function clusteredBytes(points: number): Uint8Array {
  let seed = 7
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648 - 0.5
  }
  const centres = Array.from({ length: 40 }, () => Array.from({ length: DIMENSIONS }, random))
  const rowBytes = vectorRowBytes(DIMENSIONS)
  const bytes = new Uint8Array((points + 1) * rowBytes)
  for (let id = 1; id <= points; id++) {
    const centre = centres[id % centres.length]!
    const vector = Float32Array.from(centre, (x) => (id % 500 === 0 ? 0 : x + random() * 0.6))
    encodeVector(vector, bytes.subarray(id * rowBytes, (id + 1) * rowBytes))
  }
  return bytes
}

const allBytes = clusteredBytes(POINTS + LATER)
const grown = new VectorTable([allBytes], DIMENSIONS)
const table = new VectorTable([allBytes.subarray(0, (POINTS + 1) * vectorRowBytes(DIMENSIONS))], DIMENSIONS)
const source: GraphSource = { table, numbering: '2' }
const everything = (): boolean => true

let made: string
let folder: string
let database: string

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'hone-hnsw-'))
  const chunks = Array.from({ length: POINTS }, (_, i) => (i + 1) as ChunkId)
  expect(await buildGraph(join(made, 'index-1.db'), { ...source, chunks })).toBe(true)
})

beforeEach(() => {
  folder = mkdtempSync(join(made, 'copy-'))
  database = join(folder, 'index-1.db')
  for (const file of ['index-1.hnsw', 'index-1.hnsw.json']) copyFileSync(join(made, file), join(folder, file))
})

afterAll(() => {
  rmSync(made, { recursive: true, force: true })
})

function opened(from: GraphSource = source): VectorIndex {
  const index = graphIndex(database, from, { loadAfter: 0 })
  expect(index?.kind).toBe('hnsw')
  return index!
}

function recallAt10(index: VectorIndex, whole: VectorTable, accepts: (id: number) => boolean): number {
  const exact = new ExactIndex(whole)
  let found = 0
  let wanted = 0
  for (let q = 1; q <= 100; q++) {
    const query = whole.vector(q * 29 + 1)
    const near = index.search(query, 10, accepts).nearest
    const similarityOf = new Map(near.map(({ chunk, similarity }) => [chunk, similarity]))
    expect(near.every(({ chunk }) => accepts(chunk))).toBe(true)
    for (const { chunk, similarity } of exact.search(query, 10, accepts).nearest) {
      wanted++
      if (similarityOf.get(chunk) === similarity) found++
    }
  }
  return found / wanted
}

describe('the graph', () => {
  it('finds at least 98 of 100 of what exact search finds, with the same similarities', () => {
    expect(recallAt10(opened(), table, everything)).toBeGreaterThanOrEqual(0.98)
  })

  it('does so among accepted chunks too: the filter comes before the cut', () => {
    expect(recallAt10(opened(), table, (id) => id % 3 === 1)).toBeGreaterThanOrEqual(0.98)
  })

  it('leaves a filter that accepts few to exact search, which finds all of them', () => {
    const few = new Set([10, 20, 30])
    const accepts = (chunk: number): boolean => few.has(chunk)
    expect(opened().search(table.vector(10), 10, accepts)).toMatchObject({
      nearest: new ExactIndex(table).search(table.vector(10), 10, accepts).nearest,
    })
    expect(opened().search(table.vector(10), 10, () => false).nearest).toEqual([])
  })

  it('answers for no neighbours, for more than there are, and for a query without a vector as exact search does', () => {
    const exact = new ExactIndex(table)
    const zeros = new Float32Array(DIMENSIONS)
    expect(opened().search(table.vector(1), 0, everything).nearest).toEqual([])
    expect(opened().search(zeros, 5, everything).nearest).toEqual(exact.search(zeros, 5, everything).nearest)
    expect(opened().search(table.vector(1), 10_000, everything).nearest.length).toBeGreaterThanOrEqual(2994)
  })

  it('knows the similarity of any chunk, found or not', () => {
    const query = table.vector(7)
    const { similarity } = opened().search(query, 3, everything)
    for (const chunk of [1, 500, POINTS, POINTS + 5])
      expect(similarity(chunk)).toBe(table.similarityTo(query)(chunk))
  })

  it('finds chunks that are younger than it', () => {
    const index = opened({ table: grown, numbering: '2' })
    expect(recallAt10(index, grown, everything)).toBeGreaterThanOrEqual(0.98)
    const query = grown.vector(POINTS + 42)
    expect(index.search(query, 1, everything).nearest[0]?.chunk).toBe(POINTS + 42)
  })

  it('is built anew when more than a tenth of the chunks are younger', () => {
    expect(hasGraph(database, { table: grown, numbering: '2' })).toBe(true)
    const larger = new VectorTable([clusteredBytes(POINTS + 400)], DIMENSIONS)
    expect(hasGraph(database, { table: larger, numbering: '2' })).toBe(false)
  })

  it('is left alone by a process that asks seldom, and used by one that asks often', () => {
    const index = graphIndex(database, source, { loadAfter: 2 })!
    const query = table.vector(3)
    const exact = new ExactIndex(table).search(query, 10, everything).nearest
    expect(index.search(query, 10, everything).nearest).toEqual(exact)
    rmSync(join(folder, 'index-1.hnsw')) // not looked at so far
    expect(index.search(query, 10, everything).nearest).toEqual(exact)
    expect(index.kind).toBe('hnsw')
    expect(index.search(query, 10, everything).nearest).toEqual(exact)
    expect(index.kind).toBe('exact')
  })
})

describe('a graph file', () => {
  it('of another numbering of chunks, or of vectors of another size, is none', () => {
    expect(graphIndex(database, { table, numbering: '3' })).toBeUndefined()
    expect(hasGraph(database, { table, numbering: '3' })).toBe(false)
    const other = new VectorTable([new Uint8Array(4000 * vectorRowBytes(16))], 16)
    expect(graphIndex(database, { table: other, numbering: '2' })).toBeUndefined()
  })

  it('of an index that had more chunks is none', () => {
    const smaller = new VectorTable([allBytes.subarray(0, 100 * vectorRowBytes(DIMENSIONS))], DIMENSIONS)
    expect(graphIndex(database, { table: smaller, numbering: '2' })).toBeUndefined()
  })

  const middle = (file: string): void => {
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(file, bytes)
  }
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    [
      'cut short',
      (file) => {
        truncateSync(file, 1000)
      },
    ],
    [
      'empty',
      (file) => {
        truncateSync(file, 0)
      },
    ],
    [
      'longer',
      (file) => {
        appendFileSync(file, 'x')
      },
    ],
    ['changed in one bit', middle],
    [
      'something else',
      (file) => {
        writeFileSync(file, 'not a graph')
      },
    ],
  ]
  it.each(damages)('that is %s is never given to the library: exact search serves', (_, damage) => {
    damage(join(folder, 'index-1.hnsw'))
    const index = opened()
    const query = table.vector(5)
    expect(index.search(query, 10, everything).nearest).toEqual(
      new ExactIndex(table).search(query, 10, everything).nearest,
    )
    expect(index.kind).toBe('exact')
    expect(hasGraph(database, source)).toBe(false)
  })

  const headers: readonly (readonly [string, (header: Record<string, unknown>) => string])[] = [
    ['cut short', (header) => JSON.stringify(header).slice(0, 20)],
    ['null', () => 'null'],
    ['of another program', (header) => JSON.stringify({ ...header, magic: 'x' })],
    ['of another format', (header) => JSON.stringify({ ...header, format: 99 })],
    ['of other parameters', (header) => JSON.stringify({ ...header, neighbours: 8 })],
  ]
  it.each(headers)('whose header is %s is none', (_, changed) => {
    const path = join(folder, 'index-1.hnsw.json')
    writeFileSync(path, changed(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>))
    expect(graphIndex(database, source)).toBeUndefined()
    expect(hasGraph(database, source)).toBe(false)
  })

  it('is removed with its header', () => {
    removeGraph(database)
    expect(readdirSync(folder)).toEqual([])
    expect(hasGraph(database, source)).toBe(false)
  })

  it('is the same bytes for the same vectors', async () => {
    const again = join(folder, 'index-2.db')
    const chunks = Array.from({ length: POINTS }, (_, i) => (i + 1) as ChunkId)
    await buildGraph(again, { ...source, chunks })
    expect(
      readFileSync(join(folder, 'index-2.hnsw')).equals(readFileSync(join(folder, 'index-1.hnsw'))),
    ).toBe(true)
  })
})

describe('building a graph', () => {
  const chunks = Array.from({ length: 1000 }, (_, i) => (i + 1) as ChunkId)

  it('says how far it is and can be stopped, which leaves the old graph', async () => {
    const before = readdirSync(folder)
    const seen: number[] = []
    const stopping = new AbortController()
    const all = Array.from({ length: POINTS + LATER }, (_, i) => (i + 1) as ChunkId)
    const building = buildGraph(
      database,
      { table: grown, numbering: '2', chunks: all },
      {
        signal: stopping.signal,
        onProgress: (done, total) => {
          expect(total).toBe(LATER)
          seen.push(done)
          if (done >= 128) stopping.abort()
        },
      },
    )
    await expect(building).rejects.toMatchObject({ code: 'ABORTED' })
    expect(seen).toEqual(Array.from({ length: 9 }, (_, turn) => turn * 16))
    expect(readdirSync(folder)).toEqual(before)
    expect(hasGraph(database, source)).toBe(true)
  })

  it('takes the younger chunks into the graph that is there, which then finds as much as a new one', async () => {
    const grownSource: GraphSource = { table: grown, numbering: '2' }
    const all = Array.from({ length: POINTS + LATER }, (_, i) => (i + 1) as ChunkId)
    const totals = new Set<number>()
    const onProgress = (_: number, total: number): number => totals.add(total).size
    expect(await buildGraph(database, { ...grownSource, chunks: all }, { onProgress })).toBe(true)
    expect([...totals]).toEqual([LATER])
    const header = JSON.parse(readFileSync(join(folder, 'index-1.hnsw.json'), 'utf8')) as { rows: number }
    expect(header.rows).toBe(POINTS + LATER + 1)
    expect(recallAt10(opened(grownSource), grown, everything)).toBeGreaterThanOrEqual(0.98)
  })

  it('leaves a damaged one aside and makes a new one of all chunks', async () => {
    truncateSync(join(folder, 'index-1.hnsw'), 1000)
    const totals = new Set<number>()
    const onProgress = (_: number, total: number): number => totals.add(total).size
    await buildGraph(database, { ...source, chunks }, { onProgress })
    expect([...totals]).toEqual([chunks.length])
    expect(hasGraph(database, source)).toBe(true)
  })

  it('for an index that was replaced meanwhile writes nothing', async () => {
    const other = join(folder, 'index-3.db')
    expect(await buildGraph(other, { ...source, chunks }, { isWanted: () => false })).toBe(false)
    expect(hasGraph(other, source)).toBe(false)
  })

  it('that cannot be written is told and leaves nothing behind', async () => {
    const nowhere = join(folder, 'missing', 'index-1.db')
    await expect(buildGraph(nowhere, { ...source, chunks })).rejects.toMatchObject({
      code: 'INDEX_UNWRITABLE',
    })
    expect(existsSync(join(folder, 'missing'))).toBe(false)
  })
})

describe('an index reader', () => {
  function writeIndex(files: number): string {
    const path = join(folder, 'index-9.db')
    const writer = new IndexWriter(path, SETTINGS)
    writer.begin()
    for (let i = 0; i < files; i++) writer.putFile(indexedFile(`f${10 + i}.ts`, ['alpha', 'beta', 'gamma'])) // ids in path order
    writer.commit()
    writer.close()
    return path
  }

  it('compares all vectors in a small index, whatever lies beside it', () => {
    const path = writeIndex(3)
    const reader = new IndexReader(path)
    expect(reader.graphWanted()).toBeUndefined()
    expect(readdirSync(folder)).not.toContain('index-9.hnsw')
    expect(reader.vectorIndex.kind).toBe('exact')
    reader.close()
  })

  it('uses the graph in a large one, once it is built, and builds it once', async () => {
    const path = writeIndex(20)
    const options = { graphFrom: 50, loadGraphAfter: 0 }
    const before = new IndexReader(path, options)
    expect(before.vectorIndex.kind).toBe('exact')
    expect(readdirSync(folder)).not.toContain('index-9.hnsw') // a read builds nothing
    expect(await before.graphWanted()?.({})).toBe(true)
    expect(before.graphWanted()).toBeUndefined()
    before.close()
    const reader = new IndexReader(path, options)
    expect(reader.vectorIndex.kind).toBe('hnsw')
    const query = reader.vectors.vector(1)
    const found = reader.vectorIndex.search(query, 60, () => true)
    expect(found.nearest).toEqual(
      new ExactIndex(reader.vectors).search(query, 60, (chunk) => chunk > 0).nearest,
    )
    reader.close()
    const few = new IndexReader(path, { graphFrom: 61 })
    expect(few.vectorIndex.kind).toBe('exact')
    few.close()
  })

  it('goes on using it after an update, without chunks that are gone and with those that are new', async () => {
    const path = writeIndex(20)
    const options = { graphFrom: 50, loadGraphAfter: 0 }
    const reader = new IndexReader(path, options)
    expect(await reader.graphWanted()?.({})).toBe(true)
    const writer = new IndexWriter(path, SETTINGS)
    writer.begin()
    writer.removeFile('f0.ts')
    writer.putFile(indexedFile('new.ts', ['delta'], [9, -9, 9, -9]))
    writer.commit()
    writer.close()
    expect(reader.refresh()).toBe(true)
    expect(reader.vectorIndex.kind).toBe('hnsw')
    const { fileOf } = reader.documents
    const isLive = (chunk: number): boolean => fileOf[chunk]! > 0
    const added = fileOf.length - 1
    const { nearest } = reader.vectorIndex.search(reader.vectors.vector(added), 58, isLive)
    expect(nearest[0]?.chunk).toBe(added)
    expect(nearest).toHaveLength(58)
    expect(nearest.every(({ chunk }) => isLive(chunk))).toBe(true)
    reader.close()
  })
})
