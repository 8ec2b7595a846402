/** From stored rankings to the figures of a table row: means with intervals, by category, language and repository. Pure. */
import { calibration, type Calibration, type Prediction } from './calibration.js'
import { feedbackScore } from './feedback.js'
import { gains, hitAt1, ndcg, recallAt, recallWithin, type RankedFile } from './metrics.js'
import type { FeedbackResult, RankingResult, Result } from './results.js'
import { bootstrap, mean, quantile, type Interval } from './statistics.js'
import type { Repository, Task } from './tasks.js'

export const TOKEN_BUDGETS = [500, 1000, 2000] as const

export interface ScoredTask {
  readonly repository: Repository
  readonly category: string
  /** By name of the metric. */
  readonly metrics: Readonly<Record<string, number>>
  readonly predictions: readonly Prediction[]
}

/** One repository's tasks and what a method returned for them. */
export interface Outcome {
  readonly repository: Repository
  readonly tasks: readonly Task[]
  readonly result: Result
}

export interface Row {
  readonly method: string
  readonly title: string
  /** Why there are no figures; a method that cannot run on some repositories has those of the others. */
  readonly unavailable?: string
  readonly tasks: number
  readonly metrics: Readonly<Record<string, Interval>>
  /** Mean of the first metric. */
  readonly byCategory: Readonly<Record<string, number>>
  readonly byLanguage: Readonly<Record<string, number>>
  readonly byRepository: Readonly<Record<string, number>>
  readonly calibration?: Calibration
  /** Time to rank one task, milliseconds. */
  readonly rankMs?: { readonly p50: number; readonly p95: number }
}

export function summarise(
  method: { readonly id: string; readonly title: string; readonly isCalibrated?: boolean },
  outcomes: readonly Outcome[],
): Row {
  const scored = outcomes.flatMap(scoredTasks)
  const why =
    scored.length > 0 ? undefined : outcomes.find(({ result }) => result.unavailable)?.result.unavailable
  const names = Object.keys(scored[0]?.metrics ?? {})
  const first = names[0] ?? ''
  const times = outcomes.flatMap(({ result }) =>
    result.kind === 'ranking' ? result.tasks.map(({ ms }) => ms) : [],
  )
  return {
    method: method.id,
    title: method.title,
    ...(why === undefined ? {} : { unavailable: why }),
    tasks: scored.length,
    metrics: Object.fromEntries(names.map((name) => [name, bootstrap(valuesByRepository(scored, name))])),
    byCategory: meansBy(scored, first, ({ category }) => category),
    byLanguage: meansBy(scored, first, ({ repository }) => repository.language),
    byRepository: meansBy(scored, first, ({ repository }) => repository.name),
    ...(method.isCalibrated === true && scored.length > 0
      ? { calibration: calibration(scored.flatMap(({ predictions }) => predictions)) }
      : {}),
    ...(times.length > 0 ? { rankMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) } } : {}),
  }
}

/** Values of one metric, task by task, for pairing with another method or run. */
export function valuesByRepository(scored: readonly ScoredTask[], metric: string): Map<string, number[]> {
  const values = new Map<string, number[]>()
  for (const { repository, metrics } of scored) {
    const own = values.get(repository.name) ?? []
    own.push(metrics[metric] ?? 0)
    values.set(repository.name, own)
  }
  return values
}

/** None where the method could not run. */
export function scoredTasks({ repository, tasks, result }: Outcome): readonly ScoredTask[] {
  if (result.unavailable !== undefined) return []
  return result.kind === 'ranking'
    ? rankingScores(repository, tasks, result)
    : feedbackScores(repository, tasks, result)
}

function rankingScores(
  repository: Repository,
  tasks: readonly Task[],
  result: RankingResult,
): readonly ScoredTask[] {
  return tasks.map((task, i) => {
    const files = result.tasks[i]?.files ?? []
    const gained = gains(
      files.map(({ path }) => path),
      task.labels,
    )
    return {
      repository,
      category: task.category,
      metrics: rankingMetrics(files, gained, task.labels.length),
      predictions: files.flatMap(({ relevance }, at) =>
        relevance === undefined ? [] : [{ predicted: relevance, isRelevant: gained[at] === 1 }],
      ),
    }
  })
}

function rankingMetrics(
  files: readonly RankedFile[],
  gained: readonly (0 | 1)[],
  labels: number,
): Readonly<Record<string, number>> {
  return {
    'NDCG@10': ndcg(gained, labels),
    'recall@5': recallAt(gained, labels, 5),
    'recall@10': recallAt(gained, labels, 10),
    'hit@1': hitAt1(gained),
    ...Object.fromEntries(
      TOKEN_BUDGETS.map((budget) => [
        `recall in ${budget} tokens`,
        recallWithin(files, gained, { labels, budget }),
      ]),
    ),
  }
}

function feedbackScores(
  repository: Repository,
  tasks: readonly Task[],
  result: FeedbackResult,
): readonly ScoredTask[] {
  return tasks.flatMap((task, i) => {
    const run = result.tasks[i]
    const score = run === undefined ? undefined : feedbackScore(run.shown, run.rest, task.labels)
    if (score === undefined) return []
    const metrics = {
      'recall@5 of the rest': score.recall5,
      'recall@10 of the rest': score.recall10,
      MRR: score.mrr,
    }
    return [{ repository, category: task.category, metrics, predictions: [] }]
  })
}

function meansBy(
  scored: readonly ScoredTask[],
  metric: string,
  key: (task: ScoredTask) => string,
): Readonly<Record<string, number>> {
  const groups = new Map<string, number[]>()
  for (const task of scored) {
    const group = groups.get(key(task)) ?? []
    group.push(task.metrics[metric] ?? 0)
    groups.set(key(task), group)
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, values]) => [name, round(mean(values))]))
}

export function round(value: number, digits = 4): number {
  return Number(value.toFixed(digits))
}
