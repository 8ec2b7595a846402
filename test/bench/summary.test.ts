import { expect, it } from 'vitest'
import { summarise, type Outcome } from '../../scripts/bench/summary.js'

const repository = (name: string, language: string) => ({ name, language, origin: name, root: '' })
const task = (repo: string, category: string, labels: string[]) => ({
  set: 'queries' as const,
  repository: repo,
  category,
  text: 'task',
  labels,
})
const file = (path: string, relevance: number) => ({ path, relevance, pieces: [100] })

const outcomes: Outcome[] = [
  {
    repository: repository('a', 'go'),
    tasks: [task('a', 'symbol', ['x']), task('a', 'ask', ['y'])],
    result: {
      kind: 'ranking',
      tasksDigest: '',
      tasks: [
        { files: [file('x', 0.95), file('z', 0.05)], ms: 1 },
        { files: [file('z', 0.95)], ms: 3 },
      ],
    },
  },
  {
    repository: repository('b', 'rust'),
    tasks: [task('b', 'symbol', ['x'])],
    result: { kind: 'ranking', tasksDigest: '', tasks: [{ files: [file('x', 0.95)], ms: 2 }] },
  },
]

it('means are over tasks and are split by category, language and repository', () => {
  const row = summarise({ id: 'm', title: 'M', isCalibrated: true }, outcomes)
  expect(row.tasks).toBe(3)
  expect(row.metrics['NDCG@10']?.mean).toBeCloseTo(2 / 3)
  expect(row.metrics['hit@1']?.mean).toBeCloseTo(2 / 3)
  expect(row.metrics['recall in 500 tokens']?.mean).toBeCloseTo(2 / 3)
  expect(row.byCategory).toEqual({ ask: 0, symbol: 1 })
  expect(row.byLanguage).toEqual({ go: 0.5, rust: 1 })
  expect(row.byRepository).toEqual({ a: 0.5, b: 1 })
  expect(row.rankMs).toEqual({ p50: 2, p95: 3 })
})

it('calibration looks at every returned file', () => {
  const { calibration } = summarise({ id: 'm', title: 'M', isCalibrated: true }, outcomes)
  expect(calibration?.count).toBe(4)
  // 0.95 three times of which two are right, 0.05 once and wrong
  expect(calibration?.error).toBeCloseTo((3 * Math.abs(0.95 - 2 / 3) + 0.05) / 4)
})

it('a method that could not run has no figures, and says why', () => {
  const absent: Outcome[] = outcomes.map((outcome) => ({
    ...outcome,
    result: { kind: 'ranking', tasksDigest: '', unavailable: 'no rg', tasks: [] },
  }))
  expect(summarise({ id: 'rg', title: 'ripgrep' }, absent)).toMatchObject({
    unavailable: 'no rg',
    tasks: 0,
    metrics: {},
  })
})

it('a method that could run on some repositories has the figures of those alone', () => {
  const [first, ...others] = outcomes
  const some: Outcome[] = [
    first!,
    ...others.map((outcome): Outcome => ({
      ...outcome,
      result: { kind: 'ranking', tasksDigest: '', unavailable: 'too large', tasks: [] },
    })),
  ]
  expect(others.length).toBeGreaterThan(0)
  const row = summarise({ id: 'x', title: 'X' }, some)
  expect(row).toEqual(summarise({ id: 'x', title: 'X' }, [first!]))
  expect(row.unavailable).toBeUndefined()
})

it('judged feedback counts only tasks where something is left to find', () => {
  const row = summarise({ id: 'f', title: 'F' }, [
    {
      repository: repository('a', 'go'),
      tasks: [task('a', 'commit', ['x', 'y']), task('a', 'commit', ['u', 'v'])],
      result: {
        kind: 'feedback',
        tasksDigest: '',
        tasks: [
          { shown: ['x'], rest: ['y'] },
          { shown: ['q'], rest: ['u'] },
        ],
      },
    },
  ])
  expect(row.tasks).toBe(1)
  expect(row.metrics['MRR']?.mean).toBe(1)
})
