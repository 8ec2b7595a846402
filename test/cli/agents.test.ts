/** hone setup, doctor, models, completion, related, as a person setting things up meets them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/cli/agents.js'
import { MODELS_FOLDER } from '../../src/config.js'
import type { Check, RelatedAnswer } from '../../src/index.js'
import { breakPackage, copiedCommand } from '../helpers/copied-command.js'
import { ended, hone, startHone, type Ran } from '../helpers/command.js'
import { git } from '../helpers/git.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/repos/parcel-api')

let home: string
let root: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hone-home-'))
  root = join(home, 'parcel-api')
  cpSync(FIXTURE, root, { recursive: true })
  hone(['index', root])
})

afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

const here = (...args: readonly string[]): Ran => hone(args, { cwd: root, env: { HOME: home } })
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const read = (path: string): string => readFileSync(join(home, path), 'utf8')

describe('hone setup', () => {
  it('prints a configuration for every agent, and what an agent should know', () => {
    const { out, code } = here('setup')
    expect(code).toBe(0)
    for (const { name } of AGENTS) expect(out).toContain(`# ${name}`)
    expect(out).toContain('at most')
    expect(out).toContain('Judge')
  })

  it.each(AGENTS.map(({ id }) => id))('writes and removes %s without a trace', (id) => {
    const written = here('setup', id, '--write')
    expect(written.code, written.err).toBe(0)
    expect(written.out).toMatch(/^\+.*hone/m)
    expect(here('setup', id, '--write').out).toContain('nothing to change')
    const removed = here('setup', id, '--remove')
    expect(removed.out).toMatch(/^-.*hone/m)
    const agent = AGENTS.find((one) => one.id === id)
    const file = agent?.file({ root, home }) ?? ''
    expect(existsSync(file)).toBe(false)
    expect([root, home].includes(dirname(file)) || !existsSync(dirname(file))).toBe(true)
    expect(existsSync(join(root, '.claude'))).toBe(false)
  })

  it('says what is to be done next, and that printing wrote nothing', () => {
    expect(here('setup', 'cursor').err).toContain(
      'nothing was written; to write it: hone setup cursor --write',
    )
    expect(here('setup', 'cursor', '--write').err).toContain(`next: start Cursor in ${root}`)
    expect(here('setup', 'cursor', '--remove').err).toBe('')
  })

  it('removes no folder that holds anything else', () => {
    here('setup', 'claude', '--write')
    put('parcel-api/.claude/skills/other.md', 'mine')
    here('setup', 'claude', '--remove')
    expect(existsSync(join(root, '.claude/skills/hone'))).toBe(false)
    expect(read('parcel-api/.claude/skills/other.md')).toBe('mine')
    rmSync(join(root, '.claude'), { recursive: true })
  })

  it('leaves everything else in a file as it is, comments too', () => {
    const own =
      '{\n  // mine\n  "theme": "One Dark",\n  "context_servers": { "other": { "command": "x" } }, // theirs\n}\n'
    put('.config/zed/settings.json', own)
    here('setup', 'zed', '--write')
    const text = read('.config/zed/settings.json')
    expect(text).toContain('// mine')
    expect(text).toContain('// theirs')
    const held = parse(text, [], { allowTrailingComma: true }) as {
      context_servers: Record<string, { args: string[] }>
    }
    expect(Object.keys(held.context_servers)).toEqual(['other', 'hone'])
    expect(held.context_servers['hone']?.args.slice(-2)).toEqual(['mcp', root])
    here('setup', 'zed', '--remove')
    expect(parse(read('.config/zed/settings.json'), [], { allowTrailingComma: true })).toEqual({
      theme: 'One Dark',
      context_servers: { other: { command: 'x' } },
    })
  })

  it('edits one table of a TOML file', () => {
    const own = 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n[profiles.a]\nmodel = "z"\n'
    put('.codex/config.toml', own)
    here('setup', 'codex', '--write')
    expect(read('.codex/config.toml')).toBe(
      `${own}\n${/\[mcp_servers\.hone\][^]*/.exec(read('.codex/config.toml'))?.[0] ?? 'no table'}`,
    )
    here('setup', 'codex', '--remove')
    expect(read('.codex/config.toml')).toBe(own)
  })

  it('does not touch a file that it cannot read as what it is', () => {
    put('parcel-api/.cursor/mcp.json', '{ "mcpServers": ')
    const { code, err } = here('setup', 'cursor', '--write')
    expect(code).toBe(2)
    expect(err).toContain('not JSON')
    expect(read('parcel-api/.cursor/mcp.json')).toBe('{ "mcpServers": ')
  })

  it('asks for which agent before it writes', () => {
    expect(here('setup', '--write')).toMatchObject({ code: 2 })
    expect(here('setup', 'nope').err).toContain('claude')
  })
})

describe('hone doctor', () => {
  const checksOf = ({ out }: Ran): readonly Check[] => (JSON.parse(out) as { checks: Check[] }).checks

  it('finds everything in order here', () => {
    const ran = here('doctor', '--json')
    expect(ran.code).toBe(0)
    expect(checksOf(ran).map(({ state }) => state)).toEqual(checksOf(ran).map(() => 'works'))
    expect(here('doctor').out.split('\n').length).toBeGreaterThan(7)
  })

  it('says what to do where there is no index', () => {
    const bare = mkdtempSync(join(tmpdir(), 'hone-bare-'))
    const index = checksOf(hone(['doctor', bare, '--json'])).at(-1)
    expect(index).toMatchObject({ name: 'index', state: 'missing', remedy: `hone index ${bare}` })
    rmSync(bare, { recursive: true })
  })

  it('tells a broken module from a missing feature, and exits with 4 for the first', () => {
    const copy = copiedCommand()
    breakPackage(copy, 'hnswlib-node')
    const run = (): Ran => {
      const { status, stdout, stderr, signal } = spawnSync(
        process.execPath,
        [join(copy, 'dist/cli/main.cjs'), 'doctor', root, '--json'],
        { encoding: 'utf8' },
      )
      return { code: status, out: stdout, err: stderr, signal }
    }
    const first = run()
    expect(first.code, first.err).toBe(0)
    expect(checksOf(first).find(({ name }) => name === 'vector graph')).toMatchObject({ state: 'missing' })
    breakPackage(copy, 'tree-sitter')
    const second = run()
    expect(second.code).toBe(4)
    expect(checksOf(second).find(({ name }) => name === 'parser')).toMatchObject({
      state: 'broken',
      remedy: 'npm rebuild tree-sitter',
    })
    rmSync(copy, { recursive: true })
  })
})

describe('hone models', () => {
  it('lists what ships', () => {
    expect(here('models').out).toMatch(/^all-MiniLM-L6-v2 .*\nhone-static-1 .*default/)
  })

  it('adds one from a folder, which index then takes', () => {
    const from = join(MODELS_FOLDER, 'all-MiniLM-L6-v2')
    const env = { HOME: home, XDG_DATA_HOME: join(home, 'share') }
    const added = hone(['models', 'add', 'my/model', '--from', from], { env })
    expect(added.code, added.err).toBe(0)
    expect(hone(['models'], { env }).out).toContain('my/model')
    const other = join(home, 'other')
    cpSync(join(FIXTURE, 'src/auth'), other, { recursive: true })
    expect(hone(['index', other, '--encoder', 'my/model'], { env }).code).toBe(0)
    expect(hone(['query', 'sign in', '--repo', other], { env }).code).not.toBe(4)
  })

  it('downloads one from the hub that is named, and leaves nothing of one that is not whole', async () => {
    const files = join(MODELS_FOLDER, 'all-MiniLM-L6-v2')
    const hub = createServer((request, response) => {
      const [, owner, , file = ''] = /^\/([^/]+)\/([^/]+)\/resolve\/main\/(.*)$/.exec(request.url ?? '') ?? []
      const path = join(files, file)
      if (!existsSync(path) || (owner === 'half' && file.endsWith('.onnx'))) response.writeHead(404).end()
      else response.end(readFileSync(path))
    })
    await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve))
    const address = hub.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const env = { XDG_DATA_HOME: join(home, 'share2'), HF_ENDPOINT: `http://127.0.0.1:${port}` }
    const whole = await ended(startHone(['models', 'add', 'some/model'], { env }))
    expect(whole.code, whole.err).toBe(0)
    const half = await ended(startHone(['models', 'add', 'half/model'], { env }))
    expect(half.code).toBe(2)
    expect(half.err).toContain('ONNX')
    hub.close()
    const listed = hone(['models'], { env }).out
    expect(listed).toContain('some/model')
    expect(listed).not.toContain('half/model')
  })
})

describe('hone completion', () => {
  it('prints scripts that know every command and option, and that the shell can read', () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = here('completion', shell)
      expect(code).toBe(0)
      for (const word of ['query', 'related', 'setup', 'budget-tokens', 'irrelevant'])
        expect(out).toContain(word)
    }
    const script = join(home, 'completion.bash')
    writeFileSync(script, here('completion', 'bash').out)
    const ask = `source ${script}; COMP_WORDS=(hone query --bud); COMP_CWORD=2; _hone; echo "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['-c', ask], { encoding: 'utf8' })).toBe('--budget-tokens\n')
  })
})

describe('hone related', () => {
  const related = (...args: readonly string[]): RelatedAnswer =>
    JSON.parse(here('related', ...args, '--format', 'json').out) as RelatedAnswer

  it('finds tests and users of a file, never the file itself', () => {
    const paths = related('src/middleware/throttle.ts').files.map(({ path }) => path)
    expect(paths.slice(0, 2).sort()).toEqual(['src/server.ts', 'tests/throttle.spec.ts'])
    expect(paths).not.toContain('src/middleware/throttle.ts')
  })

  it('takes a line, counted from 1, and says when there is none', () => {
    expect(related('src/notify/webhooks.ts:20').places).toEqual([
      { path: 'src/notify/webhooks.ts', lines: [{ start: 20, end: 20 }] },
    ])
    expect(here('related', 'src/notify/webhooks.ts:999')).toMatchObject({ code: 2, out: '' })
    expect(here('related', 'src/nope.ts')).toMatchObject({ code: 2, out: '' })
    expect(here('related')).toMatchObject({ code: 2, out: '' })
  })

  it('says in each format the same files, within a budget', () => {
    const paths = here('related', 'src/router.ts', '--format', 'paths').out.trim().split('\n')
    for (const format of ['text', 'markdown', 'json'])
      for (const path of paths)
        expect(here('related', 'src/router.ts', '--format', format).out).toContain(path)
    const { out } = here('related', 'src/router.ts', '--format', 'markdown', '--budget-tokens', '400')
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(1600)
    expect(out).toContain('left out to keep the budget')
  })

  it('finds what belongs to uncommitted changes, and runs nothing that the repository names', () => {
    const work = join(home, 'work')
    cpSync(FIXTURE, work, { recursive: true })
    git(work, 'init', '-q')
    git(work, 'add', '.')
    git(work, 'commit', '-qm', 'first')
    const trap = join(home, 'trapped')
    expect(hone(['related', '--diff'], { cwd: work }).err).toContain('nothing is changed')
    git(work, 'config', 'filter.trap.clean', `touch ${trap}; cat`)
    git(work, 'config', 'diff.trap.textconv', `touch ${trap}; cat`)
    git(work, 'config', 'core.fsmonitor', `touch ${trap}`)
    writeFileSync(join(work, '.gitattributes'), '* filter=trap diff=trap\n')
    const file = join(work, 'src/notify/backoff.ts')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nexport const MOST_DELAYS = 9\n`)
    const { out, code, err } = hone(['related', '--diff', '--format', 'json'], { cwd: work })
    expect(code, err).toBe(0)
    const answer = JSON.parse(out) as RelatedAnswer
    expect(answer.places.map(({ path }) => path)).toContain('src/notify/backoff.ts')
    expect(answer.files.map(({ path }) => path)).toContain('src/notify/webhooks.ts')
    expect(existsSync(trap)).toBe(false)
  })

  it('says so where git knows no repository', () => {
    expect(hone(['related', '--diff'], { cwd: root })).toMatchObject({ code: 2 })
  })
})
