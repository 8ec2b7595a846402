/** The programs of examples/, run as their README says. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from '../helpers/command.js'

const FOLDER = join(import.meta.dirname, '../../examples')
const programs = readdirSync(FOLDER).filter((name) => name.endsWith('.js') && name !== 'fixture.js')

/** What each must show, besides ending well. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  'agent-as-judge.js': /src\/notify\/webhooks\.ts[^]*files judged/,
  'one-cycle-a-time.js': /first cycle: .*src\/notify[^]*after judging: .* 0\.9999/,
  'custom-signal.js': /src\/notify\/webhooks\.ts \(0\.7 for owned-by-us\)/,
  'custom-embedder.js':
    /encoder letter-triples, 512 dimensions\n0\.\d\d src\/notify[^]*without it: INDEX_ENCODER/,
  'related-to-change.js': /tests\/throttle\.spec\.ts/,
}

describe('examples', () => {
  it('are all told about in their README, and tested', () => {
    const told = [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+\.js)`/gm)]
    expect(told.map(([, name]) => name).sort()).toEqual([...programs].sort())
    expect(Object.keys(SHOWS).sort()).toEqual([...programs].sort())
  })

  it.each(programs)('%s runs', (name) => {
    command() // built
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(FOLDER, name)], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(SHOWS[name] ?? /^$/)
  })
})
