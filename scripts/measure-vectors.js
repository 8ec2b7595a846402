/**
 * Exact search against the graph: time of a query, recall, time to build and to load, by number of vectors.
 * usage: npm run build && node scripts/measure-vectors.js COUNT... [--from INDEX_DATABASE]... [--exact]
 * --from takes vectors of real indexes (in that order); without it they are noise around 1,000 centres.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Column } from '../dist/store/columns.js'
import { openDatabase } from '../dist/store/database.js'
import { buildGraph, graphIndex } from '../dist/store/hnsw.js'
import { ExactIndex } from '../dist/store/vectors.js'
import { encodeVector, VectorTable, vectorRowBytes } from '../dist/vector/vector-table.js'

const DIMENSIONS = 256
const ROW_BYTES = vectorRowBytes(DIMENSIONS)
const QUERIES = 60
const NEIGHBOURS = 240 // what a query asks for

const { values, positionals } = parseArgs({
  options: {
    from: { type: 'string', multiple: true, default: [] },
    exact: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

function realVectors(count) {
  const parts = values.from.map((path) => {
    const database = openDatabase(path, 'read')
    const { bytes } = Column.load(database, 'vector', ROW_BYTES)
    database.close()
    return bytes.subarray(ROW_BYTES) // row 0 is empty
  })
  return Buffer.concat(parts).subarray(0, count * ROW_BYTES)
}

function madeVectors(count) {
  const randomVector = (around, spread) =>
    Float32Array.from({ length: DIMENSIONS }, (_, d) => (around?.[d] ?? 0) + (Math.random() - 0.5) * spread)
  const centres = Array.from({ length: 1000 }, () => randomVector(undefined, 1))
  const bytes = new Uint8Array(count * ROW_BYTES)
  for (let id = 0; id < count; id++)
    encodeVector(randomVector(centres[id % 1000], 0.8), bytes.subarray(id * ROW_BYTES, (id + 1) * ROW_BYTES))
  return bytes
}

/** Rows of the table, a little moved. */
function queriesFor(table) {
  return Array.from({ length: QUERIES }, (_, q) => {
    const vector = table.vector((q * 7919) % table.rows).map((x) => x + (Math.random() - 0.5) * 0.05)
    const length = Math.hypot(...vector)
    return vector.map((x) => x / length)
  })
}

function medianMs(index, queries) {
  const times = queries.map((query) => {
    const start = performance.now()
    index.search(query, NEIGHBOURS, () => true)
    return performance.now() - start
  })
  return times.sort((a, b) => a - b)[QUERIES / 2].toFixed(2)
}

function recall(index, exact, { queries, k }) {
  let found = 0
  for (const query of queries) {
    const truth = new Set(exact.search(query, k, () => true).nearest.map(({ chunk }) => chunk))
    for (const { chunk } of index.search(query, k, () => true).nearest) if (truth.has(chunk)) found++
  }
  return (found / (queries.length * k)).toFixed(4)
}

async function seconds(action) {
  const start = performance.now()
  await action()
  return ((performance.now() - start) / 1000).toFixed(1)
}

for (const wanted of positionals.map(Number)) {
  const table = new VectorTable(
    values.from.length > 0 ? realVectors(wanted) : madeVectors(wanted),
    DIMENSIONS,
  )
  const queries = queriesFor(table)
  const exact = new ExactIndex(table)
  medianMs(exact, queries)
  console.log(`${table.rows} vectors: exact ${medianMs(exact, queries)} ms`)
  if (values.exact) continue
  const folder = mkdtempSync(join(tmpdir(), 'hone-vectors-'))
  const database = join(folder, 'index-1.db')
  const source = { table, numbering: '' }
  const chunks = Array.from({ length: table.rows }, (_, id) => id)
  const build = await seconds(() => buildGraph(database, { ...source, chunks }))
  const graph = graphIndex(database, source, { loadAfter: 0 })
  const load = await seconds(() => graph.search(queries[0], 1, () => true))
  const megabytes = (statSync(join(folder, 'index-1.hnsw')).size / 1e6).toFixed(0)
  console.log(
    `  graph ${medianMs(graph, queries)} ms, recall@10 ${recall(graph, exact, { queries, k: 10 })}, ` +
      `recall@${NEIGHBOURS} ${recall(graph, exact, { queries, k: NEIGHBOURS })}; ` +
      `built in ${build} s, verified and loaded in ${load} s, ${megabytes} MB`,
  )
  rmSync(folder, { recursive: true })
}
