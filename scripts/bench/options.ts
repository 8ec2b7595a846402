/** The command line of the benchmark. Throws UsageError naming the option and what it takes. */
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { METHODS } from './methods.js'
import { SETS, type SetName } from './tasks.js'

export class UsageError extends Error {}

export interface BenchOptions {
  readonly sets: readonly SetName[]
  /** Folder with queries/NAME and commits/NAME; undefined when only our own fixtures are asked. */
  readonly repos: string | undefined
  readonly labels: string
  readonly cache: string
  /** Names of repositories to score; empty = all. */
  readonly only: readonly string[]
  /** Ids of methods; empty = all. */
  readonly methods: readonly string[]
  /** Name under which results are kept in docs/benchmarks; undefined = only printed. */
  readonly save: string | undefined
  /** Measure time and memory as well. */
  readonly isTimed: boolean
  /** A Python with semble installed, to compare speed with; undefined = without. */
  readonly semble: string | undefined
  /** tokenizer.json of the model that stands in for semble's own. */
  readonly tokenizer: string
  /** Two result files to compare instead of running anything. */
  readonly compare: readonly [string, string] | undefined
  readonly isHelp: boolean
}

export const HELP = `npm run bench -- [options]

Without options: the shipped fixture repositories, all methods, under two minutes.

  --sets LIST      ${SETS.join(', ')} (default fixtures)
  --repos DIR      checkouts: DIR/queries/NAME and DIR/commits/NAME
  --labels DIR     label files (default ../shared/bench)
  --cache DIR      indexes and results of single repositories, for resuming (default in the temporary folder)
  --only LIST      only these repositories
  --methods LIST   ${METHODS.map(({ id }) => id).join(', ')}
  --no-time        leave out time and memory
  --semble PYTHON  a Python that has semble installed: compares speed with it
  --tokenizer FILE tokenizer.json for semble's stand-in model (default that of models/all-MiniLM-L6-v2)
  --save NAME      keep the results as docs/benchmarks/NAME.json and write docs/benchmarks/README.md anew
  --compare A,B    two result files (docs/benchmarks/NAME.tasks.json): paired differences, B minus A
`

export function readOptions(args: readonly string[], projectRoot: string): BenchOptions {
  const values = parse(args)
  const sets = (values.sets === undefined ? ['fixtures'] : list(values.sets)).map(setName)
  const needsRepos = sets.some((set) => set !== 'fixtures')
  if (needsRepos && values.repos === undefined && values.compare === undefined) {
    throw new UsageError(`--sets ${sets.join(',')} needs --repos DIR, the folder of the checkouts`)
  }
  const methods = list(values.methods ?? '')
  const unknown = methods.find((id) => !METHODS.some((method) => method.id === id))
  if (unknown !== undefined)
    throw new UsageError(`--methods takes ${METHODS.map(({ id }) => id).join(', ')}; not "${unknown}"`)
  if (values.save !== undefined && !/^[\w.-]+$/.test(values.save)) {
    throw new UsageError(`--save takes a name of letters, digits, "-", "_" and "."; not "${values.save}"`)
  }
  return {
    sets,
    repos: values.repos === undefined ? undefined : resolve(values.repos),
    labels: resolve(values.labels ?? join(projectRoot, '..', 'shared', 'bench')),
    cache: resolve(values.cache ?? join(tmpdir(), 'hone-bench')),
    only: list(values.only ?? ''),
    methods,
    save: values.save,
    isTimed: values['no-time'] !== true,
    semble: values.semble === undefined ? undefined : resolve(values.semble),
    tokenizer: resolve(values.tokenizer ?? join(projectRoot, 'models', 'all-MiniLM-L6-v2', 'tokenizer.json')),
    compare: values.compare === undefined ? undefined : pair(values.compare),
    isHelp: values.help === true,
  }
}

/** The command as it is published: folders and programs of this machine by what they are. */
export function publishedCommand(args: readonly string[]): string {
  const values = parse(args)
  const shown = Object.entries(values).flatMap(([name, value]) => {
    if (name === 'cache' || name === 'tokenizer') return []
    if (value === true) return [`--${name}`]
    const placeholder = PLACEHOLDERS[name]
    return [`--${name} ${placeholder ?? value}`]
  })
  return ['npm run bench --', ...shown].join(' ').replace(/ --$/, '')
}

const PLACEHOLDERS: Readonly<Record<string, string>> = { repos: 'DIR', labels: 'DIR', semble: 'PYTHON' }

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        sets: { type: 'string' },
        repos: { type: 'string' },
        labels: { type: 'string' },
        cache: { type: 'string' },
        only: { type: 'string' },
        methods: { type: 'string' },
        save: { type: 'string' },
        compare: { type: 'string' },
        semble: { type: 'string' },
        tokenizer: { type: 'string' },
        'no-time': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function setName(name: string): SetName {
  const set = SETS.find((known) => known === name)
  if (set === undefined) throw new UsageError(`--sets takes ${SETS.join(', ')}; not "${name}"`)
  return set
}

function pair(value: string): readonly [string, string] {
  const [a, b, ...rest] = list(value)
  if (a === undefined || b === undefined || rest.length > 0)
    throw new UsageError('--compare takes two files: A,B')
  return [resolve(a), resolve(b)]
}

function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
