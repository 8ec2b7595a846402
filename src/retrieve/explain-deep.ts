/** What the deep step did to one file, or why it did nothing. */
import { BAND_FROM } from '../rank/bands.js'
import { rounded } from '../rank/tree-rating.js'
import type { ExplainedDeepStep } from '../types.js'
import { DEEP_FILES, isDeepWanted, UNSURE_BELOW } from './deep.js'
import { keepsRelevance } from './found-file.js'
import { toRanges } from './ranges.js'
import type { DeepStep, RetrievalSession } from './session.js'

/** Of a session whose loop is done; null where the step was not asked for. */
export function explainDeep(session: RetrievalSession, path: string): ExplainedDeepStep | null {
  if (session.options.deep === 'never') return null
  const { deepStep } = session
  return deepStep === undefined ? { outcome: 'not-taken', why: whyNotTaken(session) } : ofFile(deepStep, path)
}

function whyNotTaken({ deepUnavailable, options, files, stop }: RetrievalSession): string {
  if (deepUnavailable !== undefined) return deepUnavailable
  const [best] = files
  if (best === undefined) return 'no file was found'
  if (!isDeepWanted(options.deep, files))
    return `the best file is rated ${best.rated.relevance.toFixed(2)}, and auto looks only where it is below ${UNSURE_BELOW}`
  return `the loop stopped before it: ${stop ?? 'it is not done'}`
}

function ofFile({ cycle, best, looks }: DeepStep, path: string): ExplainedDeepStep {
  const before = best.find(({ rated }) => rated.path === path)?.rated
  const look = looks.find(({ rated }) => rated.path === path)
  const taken = { cycle, files: looks.length }
  if (before === undefined || look === undefined) {
    const why = before === undefined ? `only the best ${DEEP_FILES} files are read` : 'it could not be read'
    return { outcome: 'not-read', why, ...taken }
  }
  const isKept = keepsRelevance(before)
  const { rated, chunk, cosine } = look
  const cosines = looks.map((one) => one.cosine)
  return {
    outcome: isKept ? 'kept' : 'rated-anew',
    why: isKept
      ? `a file at ${BAND_FROM.high} or more keeps its relevance`
      : 'rated by what it was before and by how near its best part is to the task, beside the other files read',
    ...taken,
    before: before.relevance,
    after: isKept ? before.relevance : rated.relevance,
    cosine: rounded(cosine),
    meanCosine: rounded(cosines.reduce((sum, one) => sum + one, 0) / cosines.length),
    range: toRanges([{ chunk, score: 1 }])[0]!, // one chunk is one range
  }
}
