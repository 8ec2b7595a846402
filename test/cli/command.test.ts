/** The command line as its users and scripts meet it: exit codes, options, formats, streams. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokensOf, type Answer, type Explanation } from '../../src/index.js'
import { shapeFaults } from '../helpers/answer-shape.js'
import { answerOf, command, giveToOrdinaryUser, hone, withoutTimes, type Ran } from '../helpers/command.js'
import { makeSample, put } from '../spine/sample.js'

let root: string
let remove: () => void

beforeAll(() => {
  ;({ root, remove } = makeSample())
  put(root, 'logo.png', Uint8Array.from([137, 80, 78, 71, 0, 0, 1]))
  hone(['index', root])
})

afterAll(() => {
  remove()
})

const query = (...args: readonly string[]): Ran => hone(['query', '--repo', root, ...args])
const json = (...args: readonly string[]): Answer => answerOf(query('--format', 'json', ...args))

describe('exit codes', () => {
  it('0: answered', () => {
    expect(query('sign a token')).toMatchObject({ code: 0, err: '' })
  })

  it('1: nothing relevant, said on standard output', () => {
    const { code, out } = query('sign a token', '--include', 'nowhere')
    expect(code).toBe(1)
    expect(out).toContain('Nothing relevant found.')
    expect(query('sign a token', '--include', 'nowhere', '--format', 'paths')).toMatchObject({
      code: 1,
      out: '',
    })
  })

  it('2: wrong usage', () => {
    for (const args of [['query'], ['nope'], [], ['index', root, 'more'], ['query', 'x', '--limit']])
      expect(hone(args), args.join(' ')).toMatchObject({ code: 2, out: '' })
  })

  it('3: no index and not allowed to build one', () => {
    const other = makeSample()
    for (const args of [
      ['query', 'x', '--repo', other.root, '--no-build'],
      ['status', other.root],
    ]) {
      const { code, out, err } = hone(args)
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toContain(`hone index ${other.root}`)
    }
    other.remove()
  })

  it('5: some files could not be read', () => {
    const other = makeSample()
    giveToOrdinaryUser(other.root)
    chmodSync(join(other.root, 'README.md'), 0)
    expect(hone(['index', other.root], { isOrdinaryUser: true, env: { HOME: '/nowhere' } }).code).toBe(5)
    other.remove()
  })

  it('are those of docs/interface.md', async () => {
    const { EXIT } = await import('../../src/errors.js')
    const contract = /^Exit codes: .*$/m.exec(read('docs/interface.md'))?.[0] ?? ''
    const listed = [...contract.matchAll(/(?:: |; )(\d+) /g)].map(([, code]) => Number(code))
    expect(listed).toEqual(Object.values(EXIT))
  })
})

describe('wrong values', () => {
  const wholes = ['--limit', '--max-cycles', '--timeout-ms', '--budget-tokens']
  const cases = [
    ...wholes.map((option) => [option, '0'] as const),
    ['--limit', 'abc'] as const,
    ['--limit', ''] as const,
    ['--max-cycles', '4'] as const,
    ['--min-relevance', '2'] as const,
    ['--min-relevance', 'NaN'] as const,
    ['--format', 'xml'] as const,
    ['--include', ''] as const,
    ['--exclude', '!x'] as const,
  ]
  it.each(cases)('query %s=%s names the option and what it takes', (option, value) => {
    const { code, out, err } = query(`${option}=${value}`, 'token')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/--[a-z-]+|glob/)
    expect(err).toMatch(/whole number from|from 0 to 1|choices are|is not valid/)
  })

  it.each([
    ['--max-file-bytes', '0'],
    ['--max-file-bytes', '1.5'],
    ['--jobs', '-1'],
    ['--jobs', 'all'],
  ])('index %s=%s likewise', (option, value) => {
    const { code, err } = hone(['index', root, `${option}=${value}`])
    expect(code).toBe(2)
    expect(err).toContain(option)
  })

  it('explain takes the deep step as query does, and says in JSON what it did', () => {
    const explain = (...args: readonly string[]): Ran =>
      hone(['explain', 'src/token.ts', '--task', 'sign a token', '--repo', root, '--json', ...args])
    expect(explain('--deep', 'sometimes')).toMatchObject({ code: 2, out: '' })
    expect(explain('--deep', 'sometimes').err).toContain('--deep')
    const deepOf = ({ out }: Ran): Explanation['deep'] => (JSON.parse(out) as Explanation).deep
    expect(deepOf(explain())).toBeNull()
    expect(['rated-anew', 'kept']).toContain(deepOf(explain('--deep', 'always'))?.outcome)
  })

  it('an unknown option is named, whatever the command', () => {
    for (const name of ['index', 'query', 'status', 'clean']) {
      const { code, out, err } = hone([name, '--nonsense'])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain('--nonsense')
    }
  })

  it('options that contradict each other are errors, not ignored', () => {
    expect(hone(['status', root, '--files', '--skipped']).code).toBe(2)
    expect(hone(['query', '--repo', root, '--batch', '-', '--format', 'paths'], { input: 'x\n' }).code).toBe(
      2,
    )
    expect(hone(['query', '--repo', root, '--batch', '-', 'words'], { input: 'x\n' }).code).toBe(2)
  })

  it('the bounds themselves are taken', () => {
    for (const args of [
      ['--limit', '1'],
      ['--max-cycles', '3'],
      ['--min-relevance', '0'],
      ['--min-relevance', '1'],
      ['--min-relevance', '.5'],
      ['--timeout-ms', '1'],
    ])
      expect(query(...args, 'sign a token').code, args.join(' ')).toBeLessThan(2)
  })
})

describe('a task', () => {
  it('of several words needs no quotes; "-" reads it from standard input', () => {
    const one = json('sign a token')
    expect(withoutTimes(JSON.stringify(json('sign', 'a', 'token')))).toBe(withoutTimes(JSON.stringify(one)))
    const piped = hone(['query', '-', '--repo', root, '--format', 'json'], { input: 'sign a token' })
    expect(withoutTimes(JSON.stringify(answerOf(piped)))).toBe(withoutTimes(JSON.stringify(one)))
  })

  it('that is empty is wrong usage wherever it comes from', () => {
    for (const ran of [
      query(''),
      query('  ', ' '),
      hone(['query', '-', '--repo', root], { input: '\n' }),
      query(),
    ]) {
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain('task is empty')
    }
  })

  it('may look like an option after "--"', () => {
    expect(query('--', '--limit of what').code).toBeLessThan(2)
  })
})

describe('formats', () => {
  it('json is the shape of docs/interface.md, in every cycle and with evidence', () => {
    for (const task of [
      'sign a token',
      'Session refresh of a user',
      'slowdown',
      'nothing of the kind',
      '令牌',
    ])
      for (const more of [[], ['--explain', '--min-relevance', '0']])
        expect(shapeFaults(json(task, ...more)), task).toEqual([])
    expect(json('sign a token').files[0]?.evidence).toBeUndefined()
    expect(json('sign a token', '--explain').files[0]?.evidence?.length).toBeGreaterThan(0)
  })

  it('the example of docs/interface.md has that shape too', () => {
    const example = /```json\n([\s\S]*?)```/.exec(read('docs/interface.md'))?.[1] ?? ''
    expect(shapeFaults(JSON.parse(example.replace(/\/\/.*$/gm, '')))).toEqual([])
  })

  it('json has text with a budget only', () => {
    const textsOf = ({ files }: Answer): readonly unknown[] =>
      files.flatMap(({ ranges }) => ranges.map(({ text }) => text))
    expect(textsOf(json('sign a token')).filter((text) => text !== undefined)).toEqual([])
    expect(textsOf(json('sign a token', '--budget-tokens', '4000'))[0]).toContain('signToken')
  })

  it('paths are the paths, one a line; notes go to standard error', () => {
    const { files } = json('sign a token', '--min-relevance', '0')
    const { out } = query('sign a token', '--min-relevance', '0', '--format', 'paths')
    expect(out).toBe(files.map(({ path }) => `${path}\n`).join(''))
    expect(query('sign a token', '--min-relevance', '1', '--format', 'paths').err).toMatch(
      /^note: nothing reaches 1; the nearest: /m,
    )
  })

  it('markdown has the code, fenced by more backticks than it holds', () => {
    const other = makeSample({ 'a.md': '# Throttle\n\n````\nthrottle\n````\n' })
    const { out } = hone([
      'query',
      'throttle',
      '--repo',
      other.root,
      '--format',
      'markdown',
      '--min-relevance',
      '0',
    ])
    expect(out).toMatch(/^# throttle\n\n## a\.md\n/)
    expect(out).toContain('\n`````md\n# Throttle\n\n````\nthrottle\n````\n`````\n')
    other.remove()
  })

  it('text and markdown name every file of the answer, and what it lacks', () => {
    const { files } = json('Session refresh', '--min-relevance', '0')
    for (const format of ['text', 'markdown']) {
      const { out } = query('Session refresh', '--min-relevance', '0', '--format', format)
      for (const { path } of files) expect(out, format).toContain(path)
    }
  })

  it('each keeps a budget, alone and exactly, or says what the least is', { timeout: 300_000 }, () => {
    const budgets = { html: [100, 3200, 5000, 20_000], others: [1, 5, 20, 60, 150, 400, 1000, 5000] }
    for (const format of ['text', 'json', 'markdown', 'paths', 'html']) {
      for (const budget of format === 'html' ? budgets.html : budgets.others) {
        const { code, out, err } = query(
          'Session refresh token',
          '--min-relevance',
          '0',
          '--format',
          format,
          '--budget-tokens',
          String(budget),
        )
        expect(tokensOf(out), `${format} ${budget}`).toBeLessThanOrEqual(budget)
        if (code === 2) expect(err).toMatch(/the least that says anything takes \d+/)
        else expect(code).toBe(0)
        if (code === 0 && out.split('src/').length - 1 < 3 && format === 'paths')
          expect(err).toMatch(/left out to keep the budget: \d+ file/)
      }
    }
  })
})

describe('a batch', () => {
  const batch = (input: string | Uint8Array, ...args: readonly string[]): Ran =>
    hone(['query', '--repo', root, '--batch', '-', ...args], { input })
  const answersOf = ({ out }: Ran): readonly Answer[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)

  it('answers each line as the task alone is answered, in order', () => {
    const tasks = ['sign a token', 'slowdown', 'nothing of the kind', 'sign a token']
    const answers = answersOf(batch(tasks.join('\n')))
    expect(answers.map(({ task }) => task)).toEqual(tasks)
    for (const answer of answers) {
      expect(shapeFaults(answer)).toEqual([])
      expect(withoutTimes(JSON.stringify(answer))).toBe(withoutTimes(JSON.stringify(json(answer.task))))
    }
  })

  it('takes files, CRLF, a byte order mark, objects with their own limit, and options for all', () => {
    const other = makeSample({})
    put(other.root, 'batch.txt', '\uFEFF{"task": "sign a token", "limit": 1}\r\nthrottle\r\n')
    const ran = hone([
      'query',
      '--repo',
      root,
      '--batch',
      join(other.root, 'batch.txt'),
      '--min-relevance',
      '0',
      '--explain',
    ])
    expect(ran.code).toBe(0)
    const answers = answersOf(ran)
    expect(answers.map(({ task }) => task)).toEqual(['sign a token', 'throttle'])
    expect(answers[0]?.files).toHaveLength(1)
    expect(answers[1]?.files[0]?.evidence).toBeDefined()
    other.remove()
  })

  it.each([
    ['{"task": "x"', /is not JSON/],
    ['{"task": ""}', /has no "task"/],
    ['{"tsk": "x"}', /unknown field "tsk"/],
    ['{"task": "x", "limit": 0}', /"limit" that is not a whole number/],
    ['{"task": 5}', /has no "task"/],
    ['', /is empty/],
  ])('with a bad line (%s) names the line and answers nothing', (line, message) => {
    const { code, out, err } = batch(`good\n${line}\ngood\n`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('line 2')
    expect(err).toMatch(message)
  })

  it('keeps a budget on every line', () => {
    const { out } = batch('sign a token\nSession refresh\n', '--budget-tokens', '300', '--min-relevance', '0')
    for (const line of out.trimEnd().split('\n')) expect(tokensOf(`${line}\n`)).toBeLessThanOrEqual(300)
  })

  it('exits with 1 when no line has an answer, and names a file that cannot be read', () => {
    expect(batch('nothing of the kind\n').code).toBe(1)
    const { code, err } = hone(['query', '--repo', root, '--batch', '/nowhere/tasks'])
    expect(code).toBe(2)
    expect(err).toContain('/nowhere/tasks')
  })
})

describe('streams', () => {
  it('results alone go to standard output', () => {
    const other = makeSample()
    const { out, err } = hone(['query', 'sign a token', '--repo', other.root, '--format', 'json'])
    expect(shapeFaults(JSON.parse(out))).toEqual([])
    expect(err).toMatch(/no index in .*, building one\n5 files/)
    other.remove()
  })

  it('a reader that stops early is no fault', () => {
    const big = makeSample()
    for (let i = 0; i < 3000; i++)
      put(big.root, `many/some-quite-long-file-name-${i}.ts`, `export const x${i} = 1\n`)
    hone(['index', big.root])
    const piped = (args: string): ReturnType<typeof spawnSync> =>
      spawnSync('bash', ['-c', `set -o pipefail; "${process.execPath}" "${command()}" ${args} | head -1`], {
        encoding: 'utf8',
      })
    for (const args of [
      `status ${big.root} --files`,
      `query x --repo ${big.root} --limit 1000 --min-relevance 0 --format json`,
    ]) {
      const { status, stdout, stderr } = piped(args)
      expect(stderr).toBe('')
      expect(String(stdout).split('\n')).toHaveLength(2)
      expect(status).toBe(0)
    }
    big.remove()
  })

  it('that cannot be written do not make an answer look like another', () => {
    const shell = (line: string): ReturnType<typeof spawnSync> =>
      spawnSync('bash', ['-c', line.replaceAll('HONE', `"${process.execPath}" "${command()}"`)], {
        encoding: 'utf8',
      })
    const full = shell(`HONE query "sign a token" --repo ${root} > /dev/full`)
    expect(full.status).toBe(70)
    expect(full.stderr).toMatch(/^hone: .*ENOSPC.*\n$/)
    const unread = shell(
      `HONE query "sign a token" --repo ${root} --min-relevance 1 --format paths 2> >(exec true)`,
    )
    expect(unread.status).toBe(1)
    expect(shell(`HONE query "sign a token" --repo ${root} --format paths 2>&-`).stdout).toContain(
      'src/token.ts',
    )
  })

  it('a folder that is gone is named, not crashed into', () => {
    const other = makeSample({})
    for (const args of ['index', 'query x', 'status', 'clean']) {
      const { status, stderr } = spawnSync(
        'bash',
        ['-c', `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${command()}" ${args}`],
        { cwd: other.root, encoding: 'utf8' },
      )
      expect(status, args).toBe(2)
      expect(stderr).toContain('the current folder is gone')
    }
    other.remove()
  })

  const onTerminal = (env: NodeJS.ProcessEnv): string => {
    const inner = `"${process.execPath}" "${command()}" query "sign a token" --repo ${root}`
    return spawnSync('script', ['-qec', inner, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, TERM: 'xterm', ...env },
    }).stdout
  }
  const hasScript = spawnSync('script', ['--version']).status === 0

  it.skipIf(!hasScript)('colour is for terminals, whatever runs hone, and NO_COLOR turns it off', () => {
    for (const env of [{ CI: '' }, { CI: 'true' }, { FORCE_COLOR: '1' }])
      expect(hone(['query', 'sign a token', '--repo', root], { env }).out).not.toContain('\u001b[')
    expect(onTerminal({ NO_COLOR: '' })).toContain('\u001b[')
    expect(onTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[')
  })

  it('nothing is written for a run that has nothing to say', () => {
    expect(hone(['index', root])).toMatchObject({ code: 0, err: '' })
    expect(query('sign a token').err).toBe('')
  })
})

describe('status', () => {
  it('adds up: what is indexed and what is skipped is what was seen', () => {
    const { out } = hone(['status', root])
    const count = (label: string): number => Number(new RegExp(`^${label}\\s+(\\d+)`, 'm').exec(out)?.[1])
    expect(count('indexed') + count('skipped')).toBe(count('seen'))
    expect(hone(['status', root, '--files']).out.trimEnd().split('\n')).toHaveLength(count('indexed'))
    expect(hone(['status', root, '--skipped']).out.trimEnd().split('\n')).toHaveLength(count('skipped'))
    const { files, skipped, stale, skippedFiles } = JSON.parse(hone(['status', root, '--json']).out) as {
      files: number
      skipped: number
      stale: readonly string[]
      skippedFiles: readonly unknown[]
    }
    expect([files, skipped, stale, skippedFiles.length]).toEqual([count('indexed'), count('skipped'), [], 1])
  })

  it('calls stale what differs, and no more', () => {
    const other = makeSample()
    hone(['index', other.root])
    expect(hone(['status', other.root]).out).toMatch(/^stale +0 files$/m)
    put(other.root, 'src/token.ts', 'export const changed = 1\n')
    put(other.root, 'src/new.ts', 'export const fresh = 1\n')
    const { stale } = JSON.parse(hone(['status', other.root, '--json']).out) as { stale: readonly string[] }
    expect(stale).toEqual(['src/new.ts', 'src/token.ts'])
    hone(['index', other.root])
    expect(hone(['status', other.root]).out).toMatch(/^stale +0 files$/m)
    other.remove()
  })

  it('works from a folder inside', () => {
    expect(hone(['status'], { cwd: join(root, 'src') }).out).toContain(root)
  })
})

describe('help', () => {
  const commands = ['index', 'query', 'status', 'clean']

  it.each(commands)('of %s goes to standard output, and its examples are taken as printed', (name) => {
    const { code, out, err } = hone([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const examples = [...out.matchAll(/^ {2}(hone .*)$/gm)].map(([, line]) => line ?? '')
    expect(examples.length).toBeGreaterThan(0)
    const other = makeSample()
    put(other.root, 'tasks.txt', 'sign a token\n')
    put(other.root, 'src/css/tokens.ts', 'export const blue = 1\n')
    put(other.root, 'home/src/app/a.ts', 'export const app = 1\n')
    hone(['index', other.root])
    for (const example of examples) {
      const shell = `hone() { "${process.execPath}" "${command()}" "$@"; }; ${example}`
      const { status, stderr } = spawnSync('bash', ['-c', shell], {
        cwd: other.root,
        encoding: 'utf8',
        env: { ...process.env, HOME: join(other.root, 'home') },
      })
      expect([0, 1], `${example}: ${stderr}`).toContain(status)
    }
    other.remove()
  })

  it('lists every command, and every option that docs/interface.md gives to those that exist', () => {
    expect(hone(['--help'])).toMatchObject({ code: 0, err: '' })
    for (const name of commands) expect(hone(['--help']).out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    const rows = read('docs/interface.md')
      .split('\n')
      .filter((line) => /^\| `hone (index|query|status|clean)/.test(line))
    expect(rows.length).toBeGreaterThanOrEqual(5)
    for (const row of rows) {
      const name = /hone (\w+)/.exec(row)?.[1] ?? ''
      const { out } = hone([name, '--help'])
      for (const [option] of row
        .replaceAll('`--include/--exclude', '`--include` `--exclude')
        .matchAll(/(?<=`)--[a-z-]+/g)) {
        expect(out, name).toContain(option)
      }
    }
  })

  it('--version is that of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(hone(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
  })
})

describe('the documents', () => {
  it('commands of the README exist, and CI runs the same tests', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const readme = read('README.md')
    for (const [, script] of readme.matchAll(/npm run ([a-z]+)/g))
      expect(scripts).toHaveProperty(script ?? '')
    expect(
      read('CONTRIBUTING.md')
        .match(/npm run ([a-z]+)/g)
        ?.map((s) => s.slice(8))
        .every((s) => s in scripts),
    ).toBe(true)
    const test = 'npm ci && npm test'
    expect(readme).toContain(test)
    expect(read('.ci/run')).toContain(test)
    expect(scripts['test']).toBe('vitest run')
    expect(scripts['prepare']).toContain('build')
  })

  it('options the README shows exist', () => {
    for (const [, name, option] of read('README.md').matchAll(/`hone (\w+)[^`]*`[^|]*\|[^|]*`(--[a-z-]+)/g))
      expect(hone([name ?? '', '--help']).out).toContain(option)
  })

  it('defaults are those of the contract', async () => {
    const { DEFAULTS, VERSION } = await import('../../src/config.js')
    const contract = read('docs/interface.md')
    expect(contract).toContain(`\`--limit N\` (${DEFAULTS.limit})`)
    expect(contract).toContain(`\`--max-cycles N\` (${DEFAULTS.maxCycles})`)
    expect(contract).toContain(`\`--min-relevance P\` (${DEFAULTS.minRelevance})`)
    expect(VERSION).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  })
})

describe('without a network', () => {
  const unshare = spawnSync('unshare', ['-rn', 'true']).status === 0

  it.skipIf(!unshare)('index, query and status do what they do with one', () => {
    const other = makeSample()
    const cut = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
      spawnSync('unshare', ['-rn', process.execPath, command(), ...args], { encoding: 'utf8' })
    for (const encoder of ['hone-static-1', 'all-MiniLM-L6-v2']) {
      expect(cut('index', other.root, '--encoder', encoder)).toMatchObject({ status: 0, stderr: '' })
      const { status, stdout } = cut('query', 'sign a token', '--repo', other.root, '--format', 'json')
      expect(status).toBe(0)
      expect(withoutTimes(String(stdout))).toBe(
        withoutTimes(hone(['query', 'sign a token', '--repo', other.root, '--format', 'json']).out),
      )
    }
    other.remove()
  })
})

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}
