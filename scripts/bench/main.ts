/** `npm run bench`: how good and how fast hone is, against what one would use without it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULTS, MODELS_FOLDER } from '../../src/config.js'
import { codeDigest } from './code-digest.js'
import { against, comparison } from './compare.js'
import { environment } from './environment.js'
import { HELP, publishedCommand, readOptions, UsageError, type BenchOptions } from './options.js'
import { readLearnedParts } from './provenance.js'
import { publish } from './publish.js'
import { taskValues, toReport, type TaskValues } from './report.js'
import { runBenchmark } from './run.js'
import { reportTables } from './tables.js'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const EXIT_PARTIAL = 5
const EXIT_USAGE = 2

try {
  const args = process.argv.slice(2)
  process.exitCode = bench(readOptions(args, PROJECT), args)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = EXIT_USAGE
}

/** Returns the exit code: 0, or 5 when some repository could not be scored. */
function bench(options: BenchOptions, args: readonly string[]): number {
  if (options.isHelp) {
    console.log(HELP)
    return 0
  }
  if (options.compare !== undefined) {
    const [a, b] = options.compare.map((path) => JSON.parse(readFileSync(path, 'utf8')) as TaskValues)
    console.log(comparison(a ?? {}, b ?? {}).join('\n'))
    return 0
  }
  return score(options, args)
}

function score(options: BenchOptions, args: readonly string[]): number {
  const digest = codeDigest(PROJECT)
  const run = runBenchmark(options, {
    projectRoot: PROJECT,
    digest,
    onProgress: (line) => {
      console.error(line)
    },
  })
  const stated = join(PROJECT, 'scripts', 'bench', 'trained-on.json')
  const report = toReport(run, {
    environment: environment(PROJECT, {
      command: publishedCommand(args),
      codeDigest: digest,
    }),
    learnedParts: readLearnedParts(MODELS_FOLDER, { encoder: DEFAULTS.encoder, stated }),
    only: options.only,
    methods: options.methods,
  })
  const values = taskValues(run)
  console.log(reportTables(report))
  console.log(
    ['', ...against(values, { method: 'hone-3', baselines: ['bm25-sum', 'hybrid', 'hone-1'] })].join('\n'),
  )
  if (options.save !== undefined) {
    publish(join(PROJECT, 'docs', 'benchmarks'), { name: options.save, report, values })
  }
  return report.sets.some(({ missing }) => missing.length > 0) ? EXIT_PARTIAL : 0
}
