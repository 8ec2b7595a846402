/** Judged feedback: an answer's five best files are judged and the task is asked again with that; or it is read on. */
import type { Answer } from '../../../src/index.js'
import { SHOWN } from '../feedback.js'
import { matchesLabel } from '../metrics.js'
import type { Corpus } from './ranking.js'

export interface FeedbackRun {
  readonly shown: readonly string[]
  /** Files not shown, best first. */
  readonly rest: readonly string[]
}

interface FeedbackMethod {
  readonly id: string
  readonly title: string
  readonly run: (corpus: Corpus, task: string, labels: readonly string[]) => Promise<FeedbackRun>
}

const REST = 10
const ALL = { limit: SHOWN + REST, minRelevance: 0 } as const

export const FEEDBACK_METHODS: readonly FeedbackMethod[] = [
  {
    id: 'hone-unjudged',
    title: 'hone, the first answer read on',
    run: async (corpus, task) => split((await corpus.index.retrieve({ task, ...ALL })).files),
  },
  {
    id: 'hone-judged',
    title: 'hone, five files judged',
    run: async ({ index }, task, labels) => {
      const { shown } = split((await index.retrieve({ task, ...ALL })).files)
      const judgements = shown.map((path) => ({
        path,
        relevant: labels.some((label) => matchesLabel(path, label)),
      }))
      const { files } = await index.retrieve({ task, ...ALL, limit: REST, judgements, onlyNew: true })
      return { shown, rest: files.map(({ path }) => path) }
    },
  },
]

function split(files: Answer['files']): FeedbackRun {
  const paths = files.map(({ path }) => path)
  return { shown: paths.slice(0, SHOWN), rest: paths.slice(SHOWN, SHOWN + REST) }
}
