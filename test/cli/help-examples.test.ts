/** Every example of every --help, run as printed. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hone, startHone, ended, type Ran } from '../helpers/command.js'
import { git } from '../helpers/git.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/repos/parcel-api')

let folder: string
let root: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-examples-'))
  root = join(folder, 'src', 'app') // as one example has it
  mkdirSync(join(folder, 'src'))
  cpSync(FIXTURE, root, { recursive: true })
  git(root, 'init', '-q')
  // What the examples speak of: tasks of the reader's own, a file to be skipped.
  mkdirSync(join(root, 'src/css'))
  writeFileSync(
    join(root, 'src/auth.ts'),
    '/** Auth by token. A token after its expiry is refused; the expiry bug of old tokens is fixed here. */\nexport function authToken(token: { expiry: number }): boolean {\n  return Date.now() < token.expiry\n}\n',
  )
  writeFileSync(
    join(root, 'src/token.ts'),
    '/** Signs a token; it expires after an hour. */\nexport const expiry = 3600\n',
  )
  writeFileSync(
    join(root, 'src/token-expiry.ts'),
    '/** Fixes the expiry of a token. */\nexport function fixTokenExpiry(token: string): string {\n  return token\n}\n',
  )
  writeFileSync(join(root, 'src/css/tokens.ts'), 'export const blue = 1\n')
  writeFileSync(join(root, 'tasks.txt'), 'where is the config read\n')
  writeFileSync(join(root, 'logo.png'), Uint8Array.from([137, 80, 78, 71, 0, 0, 1]))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The program's commands, as its own help lists them. */
function commands(): readonly string[] {
  const listed = hone(['--help']).out.split('Commands:')[1] ?? ''
  return [...listed.matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help')
}

/** The lines of a help text that are examples. */
function examplesOf(args: readonly string[]): readonly string[] {
  const [, after = ''] = hone([...args, '--help']).out.split(/\nExamples?[^\n]*:\n/)
  return [...after.matchAll(/^ {2}(hone .*)$/gm)].map(([, example = '']) => example)
}

function run(example: string): Ran {
  const [line = '', file] = example.split(' > ') // as a shell has it
  const words = line.match(/"[^"]*"|\S+/g) ?? []
  const args = words.slice(1).map((word) => word.replace(/^"|"$/g, '').replace(/^~/, folder))
  const env = { HOME: folder, XDG_DATA_HOME: join(folder, 'share'), HF_ENDPOINT: 'http://127.0.0.1:1' }
  const ran = hone(args, { cwd: root, env, input: 'where is the config read\n' })
  if (file !== undefined) writeFileSync(join(root, file), ran.out)
  return ran
}

// What needs what a test has not: the network, and files of the reader's own.
const NEEDS_NETWORK = 'hone models add '

describe('the examples of --help', () => {
  it('are there for every command', () => {
    expect(commands().length).toBeGreaterThanOrEqual(10)
    for (const name of commands()) expect(examplesOf([name]), name).not.toEqual([])
    expect(examplesOf(['models', 'add'])).not.toEqual([])
  })

  it('work as printed', async () => {
    const examples = commands().flatMap((name) => examplesOf([name]))
    for (const example of examples.filter((one) => one !== 'hone mcp' && one !== 'hone clean')) {
      const { code, err, out } = run(example)
      const isExplained = example.startsWith('hone explain') && code === 1 // why it is not in the answer
      expect([example, isExplained ? 0 : code, out === ''], err).toEqual([example, 0, false])
    }
    const server = startHone(['mcp'], { cwd: root })
    server.stdin?.end() // a client that is gone at once
    expect((await ended(server)).code).toBe(0)
    expect(run('hone clean').out).toContain('removed')
  })

  it('that need the network fail with what to do, where there is none', () => {
    for (const example of examplesOf(['models', 'add']).filter((one) => one.startsWith(NEEDS_NETWORK))) {
      const { code, err } = run(example)
      expect(code === 2 || code === 4, err).toBe(true)
      expect(err).toMatch(/hone: .*(--from|missing)/)
    }
  })
})
