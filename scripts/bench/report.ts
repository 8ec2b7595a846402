/** The published form of a run: what was measured, on what, of which code. Pure but for what it is handed. */
import type { LearnedPart, Provenance } from './provenance.js'
import { headingFor, provenanceOf } from './provenance.js'
import type { RunOutcome, SetOutcomes } from './run.js'
import { methodsOf } from './run.js'
import type { Timing } from './results.js'
import { quantile } from './statistics.js'
import { round, scoredTasks, summarise, valuesByRepository, type Outcome, type Row } from './summary.js'
import type { Repository, SetName } from './tasks.js'

export interface Environment {
  readonly madeAt: string
  readonly command: string
  readonly commit: string
  readonly codeDigest: string
  readonly machine: Readonly<Record<string, string | number>>
  readonly versions: Readonly<Record<string, string>>
}

/** Repositories of one kind (seen, unseen, unknown) and every method's figures on them. */
export interface GroupReport {
  readonly provenance: Provenance
  readonly heading: string
  readonly repositories: readonly string[]
  readonly rows: readonly Row[]
}

export interface SetReport {
  readonly set: SetName
  /** Some repositories of the set are not in the figures. */
  readonly isPartial: boolean
  readonly missing: SetOutcomes['missing']
  /** Set when only these were asked for. */
  readonly only: readonly string[]
  readonly groups: readonly GroupReport[]
}

export interface TimeReport {
  readonly tool: string
  readonly layout: string
  readonly repositories: number
  /** undefined where the tool does not say. */
  readonly files?: number
  readonly chunks: number
  readonly indexSeconds: number
  readonly indexPeakMb: number
  readonly openMs?: number
  readonly queryMs: { readonly p50: number; readonly p95: number }
  readonly queryPeakMb: number
  readonly coldMs: { readonly p50: number; readonly p95: number }
}

export interface BenchReport {
  readonly schema: 1
  readonly environment: Environment
  readonly learnedParts: readonly LearnedPart[]
  readonly sets: readonly SetReport[]
  readonly time: readonly TimeReport[]
}

/** Values of the first metric, task by task: set -> method -> repository -> values. For comparing two runs. */
export type TaskValues = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>>
>

const KINDS: readonly Provenance[] = ['unseen', 'seen', 'unknown']

export function toReport(
  run: RunOutcome,
  facts: {
    readonly environment: Environment
    readonly learnedParts: readonly LearnedPart[]
    readonly only: readonly string[]
    readonly methods: readonly string[]
  },
): BenchReport {
  return {
    schema: 1,
    environment: facts.environment,
    learnedParts: facts.learnedParts,
    sets: run.sets.map((set) => setReport(set, facts)),
    time: timeReports(run.timings),
  }
}

function setReport(
  { set, missing, methods }: SetOutcomes,
  facts: {
    readonly learnedParts: readonly LearnedPart[]
    readonly only: readonly string[]
    readonly methods: readonly string[]
  },
): SetReport {
  const repositories = new Map<string, Repository>()
  for (const outcome of [...methods.values()].flat())
    repositories.set(outcome.repository.name, outcome.repository)
  const groups = KINDS.flatMap((kind): readonly GroupReport[] => {
    const own = [...repositories.values()].filter(
      (repository) => provenanceOf(repository, facts.learnedParts) === kind,
    )
    if (own.length === 0) return []
    const names = new Set(own.map(({ name }) => name))
    return [
      {
        provenance: kind,
        heading: headingFor(kind, own, facts.learnedParts),
        repositories: [...names],
        rows: methodsOf(set, facts).map((method) =>
          summarise(
            method,
            (methods.get(method.id) ?? []).filter(({ repository }) => names.has(repository.name)),
          ),
        ),
      },
    ]
  })
  return { set, isPartial: missing.length > 0 || facts.only.length > 0, missing, only: facts.only, groups }
}

export function taskValues(run: RunOutcome): TaskValues {
  const ofMethod = (outcomes: readonly Outcome[]): Record<string, readonly number[]> => {
    const scored = outcomes.flatMap(scoredTasks)
    const first = Object.keys(scored[0]?.metrics ?? {})[0] ?? ''
    const values = valuesByRepository(scored, first)
    return Object.fromEntries([...values].map(([name, own]) => [name, own.map((value) => round(value))]))
  }
  return Object.fromEntries(
    run.sets.map(({ set, methods }) => [
      set,
      Object.fromEntries([...methods].map(([id, outcomes]) => [id, ofMethod(outcomes)])),
    ]),
  )
}

function timeReports(timings: RunOutcome['timings']): readonly TimeReport[] {
  const layouts = [...new Set(timings.map(({ layout }) => layout))]
  return layouts.flatMap((layout): readonly TimeReport[] => {
    const own = timings.filter((timing) => timing.layout === layout)
    const hone = own.map(({ timing }) => timing)
    const row: TimeReport = {
      tool: 'hone',
      layout,
      ...timeFigures(hone),
      files: sum(hone.map(({ files }) => files)),
      openMs: round(
        quantile(
          hone.map(({ openMs }) => openMs),
          0.5,
        ),
        1,
      ),
    }
    const peers = own.flatMap(({ peer }) => (peer === undefined ? [] : [peer]))
    const [first] = peers
    return first === undefined
      ? [row]
      : [row, { tool: `semble ${first.version}`, layout, ...timeFigures(peers) }]
  })
}

/** What both tools have: sums over repositories, largest peaks, quantiles over all queries. */
function timeFigures(
  timings: readonly Pick<
    Timing,
    'chunks' | 'indexMs' | 'indexPeakMb' | 'queryMs' | 'queryPeakMb' | 'coldMs'
  >[],
): Omit<TimeReport, 'tool' | 'layout' | 'files' | 'openMs'> {
  return {
    repositories: timings.length,
    chunks: sum(timings.map(({ chunks }) => chunks)),
    indexSeconds: round(sum(timings.map(({ indexMs }) => indexMs)) / 1000, 1),
    indexPeakMb: Math.max(...timings.map(({ indexPeakMb }) => indexPeakMb)),
    queryMs: spread(timings.flatMap(({ queryMs }) => queryMs)),
    queryPeakMb: Math.max(...timings.map(({ queryPeakMb }) => queryPeakMb)),
    coldMs: spread(timings.flatMap(({ coldMs }) => coldMs)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function spread(values: readonly number[]): { readonly p50: number; readonly p95: number } {
  return { p50: round(quantile(values, 0.5), 1), p95: round(quantile(values, 0.95), 1) }
}
