/** A native module that does not load is a message with the next step, not a crash and not a worse index. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakPackage, copiedCommand } from '../helpers/copied-command.js'

describe('a native module that does not load', () => {
  const homes: string[] = []
  let sample = ''

  const hone = (home: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(home, 'dist/cli/main.cjs'), ...args], { encoding: 'utf8', cwd: sample })
  const home = (): string => {
    homes.push(copiedCommand())
    return homes.at(-1) ?? ''
  }

  beforeAll(() => {
    const whole = home()
    sample = join(whole, 'sample')
    mkdirSync(sample)
    writeFileSync(join(sample, 'token.ts'), 'export function signToken() {}\n')
    expect(hone(whole, 'index', '.').status).toBe(0)
  })
  afterAll(() => {
    for (const folder of homes) rmSync(folder, { recursive: true, force: true })
  })

  it.each(['better-sqlite3', 'tree-sitter'])('%s: exit 4 with the command that mends it', (name) => {
    const broken = home()
    breakPackage(broken, name)
    for (const jobs of ['0', '2']) {
      const { status, stdout, stderr } = hone(broken, 'index', '.', '--rebuild', '--jobs', jobs)
      expect({ status, stdout }, stderr).toEqual({ status: 4, stdout: '' })
      expect(stderr).toContain(`npm rebuild ${name}`)
    }
  })

  it('tree-sitter is not needed by a query that reads no file anew', () => {
    const broken = home()
    breakPackage(broken, 'tree-sitter')
    expect(hone(broken, 'query', 'sign a token', '--format', 'paths', '--no-refresh').stdout).toBe(
      'token.ts\n',
    )
  })

  it('hnswlib-node is optional: the same answer without it', () => {
    const broken = home()
    breakPackage(broken, 'hnswlib-node')
    expect(hone(broken, 'index', '.', '--rebuild').status).toBe(0)
    expect(hone(broken, 'query', 'sign a token', '--format', 'paths').stdout).toBe('token.ts\n')
  })

  it('a grammar that does not load leaves its language to be cut by lines', () => {
    const broken = home()
    breakPackage(broken, 'tree-sitter-typescript')
    expect(hone(broken, 'index', '.', '--rebuild').status).toBe(0)
    expect(hone(broken, 'query', 'sign a token', '--format', 'paths').stdout).toBe('token.ts\n')
  })
})
