/** Judged feedback: the first answer's five best files are judged, then the loop goes on; or it does not. */
import type { Answer, Session } from '../../../src/index.js'
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
  readonly unavailable: (corpus: Corpus) => string | undefined
  readonly run: (corpus: Corpus, task: string, labels: readonly string[]) => Promise<FeedbackRun>
}

/** A session that takes judgements; the library's does once the feature is there. */
interface JudgedSession {
  judge(judgements: readonly { readonly path: string; readonly relevant: boolean }[]): unknown
}

const REST = 10
const ALL = { limit: SHOWN + REST, minRelevance: 0 } as const

export const FEEDBACK_METHODS: readonly FeedbackMethod[] = [
  {
    id: 'hone-unjudged',
    title: 'hone, the first answer read on',
    unavailable: () => undefined,
    run: async (corpus, task) => split((await corpus.index.retrieve({ task, ...ALL })).files),
  },
  {
    id: 'hone-judged',
    title: 'hone, five files judged, one more cycle',
    unavailable: ({ index }) =>
      isJudged(index.start({ task: 'judge' }))
        ? undefined
        : 'not available yet: the library takes no judgements',
    run: async ({ index }, task, labels) => {
      const { shown } = split((await index.retrieve({ task, ...ALL })).files)
      const session = index.start({ task, ...ALL, limit: SHOWN + REST })
      while (session.stop === undefined) await session.next()
      if (!isJudged(session)) throw new Error('the library takes no judgements')
      session.judge(
        shown.map((path) => ({ path, relevant: labels.some((label) => matchesLabel(path, label)) })),
      )
      const { files } = await session.next()
      const rest = files.map(({ path }) => path).filter((path) => !shown.includes(path))
      return { shown, rest: rest.slice(0, REST) }
    },
  },
]

function split(files: Answer['files']): FeedbackRun {
  const paths = files.map(({ path }) => path)
  return { shown: paths.slice(0, SHOWN), rest: paths.slice(SHOWN, SHOWN + REST) }
}

function isJudged(session: Session): session is Session & JudgedSession {
  return 'judge' in session
}
