/**
 * Makes a folder of what breaks indexers, indexes it, and says how long it took, how much memory at most, and what was
 * reported of each thing. Exits with 1 when a file is lost without a reason or memory is over the bound.
 *
 * usage: node scripts/hostile-folder.js [--hone DIST/cli/main.cjs] [--tiny 100000] [--keep]
 *
 * Linux: peak memory is read from /proc. As root, the unreadable file is readable; it is then indexed.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: args } = parseArgs({
  options: {
    hone: { type: 'string', default: 'dist/cli/main.cjs' },
    tiny: { type: 'string', default: '100000' },
    keep: { type: 'boolean', default: false },
  },
})
const MAX_PEAK_MB = 1500
const MAIN = resolve(args.hone)
const root = mkdtempSync(join(tmpdir(), 'hone-hostile-'))
const put = (path, content) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

/** 200 MB of lines. */
function hugeText() {
  const block = Buffer.from('2026-01-01 00:00:00 INFO request handled in 12 ms\n'.repeat(20_000))
  const file = openSync(join(root, 'huge.log.txt'), 'w')
  for (let written = 0; written < 200_000_000; written += block.length) writeSync(file, block)
}

function odd() {
  put('one-line.json', `[${'{"a":1,"b":"xxxxxxxxxxxxxxxx"},'.repeat(310_000)}{}]`)
  put('under-the-limit.json', `{"rows":[${'1234567,'.repeat(120_000)}1]}`)
  put('bundle.js', `${'function a(b){return b+1};'.repeat(30_000)}\n`)
  put('nested.ts', `${'{\n'.repeat(40_000)}${'}\n'.repeat(40_000)}`)
  put('brackets.py', `x = ${'['.repeat(200_000)}`)
  put('deep.json', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
  put(`${'d/'.repeat(1500)}deep.ts`, 'export const deep = 1\n')
  put(`${'long-name-of-a-folder/'.repeat(10)}${'n'.repeat(240)}.ts`, 'export const long = 1\n')
  put('Case.ts', 'export const upper = 1\n')
  put('case.ts', 'export const lower = 1\n')
  put('with space "quoted"\nbroken.ts', 'export const odd = 1\n')
  put('empty.ts', '')
  put('nul.dat', Buffer.alloc(100_000))
  put('.env', 'PASSWORD=hunter2\n')
  put('wide.cs', Buffer.from('\uFEFFclass Wide {}\r\n', 'utf16le'))
  put('broken.ts', Buffer.from([0x63, 0x6f, 0xff, 0xfe, 0xfd, 0x0a]))
  put('cr.ts', 'const a = 1\rfunction second() {}\r')
  writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.ts')]), 'x')
  symlinkSync('..', join(root, 'loop'))
  symlinkSync('/dev/zero', join(root, 'device'))
  symlinkSync('/etc', join(root, 'outside'))
  execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'd', '.gitignore')])
  put('locked.ts', 'export const locked = 1\n')
  chmodSync(join(root, 'locked.ts'), 0)
}

function tinyFiles(count) {
  for (let n = 0; n < count; n++) {
    const folder = join(root, 'tiny', String(n % 500))
    if (n < 500) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `f${n}.ts`), `export const value${n} = ${n}\n`)
  }
}

/** A file that grows and one that comes and goes, for as long as the index runs. */
function unrest() {
  let tick = 0
  const timer = setInterval(() => {
    put('changing.ts', `export const now = ${tick}\n`.repeat((tick % 50) + 1))
    if (tick++ % 2 === 0) put('tiny/0/flicker.ts', 'export const flicker = 1\n')
    else rmSync(join(root, 'tiny/0/flicker.ts'), { force: true })
  }, 5)
  return () => clearInterval(timer)
}

const peakMb = (pid) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function run(commandArgs) {
  return new Promise((done) => {
    const started = Date.now()
    const child = spawn(process.execPath, [MAIN, ...commandArgs], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    let peak = 0
    child.stdout.on('data', (piece) => (out += piece))
    child.stderr.on('data', (piece) => (err += piece))
    const timer = setInterval(() => (peak = Math.max(peak, peakMb(child.pid))), 50)
    child.on('close', (code) => {
      clearInterval(timer)
      done({ code, out, err, peak, seconds: (Date.now() - started) / 1000 })
    })
  })
}

const faults = []
async function indexed(title) {
  const calm = unrest()
  const { code, out, err, peak, seconds } = await run(['index', root])
  calm()
  console.log(
    `${title}: exit ${code}, ${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MB\n  ${(out || err).trim().split('\n').at(-1)}`,
  )
  if (code !== 0 && code !== 5) faults.push(`${title}: exit ${code}: ${err.slice(-500)}`)
  if (peak > MAX_PEAK_MB) faults.push(`${title}: ${peak.toFixed(0)} MB > ${MAX_PEAK_MB} MB`)
  const status = JSON.parse((await run(['status', root, '--json', '--files'])).out)
  return { paths: new Set(status.paths), skips: status.skippedFiles }
}

hugeText()
odd()
tinyFiles(Number(args.tiny))
const server = createServer().listen(join(root, 'socket'))

const inFolder = await indexed('a folder')
const reported = inFolder.skips.filter(({ path }) => !path.startsWith('tiny/'))
for (const { path, reason, detail } of reported)
  console.log(`  ${reason} ${JSON.stringify(path.slice(0, 60))} ${detail ?? ''}`)
for (const path of [
  'huge.log.txt',
  'one-line.json',
  'bundle.js',
  'nul.dat',
  '.env',
  'loop',
  'device',
  'outside',
  'pipe',
  'socket',
])
  if (!reported.some((skip) => skip.path === path)) faults.push(`${path} is not reported`)
for (const path of [
  'Case.ts',
  'case.ts',
  'wide.cs',
  'broken.ts',
  'cr.ts',
  'empty.ts',
  `${'d/'.repeat(1500)}deep.ts`,
])
  if (!inFolder.paths.has(path)) faults.push(`${path.slice(-40)} is not indexed`)

execFileSync('git', ['init', '-q'], { cwd: root })
const inGit = await indexed('the same as a git repository')
const lost = [...inFolder.paths].filter((path) => !inGit.paths.has(path) && !/flicker|changing/.test(path))
if (lost.length > 0) faults.push(`${lost.length} files lost in the repository, e.g. ${lost[0].slice(0, 80)}`)

server.close()
if (!args.keep) rmSync(root, { recursive: true, force: true })
for (const fault of faults) console.error(`FAULT ${fault}`)
process.exit(faults.length > 0 ? 1 : 0)
