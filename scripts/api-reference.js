/**
 * Writes the reference of the library, docs/api/README.md, from the types and comments of src/index.ts.
 * usage: npm run api [FILE, default docs/api/README.md]     (test/docs/api.test.ts holds it up to date)
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { Application } from 'typedoc'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = process.argv[2] ?? join(root, 'docs/api/README.md')
const folder = mkdtempSync(join(tmpdir(), 'hone-api-'))
try {
  const app = await Application.bootstrapWithPlugins({
    options: join(root, 'typedoc.json'),
    out: folder,
    cleanOutputDir: false,
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('the types could not be read')
  // Not generateOutputs: it also writes to its own idea of a folder, docs/, after emptying it.
  await app.outputs.writeOutput({ name: 'markdown', path: folder }, project)
  const text = `<!-- Made by scripts/api-reference.js from src/index.ts; do not edit. -->\n\n${readFileSync(join(folder, 'README.md'), 'utf8')}`
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, await format(text, { parser: 'markdown', printWidth: 110 }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
