/** What judgements of some files say of the others, on a repository with a past. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadStaticEmbedder } from '../../src/build/encoders.js'
import { DEFAULTS, FEEDBACK_MODEL, MODELS_FOLDER, RELEVANCE_MODEL } from '../../src/config.js'
import { buildIndex, openIndex, type Answer, type RetrieveOptions } from '../../src/index.js'
import type { FeedbackView } from '../../src/rank/feedback-signals.js'
import { dispatch } from '../../src/retrieve/dispatch.js'
import { Engine } from '../../src/retrieve/engine.js'
import { rateAgain } from '../../src/retrieve/evaluate.js'
import { gatherFeedback } from '../../src/retrieve/feedback.js'
import { NOTHING_JUDGED, withJudgements } from '../../src/retrieve/judgements.js'
import { readFeedbackModel, readRelevanceModel } from '../../src/retrieve/relevance-file.js'
import { search } from '../../src/retrieve/search.js'
import { taskFacts } from '../../src/retrieve/task-facts.js'
import { parseTask } from '../../src/retrieve/task.js'
import { currentDatabase } from '../../src/store/index-location.js'
import { IndexReader } from '../../src/store/index-reader.js'
import { readLines } from '../helpers/read-lines.js'
import { makeSample } from '../spine/sample.js'
import { git } from '../helpers/git.js'
import { write } from '../walk/temp-tree.js'

const TASK = 'renew the lease of a worker'
const LEASE = 'src/lease/lease.ts'

const FILES: Readonly<Record<string, string>> = {
  [LEASE]: `import { WallClock } from '../time/wall-clock.js'

/** A lease of a worker: it is renewed before it ends. */
export class WorkerLease {
  constructor(readonly clock: WallClock) {}

  renewLease(worker: string): number {
    return this.clock.millis() + worker.length
  }
}
`,
  'src/lease/lease.test.ts':
    "import { WorkerLease } from './lease.js'\n\nit('renews', () => new WorkerLease(clock))\n",
  'src/time/wall-clock.ts': 'export class WallClock {\n  millis(): number {\n    return Date.now()\n  }\n}\n',
  'src/pool/dispatcher.ts': `import { WorkerLease } from '../lease/lease.js'

export function dispatchAll(leases: readonly WorkerLease[]): void {
  for (const lease of leases) lease.renewLease('x')
}
`,
  'migrations/table-columns.sql': 'create table holders (name text, until integer);\n',
  'src/paint/colours.ts': "export const colours = ['red', 'green']\n",
  ...Object.fromEntries(
    ['apple', 'birch', 'cedar', 'daisy', 'elder', 'fern'].map((name) => [
      `src/paint/${name}.ts`,
      `export const ${name} = '#00ff00'\n\nexport function paint${name}(): string {\n  return ${name}\n}\n`,
    ]),
  ),
}

let root: string
let remove: () => void

beforeAll(async () => {
  ;({ root, remove } = makeSample(FILES))
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'begin')
  for (const n of [1, 2, 3]) {
    write(root, {
      [LEASE]: `${FILES[LEASE] ?? ''}// ${n}\n`,
      'migrations/table-columns.sql': `${FILES['migrations/table-columns.sql'] ?? ''}-- ${n}\n`,
    })
    git(root, 'commit', '-qam', `change holders ${n}`)
  }
  await buildIndex({ root, jobs: 0 })
})

afterAll(() => {
  remove()
})

/** Views of the files that were not judged, by path. */
async function views(
  judgements: Readonly<Record<string, boolean>>,
): Promise<ReadonlyMap<string, FeedbackView>> {
  const index = new IndexReader(currentDatabase(join(root, '.hone'))!)
  const embedder = loadStaticEmbedder(MODELS_FOLDER, DEFAULTS.encoder)
  const model = readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL))
  const linesOf = (path: string): readonly string[] | undefined => readLines(join(root, path))
  const engine = new Engine({ index, embedder, words: embedder, linesOf, model })
  const task = parseTask(TASK)
  const dispatched = dispatch(task, engine.vocabulary)
  const taskVector = await embedder.embed([task.prose])
  const facts = { ...taskFacts(index, task), pointedAt: new Map() }
  const accepts = (): boolean => true
  const first = search(engine, { dispatched, vector: taskVector, titleVector: taskVector, facts, accepts })
  const { scores, query } = first
  const { candidates } = gatherFeedback(engine, {
    judged: withJudgements(
      index,
      NOTHING_JUDGED,
      Object.entries(judgements).map(([path, relevant]) => ({ path, relevant })),
    ),
    search: first,
    taskVector,
    pastTerms: dispatched.pastTerms,
    rated: first.rated,
    rate: (files) =>
      rateAgain(index, scores, {
        terms: dispatched.terms,
        model,
        factsOf: engine.factsOf,
        facts,
        accepts,
        query,
        files,
      }),
  })
  index.close()
  return new Map(candidates.map(({ view }) => [view.path, view]))
}

async function ask(options: Omit<RetrieveOptions, 'task'>): Promise<Answer> {
  const index = await openIndex({ root })
  try {
    return await index.retrieve({ task: TASK, minRelevance: 0, limit: 50, ...options })
  } finally {
    index.close()
  }
}

describe('evidence from a confirmed file', () => {
  let of: ReadonlyMap<string, FeedbackView>
  beforeAll(async () => {
    of = await views({ [LEASE]: true })
  })

  it('is had of every file but the judged one', () => {
    expect(of.has(LEASE)).toBe(false)
    expect(of.size).toBeGreaterThan(5)
  })

  it('reaches a file that shares nothing with it but its past', () => {
    const view = of.get('migrations/table-columns.sql')!
    expect(view.together).toMatchObject({ commits: 4, narrow: 3 })
    expect(view.grounds.changedWith).toBe(LEASE)
    expect(of.get('src/paint/fern.ts')?.together.commits).toBe(1) // the first commit holds all
  })

  it('tells what it uses, and what uses it', () => {
    expect(of.get('src/time/wall-clock.ts')?.grounds.used).toEqual({ name: 'WallClock', path: LEASE })
    expect(of.get('src/pool/dispatcher.ts')?.grounds.uses).toEqual({ name: 'WorkerLease', path: LEASE })
    expect(of.get('src/paint/fern.ts')).toMatchObject({ usedByConfirmed: 0, usesConfirmed: 0 })
  })

  it('tells its test, and what stands beside it', () => {
    expect(of.get('src/lease/lease.test.ts')).toMatchObject({
      isTestPair: true,
      confirmedBeside: 1,
      place: { isSameStem: true, isSameFolder: true },
    })
    expect(of.get('src/pool/dispatcher.ts')).toMatchObject({ isTestPair: false, confirmedBeside: 0 })
  })

  it('finds what is worded alike nearer than what is not', () => {
    const [near, far] = [of.get('src/pool/dispatcher.ts')!, of.get('src/paint/colours.ts')!]
    expect(near.like).toBeGreaterThan(far.like)
    expect(near.told.sum).toBeGreaterThan(far.told.sum)
    expect(near.moved.sum).toBeGreaterThan(far.moved.sum)
  })
})

it('evidence from a rejected file is kept apart', async () => {
  const of = await views({ 'src/paint/apple.ts': false })
  const view = of.get('src/paint/birch.ts')!
  expect(view.rejectedBeside).toBe(1)
  expect(view.placeRejected.isSameFolder).toBe(true)
  expect(view.likeRejected).toBeGreaterThan(0.5)
  expect(view).toMatchObject({ confirmedBeside: 0, like: 0, likeOne: 0, usedByConfirmed: 0 })
})

describe('an answer with judgements', () => {
  it('rates what belongs to a confirmed file higher, and says why', async () => {
    const path = 'src/time/wall-clock.ts'
    const ratingIn = ({ files }: Answer): number => files.find((file) => file.path === path)?.relevance ?? 0
    const judged = await ask({ judgements: [{ path: LEASE, relevant: true }] })
    expect(ratingIn(judged)).toBeGreaterThan(ratingIn(await ask({})))
    const reasons = judged.files.map(({ reason }) => reason).join('\n')
    expect(reasons).toContain(`used by ${LEASE}`)
    expect(reasons).toContain(`changed together with ${LEASE} 4 times`)
  })

  it('explains itself by the signals of feedback, whose effects add up to the relevance', async () => {
    const { files } = await ask({ judgements: [{ path: LEASE, relevant: true }], explain: true })
    const model = readFeedbackModel(join(MODELS_FOLDER, FEEDBACK_MODEL))
    const { start } = model.feedback.effects(new Float32Array(model.feedback.head.signals.length))
    for (const { path, relevance, evidence } of files.filter((file) => file.path !== LEASE)) {
      const logit = start + (evidence ?? []).reduce((sum, { effect }) => sum + effect, 0)
      expect(1 / (1 + Math.exp(-logit)), path).toBeCloseTo(relevance, 2)
    }
  })

  it('is the same bytes twice and in any order of judging', async () => {
    const judgements = [
      { path: LEASE, relevant: true },
      { path: 'src/paint/apple.ts', relevant: false },
      { path: 'src/pool/dispatcher.ts', relevant: true },
    ]
    const bytes = async (of: typeof judgements): Promise<string> => {
      const answer = await ask({ judgements: of, explain: true })
      return JSON.stringify({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })
    }
    const first = await bytes(judgements)
    expect(await bytes(judgements)).toBe(first)
    expect(await bytes([...judgements].reverse())).toBe(first)
  })

  it('keeps within the limits of the caller whatever judgements point at', async () => {
    const { files } = await ask({
      judgements: [{ path: LEASE, relevant: true }],
      exclude: ['src/time', 'migrations'],
    })
    const paths = files.map(({ path }) => path)
    expect(paths).not.toContain('src/time/wall-clock.ts')
    expect(paths).not.toContain('migrations/table-columns.sql')
  })

  it('never rates a High file lower for judgements of others', async () => {
    const high = (await ask({})).files.filter(({ relevance }) => relevance >= 0.8)
    const judged = await ask({ judgements: [{ path: 'src/paint/fern.ts', relevant: false }] })
    for (const { path, relevance } of high)
      expect(judged.files.find((file) => file.path === path)?.relevance).toBeGreaterThanOrEqual(relevance)
  })
})
