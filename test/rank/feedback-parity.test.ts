/**
 * What training of feedback saw and what serving computes are the same: rows of the fixture repositories with the
 * log-odds that LightGBM itself gave them (scripts/train-feedback/train.py --parity).
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadStaticEmbedder } from '../../src/build/encoders.js'
import { DEFAULTS, FEEDBACK_MODEL, MODELS_FOLDER, RELEVANCE_MODEL } from '../../src/config.js'
import { buildIndex, type Judgement } from '../../src/index.js'
import { FEEDBACK_SIGNALS } from '../../src/rank/feedback-signals.js'
import { feedbackValues, rateByFeedback } from '../../src/rank/feedback.js'
import { dispatch } from '../../src/retrieve/dispatch.js'
import { Engine } from '../../src/retrieve/engine.js'
import { rateAgain } from '../../src/retrieve/evaluate.js'
import { gatherFeedback, type Feedback } from '../../src/retrieve/feedback.js'
import { NOTHING_JUDGED, withJudgements } from '../../src/retrieve/judgements.js'
import { readFeedbackModel, readRelevanceModel } from '../../src/retrieve/relevance-file.js'
import { search } from '../../src/retrieve/search.js'
import { taskFacts } from '../../src/retrieve/task-facts.js'
import { parseTask } from '../../src/retrieve/task.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { readLines } from '../helpers/read-lines.js'

interface Sample {
  readonly signals: readonly string[]
  readonly rows: readonly {
    readonly repository: string
    readonly task: string
    readonly judged: readonly Judgement[]
    readonly path: string
    readonly values: readonly number[]
    readonly logOdds: number
  }[]
}

const sample = JSON.parse(
  readFileSync(fileURLToPath(new URL('feedback-parity.json', import.meta.url)), 'utf8'),
) as Sample
const FIXTURES = fileURLToPath(new URL('../fixtures/repos', import.meta.url))
const model = readFeedbackModel(join(MODELS_FOLDER, FEEDBACK_MODEL))

it('the model and its sample are of the signals of this code', () => {
  expect(sample.signals).toEqual(FEEDBACK_SIGNALS.map(({ name }) => name))
  expect(sample.rows.length).toBeGreaterThanOrEqual(40)
})

describe.each([...new Set(sample.rows.map(({ repository }) => repository))])('%s', (repository) => {
  let folder: string
  let index: IndexReader
  let engine: Engine

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-feedback-parity-'))
    const root = join(folder, repository)
    cpSync(join(FIXTURES, repository), root, { recursive: true })
    await buildIndex({ root })
    index = new IndexReader(currentDatabase(join(root, '.hone'))!)
    const embedder = loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
    engine = new Engine({
      index,
      embedder,
      words: embedder,
      linesOf: (path) => readLines(join(root, path)),
      model: readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL)),
    })
  })

  afterAll(() => {
    index.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As one cycle with judgements has it. */
  const feedbackFor = async (text: string, judgements: readonly Judgement[]): Promise<Feedback> => {
    const task = parseTask(text)
    const { terms, ...dispatched } = dispatch(task, engine.vocabulary)
    const taskVector = await engine.embedder.embed([task.prose])
    const facts = { ...taskFacts(index, task), pointedAt: new Map() }
    const accepts = (): boolean => true
    const first = search(engine, {
      dispatched: { terms, ...dispatched },
      vector: taskVector,
      titleVector: taskVector,
      facts,
      accepts,
    })
    const { scores, query, rated } = first
    return gatherFeedback(engine, {
      judged: withJudgements(index, NOTHING_JUDGED, judgements),
      search: first,
      taskVector,
      pastTerms: dispatched.pastTerms,
      rated,
      rate: (files) => {
        const { model, factsOf } = engine
        return rateAgain(index, scores, { terms, model, factsOf, facts, accepts, query, files })
      },
    })
  }

  it('signals and log-odds are those of training', async () => {
    for (const row of sample.rows.filter((one) => one.repository === repository)) {
      const { query, candidates } = await feedbackFor(row.task, row.judged)
      const { view } = candidates.find(({ rated }) => rated.path === row.path)!
      const values = feedbackValues(query, view)
      FEEDBACK_SIGNALS.forEach(({ name }, s) => {
        expect(values[s], `${name} of ${row.path} for "${row.task}"`).toBeCloseTo(row.values[s]!, 5)
      })
      expect(model.feedback.sums(Float32Array.from(row.values))[0]).toBeCloseTo(row.logOdds, 5)
      const [rating] = rateByFeedback(model, query, [view])
      expect(rating?.relevance).toBeCloseTo(1 / (1 + Math.exp(-row.logOdds)), 3)
    }
  })
})
