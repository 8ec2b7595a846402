/**
 * Checks on whole checkouts that what is indexed and what is skipped with a reason together are what git lists (tracked,
 * and untracked but not ignored) and the disk holds; prints a table. Exits with 1 at the first difference.
 *
 * usage: node scripts/check-walk.js [--hone DIST] FOLDER...
 */
import { execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
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
const MAX_FILE_BYTES = 1_000_000
const MAX_LISTING_BYTES = 1_000_000_000

function listedByGit(root) {
  const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', command, { cwd: root, maxBuffer: MAX_LISTING_BYTES })
    .toString()
    .split('\0')
  return new Set(names.filter((name) => name !== '' && isOnDisk(join(root, name))))
}

/** Not through a link in the place of a folder: such an entry is the link's, not git's. */
function isOnDisk(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

async function check(root) {
  const expected = listedByGit(root)
  const { files, skipped } = await walk({ root, include: [], exclude: [], maxFileBytes: MAX_FILE_BYTES })
  const reasons = new Map()
  const count = (reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const file of files) {
    const read = readSource(file, MAX_FILE_BYTES)
    if (read.kind === 'skip') count(read.skip.reason)
  }
  const visible = skipped.filter(({ reason }) => reason !== 'ignored')
  for (const { reason } of visible) count(reason)
  const seen = new Set([...files, ...visible].map(({ path }) => path.replace(/\/$/, '')))
  const missing = [...expected].find((path) => !seen.has(path.replace(/\/$/, '')))
  const extra = [...seen].find((path) => !expected.has(path) && !expected.has(`${path}/`))
  const why = [...reasons].sort().map(([reason, times]) => `${times} ${reason}`)
  return { missing, extra, listed: expected.size, files: seen.size, why: why.join(', ') }
}

console.log('| checkout | git lists and disk holds | indexed or skipped | of these skipped |')
console.log('|---|---|---|---|')
for (const folder of folders) {
  const { missing, extra, listed, files, why } = await check(folder)
  console.log(`| ${basename(folder)} | ${listed} | ${files} | ${why} |`)
  if (missing === undefined && extra === undefined) continue
  console.error(
    missing === undefined ? `${folder}: not listed by git: ${extra}` : `${folder}: lost: ${missing}`,
  )
  process.exit(1)
}
