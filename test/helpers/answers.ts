/** Looking at answers. */
import type { Answer } from '../../src/index.js'

export const pathsOf = ({ files }: Pick<Answer, 'files'>): readonly string[] => files.map(({ path }) => path)

/** What must be equal for equal questions: everything but times. */
export const bytesOf = (answer: Answer): string =>
  JSON.stringify({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })

export const relevanceOf = ({ files }: Answer, path: string): number =>
  files.find((file) => file.path === path)?.relevance ?? NaN
