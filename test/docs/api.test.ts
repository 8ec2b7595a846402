/** docs/api is what the types say. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

describe('docs/api', () => {
  it('is what `npm run api` writes today', { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'hone-api-'))
    const file = join(folder, 'README.md')
    execFileSync(process.execPath, [join(ROOT, 'scripts/api-reference.js'), file], { cwd: ROOT })
    expect(readFileSync(join(ROOT, 'docs/api/README.md'), 'utf8')).toBe(readFileSync(file, 'utf8'))
    rmSync(folder, { recursive: true })
  })
})
