/** The cache of compiled code beside the command makes it start sooner and never changes what it says. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { giveToOrdinaryUser, withoutTimes } from '../helpers/command.js'
import { copiedCommand } from '../helpers/copied-command.js'

const TASK = ['query', 'sign a token', '--format', 'json', '--min-relevance', '0']

describe('the code cache', () => {
  const home = copiedCommand()
  const cli = join(home, 'dist/cli')
  const cache = join(cli, 'code-cache')
  let expected = ''

  const run = (args: readonly string[], user: object = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(cli, 'main.cjs'), ...args], {
      encoding: 'utf8',
      cwd: join(home, 'sample'),
      ...user,
    })
    return { code: status, out: withoutTimes(stdout), err: stderr }
  }
  const cached = (): readonly string[] => readdirSync(cache).map((file) => join(cache, file))

  const contents = (): readonly string[] => cached().map((file) => readFileSync(file, 'base64'))

  beforeAll(() => {
    mkdirSync(join(home, 'sample'))
    writeFileSync(
      join(home, 'sample/token.ts'),
      'export function signToken(user: string) {\n  return user\n}\n',
    )
    expect(run(['index', '.'])).toMatchObject({ code: 0, err: '' })
    expected = run(TASK).out
    expect(expected).toContain('"token.ts"')
  })
  beforeEach(() => {
    rmSync(cache, { recursive: true, force: true })
    run(TASK)
  })
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })

  it('is written by the first query, and by nothing else', () => {
    expect(cached().length).toBeGreaterThan(0)
    rmSync(cache, { recursive: true })
    for (const args of [['--version'], ['status'], ['index', '.']]) run(args)
    expect(readdirSync(cli)).not.toContain('code-cache')
  })

  it('does not change the answer, and is not written again', () => {
    const before = contents()
    expect(run(TASK)).toEqual({ code: 0, out: expected, err: '' })
    expect(contents().join() === before.join()).toBe(true)
  })

  it.each([
    [
      'cut short',
      (file: string) => {
        truncateSync(file, 20_000)
      },
    ],
    [
      'empty',
      (file: string) => {
        truncateSync(file, 0)
      },
    ],
    [
      'not ours',
      (file: string) => {
        writeFileSync(file, 'x'.repeat(90_000))
      },
    ],
    [
      'overwritten in the middle',
      (file: string) => {
        const content = readFileSync(file)
        const middle = content.length >> 1
        content.fill(0xff, middle, Math.min(content.length, middle + 3_000))
        writeFileSync(file, content)
      },
    ],
  ])('is made anew when it is %s', (_, damage) => {
    for (const file of cached()) damage(file)
    const damaged = contents()
    expect(run(TASK)).toEqual({ code: 0, out: expected, err: '' })
    const mended = contents()
    mended.forEach((content, i) => {
      expect(content === damaged[i]).toBe(false)
    })
    expect(run(TASK)).toEqual({ code: 0, out: expected, err: '' })
    expect(contents().join() === mended.join()).toBe(true)
  })

  it('of other code is not used', () => {
    const bundle = join(cli, 'hone.cjs')
    const code = readFileSync(bundle, 'utf8')
    const changed = code.replaceAll('the task is empty', 'the tusk is empty') // the length is all that V8 compares
    expect(changed).not.toBe(code)
    writeFileSync(bundle, changed)
    try {
      expect(run(['query', ' ']).err).toContain('the tusk is empty')
    } finally {
      writeFileSync(bundle, code)
    }
  })

  it('that cannot be written is done without', () => {
    rmSync(cache, { recursive: true })
    giveToOrdinaryUser(join(home, 'sample'))
    chmodSync(home, 0o755)
    chmodSync(cli, 0o555)
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    expect(run(TASK, nobody)).toEqual({ code: 0, out: expected, err: '' })
    expect(readdirSync(cli)).not.toContain('code-cache')
    chmodSync(cli, 0o755)
  })
})
