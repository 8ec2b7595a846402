/** Importing the library: it does nothing, and brings along only what is used. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { command } from '../helpers/command.js'

const ENTRY = join(import.meta.dirname, '../../dist/index.js')

interface Traced {
  readonly exported: readonly string[]
  readonly calls: readonly string[]
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

function traced(module: string): Traced {
  const tracer = join(import.meta.dirname, 'import-traced.js')
  const { stdout, stderr } = spawnSync(process.execPath, [tracer, module], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Traced
}

describe('importing the library', () => {
  it('opens no file but modules, loads nothing native, starts nothing and leaves no trace', () => {
    command() // built
    const { exported, calls, before, after } = traced(pathToFileURL(ENTRY).href)
    expect(exported).toEqual(expect.arrayContaining(['buildIndex', 'openIndex', 'HoneError']))
    expect(after).toEqual(before)
    // Node's own loader resolves and reads modules; looking whether a folder is there opens nothing.
    const loading =
      /^fs\.(?:realpathSync|readFileSync|openSync|statSync|lstatSync|internalModuleStat) .*\.(?:c?js|json)$/
    expect(calls.filter((call) => !loading.test(call) && !call.startsWith('fs.existsSync'))).toEqual([])
  })

  it('is traced by something that sees what it must not do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hone-entry-'))
    const module = join(folder, 'busy.mjs')
    writeFileSync(
      module,
      "import { readdirSync } from 'node:fs'\nimport { spawn } from 'node:child_process'\nreaddirSync('.')\nspawn('true').unref()\nglobalThis.mine = 1\n",
    )
    const { calls, before, after } = traced(pathToFileURL(module).href)
    expect(calls).toEqual(expect.arrayContaining(['fs.readdirSync .', 'childProcess.spawn true']))
    expect(after).not.toEqual(before)
    rmSync(folder, { recursive: true })
  })

  it('brings into a bundle only what is used', async () => {
    command()
    const folder = mkdtempSync(join(tmpdir(), 'hone-entry-'))
    const input = join(folder, 'main.js')
    writeFileSync(input, `import { tokensOf } from ${JSON.stringify(ENTRY)}\nconsole.log(tokensOf('a'))\n`)
    const bundle = await rolldown({ input, platform: 'node', external: [/^[^./]/], logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'esm' })
    const [main, ...others] = output
    expect(others).toEqual([])
    expect(main.code).toContain('tokensOf')
    expect(main.imports).toEqual([])
    expect(main.code.length).toBeLessThan(10_000)
    await bundle.close()
    rmSync(folder, { recursive: true })
  })
})
