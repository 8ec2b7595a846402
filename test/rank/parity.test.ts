/**
 * What training saw and what serving computes are the same: rows of the fixture repositories with the log-odds that
 * LightGBM itself gave them (scripts/train-relevance/train.py --parity). Of the sixty rows that training left, those of tasks
 * that are bridged otherwise since (docs/decisions/0008-bridging.md) were taken out; the next training brings sixty again.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIndex } from '../../src/index.js'
import { loadStaticEmbedder } from '../../src/build/encoders.js'
import { DEFAULTS, MODELS_FOLDER, RELEVANCE_MODEL } from '../../src/config.js'
import { signalValues } from '../../src/rank/relevance.js'
import { SIGNALS } from '../../src/rank/signals.js'
import { dispatch } from '../../src/retrieve/dispatch.js'
import { Engine } from '../../src/retrieve/engine.js'
import { readRelevanceModel } from '../../src/retrieve/relevance-file.js'
import { search } from '../../src/retrieve/search.js'
import { taskFacts } from '../../src/retrieve/task-facts.js'
import { parseTask } from '../../src/retrieve/task.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'

interface Sample {
  readonly signals: readonly string[]
  readonly rows: readonly {
    readonly repository: string
    readonly task: string
    readonly path: string
    readonly values: readonly number[]
    readonly logOdds: number
  }[]
}

const sample = JSON.parse(
  readFileSync(fileURLToPath(new URL('parity.json', import.meta.url)), 'utf8'),
) as Sample
const FIXTURES = fileURLToPath(new URL('../fixtures/repos', import.meta.url))
const model = readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL))

it('the model and its sample are of the signals of this code', () => {
  expect(sample.signals).toEqual(SIGNALS.map(({ name }) => name))
  expect(sample.rows.length).toBeGreaterThanOrEqual(30)
})

describe.each([...new Set(sample.rows.map(({ repository }) => repository))])('%s', (repository) => {
  let folder: string
  let index: IndexReader
  let engine: Engine

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-parity-'))
    const root = join(folder, repository)
    cpSync(join(FIXTURES, repository), root, { recursive: true })
    await buildIndex({ root })
    index = new IndexReader(currentDatabase(join(root, '.hone'))!)
    const embedder = loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
    engine = new Engine({ index, embedder, words: embedder, linesOf: () => undefined, model })
  })

  afterAll(() => {
    index.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('signals and log-odds are those of training', async () => {
    for (const row of sample.rows.filter((one) => one.repository === repository)) {
      const task = parseTask(row.task)
      const { rated, query } = search(engine, {
        dispatched: dispatch(task, engine.vocabulary),
        ...(await engine.taskVectors(task.prose)),
        facts: { ...taskFacts(index, task), pointedAt: new Map() },
        accepts: () => true,
      })
      const file = rated.find(({ path }) => path === row.path)
      const values = signalValues(query, file!.view)
      SIGNALS.forEach(({ name }, s) => {
        expect(values[s], `${name} of ${row.path} for "${row.task}"`).toBeCloseTo(row.values[s]!, 5)
      })
      expect(model.trees.sums(Float32Array.from(row.values))[0]).toBeCloseTo(row.logOdds, 5)
    }
  })
})
