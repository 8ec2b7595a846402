/** The folder that an example asks: the one named on the command line, else a copy of a small repository of the tests. */
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function folderToAsk() {
  const [, , given] = process.argv
  if (given !== undefined) return given
  const copy = join(mkdtempSync(join(tmpdir(), 'hone-example-')), 'parcel-api')
  cpSync(fileURLToPath(new URL('../test/fixtures/repos/parcel-api', import.meta.url)), copy, {
    recursive: true,
  })
  return copy
}
