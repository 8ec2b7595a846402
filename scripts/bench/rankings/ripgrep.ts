/** What a user does without an index: grep for the words, open the files with the most matches. */
import { spawnSync } from 'node:child_process'
import { STOP_WORDS } from '../../../src/text/stop-words.js'
import { identifiersIn } from '../../../src/text/words.js'
import { best, type Rank } from './ranking.js'

const NO_MATCH = 1
const MAX_OUTPUT_BYTES = 64_000_000

/** "13.0.0", or undefined when there is no ripgrep on the path. */
export function ripgrepVersion(): string | undefined {
  const { stdout, status } = spawnSync('rg', ['--version'], { encoding: 'utf8' })
  return status === 0 ? /^ripgrep (\S+)/.exec(stdout)?.[1] : undefined
}

/** Words of a task worth grepping for: as written, once each, stop words left out unless there is nothing else. */
export function grepWords(task: string): readonly string[] {
  const all = [...new Set(identifiersIn(task))]
  const content = all.filter((word) => word.length > 1 && !STOP_WORDS.has(word.toLowerCase()))
  return content.length > 0 ? content : all
}

/** Words OR-ed, case ignored, files by number of matches; ties by path. A file is read whole. */
export const rankByRipgrep: Rank = (corpus, task, limit) => {
  const words = grepWords(task)
  if (words.length === 0) return Promise.resolve([])
  const patterns = words.flatMap((word) => ['-e', word])
  const options = [
    '--count-matches',
    '--null',
    '--ignore-case',
    '--fixed-strings',
    '--no-messages',
    '--no-config',
  ]
  const { stdout, status, error } = spawnSync('rg', [...options, ...patterns, '.'], {
    cwd: corpus.root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  if (error !== undefined) throw error
  if (status === null || status > NO_MATCH + 1) throw new Error(`ripgrep ended with ${status ?? 'a signal'}`)
  const files = best(parseCounts(stdout), limit)
  return Promise.resolve(files.map(({ path }) => ({ path, pieces: [corpus.tokens(path)] })))
}

/** Lines "./path NUL count". */
export function parseCounts(output: string): readonly { readonly path: string; readonly score: number }[] {
  return output.split('\n').flatMap((line) => {
    const [path, count] = line.split('\0')
    return path === undefined || count === undefined
      ? []
      : [{ path: path.replace(/^\.\//, ''), score: Number(count) }]
  })
}
