/**
 * Checks on whole checkouts that every line of every file that is taken in lies in exactly one chunk, and that every
 * file that is not has a reason; prints a table. Exits with 1 at the first fault.
 *
 * usage: node scripts/check-lines.js [--hone DIST] FOLDER...
 */
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: args, positionals: folders } = parseArgs({
  options: { hone: { type: 'string', default: 'dist' } },
  allowPositionals: true,
})
const load = (path) => import(pathToFileURL(join(process.cwd(), args.hone, path)).href)
const { walk } = await load('walk/walk.js')
const { readSource } = await load('walk/read-source.js')
const { createChunker } = await load('chunk/chunk-file.js')
const { languageOf } = await load('chunk/language.js')
const MAX_FILE_BYTES = 1_000_000
const chunker = await createChunker()

/** The fault of one file's chunks, or undefined. */
function faultIn({ chunks }, { text, lines }) {
  let next = 1
  for (const { startLine, endLine } of chunks) {
    if (startLine !== next || endLine < startLine)
      return `chunk ${startLine}-${endLine} after line ${next - 1}`
    next = endLine + 1
  }
  if (next !== lines + 1) return `chunks end at line ${next - 1} of ${lines}`
  return chunks.map((chunk) => chunk.text).join('') === text
    ? undefined
    : 'the chunks do not add up to the text'
}

async function check(root) {
  const { files, skipped } = await walk({ root, include: [], exclude: [], maxFileBytes: MAX_FILE_BYTES })
  const seen = { files: 0, lines: 0, chunks: 0, symbols: 0, fallbacks: 0, skipped: skipped.length }
  for (const file of files) {
    const read = readSource(file, MAX_FILE_BYTES)
    if (read.kind === 'skip') {
      seen.skipped++
      continue
    }
    await chunker.prepare(languageOf(file.path, read.source.text))
    const chunked = chunker.chunk(file.path, read.source.text)
    const fault = faultIn(chunked, read.source)
    if (fault !== undefined) {
      console.error(`${file.absolutePath}: ${fault}`)
      process.exit(1)
    }
    seen.files++
    seen.lines += read.source.lines
    seen.chunks += chunked.chunks.length
    seen.symbols += chunked.symbols.length
    if (chunked.fallback !== undefined) seen.fallbacks++
  }
  return seen
}

console.log(
  '| folder | files | lines | chunks | symbols | by lines for want of a grammar | skipped with a reason |',
)
console.log('|---|---|---|---|---|---|---|')
const total = {}
for (const folder of folders) {
  const seen = await check(folder)
  console.log(`| ${basename(folder)} | ${Object.values(seen).join(' | ')} |`)
  for (const [name, count] of Object.entries(seen)) total[name] = (total[name] ?? 0) + count
}
console.log(`| all ${folders.length} | ${Object.values(total).join(' | ')} |`)
