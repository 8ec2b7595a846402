/**
 * How time, memory and size grow with a repository: monorepos of real files, of the sizes asked for.
 * usage: npm run build && node --import ./scripts/bench/loader.js scripts/scale/main.ts [FILES]... --from REPOSITORIES
 *          --work FOLDER [--max-file-bytes N] [--most-files N] [--out FOLDER] [--keep]
 * Without sizes: 1000 3000 10000 30000 100000. FOLDER keeps what was measured, so a run that was stopped goes on; a size
 * whose figures are there is not measured again. --keep leaves the monorepos there too. --out writes scale.json,
 * scale.svg and scale-table.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { growthChart } from './chart.js'
import type { AskMeasures, BuildMeasures } from './measure.js'
import { writeMonorepo } from './monorepo.js'
import { growthTable } from './table.js'
import { TASKS } from './tasks.js'

export interface Measured extends BuildMeasures {
  readonly textBytes: number
  readonly ask: AskMeasures
  /** `hone query` as a command, the least of a few runs. */
  readonly queryCommandMs: number
  readonly noopCommandMs: number
  /** Processes that wanted to run, of how many the machine has processors for, before and after. */
  readonly load: readonly [number, number]
}

const SIZES = [1000, 3000, 10_000, 30_000, 100_000]
// About three chunks a file.
const MAX_FILE_BYTES = 6000
const COMMAND_RUNS = 5

const { values, positionals } = parseArgs({
  options: {
    from: { type: 'string' },
    work: { type: 'string' },
    'max-file-bytes': { type: 'string' },
    'most-files': { type: 'string' },
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const { from, work, out } = values
if (from === undefined || work === undefined)
  throw new Error('--from and --work are needed; see the head of this file')
mkdirSync(work, { recursive: true })
const sizes: Measured[] = []
for (const files of positionals.length > 0 ? positionals.map(Number) : SIZES) {
  const known = join(work, `scale-${files}.json`)
  if (!existsSync(known))
    writeFileSync(known, JSON.stringify(await measure(join(work, `monorepo-${files}`), files)))
  sizes.push(JSON.parse(readFileSync(known, 'utf8')) as Measured)
}
if (out !== undefined) {
  writeFileSync(join(out, 'scale.json'), `${JSON.stringify(sizes, null, 1)}\n`)
  writeFileSync(join(out, 'scale.svg'), growthChart(sizes))
  writeFileSync(join(out, 'scale-table.md'), growthTable(sizes))
}

async function measure(root: string, files: number): Promise<Measured> {
  const maxFileBytes = Number(values['max-file-bytes'] ?? MAX_FILE_BYTES)
  rmSync(root, { recursive: true, force: true })
  const most = values['most-files']
  const textBytes = await writeMonorepo(root, {
    from: from!, // checked above
    files,
    maxFileBytes,
    ...(most === undefined ? {} : { mostFiles: Number(most) }),
  })
  const before = loadavg()[0]!
  const built = child('build', root) as BuildMeasures
  const ask = child('ask', root) as AskMeasures
  const queryCommandMs = leastMs(['query', TASKS[1] ?? '', '--repo', root])
  const noopCommandMs = leastMs(['index', root])
  const measured = {
    ...built,
    textBytes,
    ask,
    queryCommandMs,
    noopCommandMs,
    load: [before, loadavg()[0]!],
  } as const
  console.log(JSON.stringify(measured))
  if (!values.keep) rmSync(root, { recursive: true, force: true })
  return measured
}

function child(what: string, root: string): unknown {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
  const args = ['--import', path('../bench/loader.js'), path('./measure.ts'), what, root]
  return JSON.parse(run(args))
}

function leastMs(args: readonly string[]): number {
  const command = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))
  const times = Array.from({ length: COMMAND_RUNS }, () => {
    const startedAt = performance.now()
    run([command, ...args])
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

function run(args: readonly string[]): string {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const isAnswer = status === 0 || (status === 1 && stderr === '') // 1: nothing relevant
  if (!isAnswer) throw new Error(`${args.join(' ')}: ${signal ?? status ?? ''}\n${stderr}`)
  return stdout
}
