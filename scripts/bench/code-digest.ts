/** What the results depend on besides the tasks: the built product, its models, and the rankings of the benchmark. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const PARTS = [
  'dist',
  'models',
  'scripts/bench/rankings',
  'scripts/bench/corpus.ts',
  'scripts/bench/worker.ts',
]
// Documentation, types and source maps do not change what runs.
const IRRELEVANT = /\.(md|d\.ts|map)$|(^|\/)trained-on\.json$/

/** Twelve hex digits; results kept under another digest are not used. */
export function codeDigest(projectRoot: string): string {
  const hash = createHash('sha256')
  const files = PARTS.flatMap((part) => filesUnder(join(projectRoot, part))).filter(
    (path) => !IRRELEVANT.test(path),
  )
  for (const path of files.sort()) hash.update(relative(projectRoot, path)).update(readFileSync(path))
  return hash.digest('hex').slice(0, 12)
}

function filesUnder(path: string): readonly string[] {
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
