/** What no sound client sends: `npm run fuzz-mcp` sends a thousand of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from '../helpers/command.js'
import { hostileLines } from '../helpers/hostile-requests.js'
import { speak } from '../helpers/mcp-process.js'
import { sampleOfCommand } from '../helpers/indexed-sample.js'

const sample = sampleOfCommand()

describe('hone mcp', () => {
  it('answers 300 hostile requests with a proper error each, and ends in good order', async () => {
    const { faults, code, stderr } = await speak([command(), 'mcp', sample.root], hostileLines(300, 1))
    expect(faults).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('keeps its standard output clean of what a native library prints', async () => {
    const noise = join(sample.root, 'noise.cjs')
    // After each native module that is loaded: bytes on descriptor 1, past everything that JavaScript could catch.
    writeFileSync(
      noise,
      `const { writeSync } = require('node:fs')
       const open = process.dlopen
       process.dlopen = (...args) => { open.apply(process, args); writeSync(1, 'native noise\\n'); console.log('noise') }`,
    )
    const lines = hostileLines(20, 2)
    const { faults, code, stderr } = await speak(['--require', noise, command(), 'mcp', sample.root], lines)
    expect(faults).toEqual([])
    expect(code).toBe(0)
    expect(stderr).toContain('native noise')
  })

  it('refuses a line without end and goes on', async () => {
    const endless = {
      bytes: Buffer.from(`${'x'.repeat(11_000_000)}\n`),
      expected: { kind: 'refusal' } as const,
    }
    expect(await speak([command(), 'mcp', sample.root], [endless])).toMatchObject({ faults: [], code: 0 })
  })
})
