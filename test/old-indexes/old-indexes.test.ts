/**
 * An index of every format there was, as the hone of its time left it, made of the sample files (test/spine/sample.ts)
 * with `--exclude src/table.ts`. A new format adds a file: see CONTRIBUTING.md.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FEATURE_VERSION, FORMAT_VERSION } from '../../src/store/schema.js'
import { hone } from '../helpers/command.js'
import { SAMPLE } from '../spine/sample.js'
import { tree } from '../walk/temp-tree.js'

const kept = readdirSync(import.meta.dirname).flatMap((file) => /^format-(.+)\.db\.gz$/.exec(file)?.[1] ?? [])
const now = `${FORMAT_VERSION}.${FEATURE_VERSION}`

function rootWith(format: string): string {
  const root = tree(SAMPLE)
  mkdirSync(join(root, '.hone'))
  const database = gunzipSync(readFileSync(join(import.meta.dirname, `format-${format}.db.gz`)))
  writeFileSync(join(root, '.hone', 'index-1.db'), database)
  writeFileSync(join(root, '.hone', 'current'), 'index-1.db\n')
  return root
}

const ask = ['query', 'sign a token', '--format', 'paths', '--repo']

describe('an index of format', () => {
  it('today is kept here too', () => {
    expect(kept).toContain(now)
  })

  it.each(kept.filter((format) => format !== now))(
    '%s: what it is and what to run is said, and that mends it',
    (format) => {
      const root = rootWith(format)
      const refused = hone([...ask, root])
      expect(refused).toMatchObject({ code: 4, out: '' })
      expect(refused.err).toContain(`has format ${format}, this hone reads ${now}; run: hone index ${root}\n`)
      expect(hone(['index', root]).out).toMatch(/^4 files/) // with the settings of then
      expect(hone([...ask, root]).out).toMatch(/^src\/token\.ts\n/)
    },
  )

  it('today is read as it is', () => {
    const root = rootWith(now)
    const asked = hone([...ask, root, '--no-refresh', '--no-build'])
    expect(asked.code, asked.err).toBe(0)
    expect(asked.out).toMatch(/^src\/token\.ts\n/)
  })
})
