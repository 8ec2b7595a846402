/** What is said where a compiled module does not load: in Node's own words for each case, and with a real one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { messageOf } from '../src/errors.js'
import { nativeFault } from '../src/native-fault.js'

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'hone-native-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** What loading throws. */
function failureOf(load: () => unknown): unknown {
  try {
    load()
  } catch (error) {
    return error
  }
  throw new Error('it loads')
}

/**
 * The module as it would be for a Node of another version: the one number in it that says which. Undefined where that
 * is not found.
 */
function ofAnotherNode(): string | undefined {
  const own = join(
    dirname(require.resolve('better-sqlite3/package.json')),
    'build/Release/better_sqlite3.node',
  )
  const version = Number(process.versions.modules)
  const bytes = Buffer.from(
    readFileSync(own, 'latin1').replaceAll(
      `node_register_module_v${version}`,
      `node_register_module_v${version + 12}`,
    ),
    'latin1',
  )
  const record = Buffer.alloc(16)
  record.writeInt32LE(version)
  const at = bytes.lastIndexOf(record)
  if (at < 0 || at % 8 > 0) return undefined
  bytes.writeInt32LE(version + 12, at)
  const path = join(folder, 'other.node')
  writeFileSync(path, bytes)
  return path
}

describe('a module that does not load', () => {
  it('because it was compiled for another Node: both versions are named', ({ skip }) => {
    const path = ofAnotherNode()
    if (path === undefined) skip('the version is not found in this build')
    const { code, message } = nativeFault(
      'better-sqlite3',
      failureOf(() => require(path ?? '')),
    )
    expect(code).toBe('NATIVE_MODULE')
    const version = Number(process.versions.modules)
    expect(message).toContain('better-sqlite3 was compiled for another Node')
    expect(message).toContain(`is ${version + 12}`)
    expect(message).toContain(`is ${version})`)
    expect(message).toContain('run: npm rebuild better-sqlite3')
  })

  it('because its compiled part is not there: so it says, and what a rebuild needs', () => {
    const { message } = nativeFault(
      'better-sqlite3',
      failureOf(() => require(join(folder, 'none.node'))),
    )
    expect(message).toMatch(/compiled part of better-sqlite3 is missing.*--ignore-scripts/)
    expect(message).toMatch(/run: npm rebuild better-sqlite3 .*C\+\+ compiler/)
  })

  it('because the package is not there: to be installed, not rebuilt', () => {
    const { message } = nativeFault(
      'no-such-package',
      failureOf(() => require('no-such-package')),
    )
    expect(message).toMatch(/^no-such-package is not installed; run: npm install/)
  })

  it('for any other reason: what Node says, in one line', () => {
    const path = join(folder, 'garbage.node')
    writeFileSync(path, 'no library')
    const error = failureOf(() => require(path))
    const { message } = nativeFault('tree-sitter', error)
    expect(message).toContain(messageOf(error).split('\n')[0])
    expect(message.split('\n')).toHaveLength(1)
  })
})
