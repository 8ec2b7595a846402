/**
 * A monorepo of real files: whole repositories side by side, one a package, until there are as many files as asked for.
 * So words, names and lengths are as skewed as they are in code that people wrote; a smaller one is part of a larger one.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { languageOf } from '../../src/chunk/language.js'
import { seeded } from '../torture/random.js'

const ORDER_SEED = 8
// Smaller ones are stubs and fixtures, of which some repositories have thousands ...
const MIN_FILE_BYTES = 400
// ... and no repository makes up most of a small monorepo.
const MOST_FILES = 1000

export interface MonorepoOptions {
  /** A folder of git repositories, bare or not, one level deep or two (OWNER+NAME/repo). */
  readonly from: string
  readonly files: number
  /** Larger ones are left out: with 6,000 a file has about three chunks, as in a monorepo of small modules. */
  readonly maxFileBytes: number
  /** Of one repository. Default 1,000. */
  readonly mostFiles?: number
}

interface Blob {
  readonly oid: string
  readonly path: string
}

/** Writes the files into `root`; returns their bytes. Throws where the repositories do not hold as many. */
export async function writeMonorepo(
  root: string,
  { from, files, maxFileBytes, mostFiles = MOST_FILES }: MonorepoOptions,
): Promise<number> {
  let [bytes, left] = [0, files]
  for (const { name, git } of shuffled(repositoriesIn(from))) {
    const blobs = sourceFiles(git, maxFileBytes).slice(0, Math.min(left, mostFiles))
    bytes += await writeBlobs(git, blobs, join(root, name))
    left -= blobs.length
    if (left === 0) return bytes
  }
  throw new Error(`the repositories of ${from} hold ${files - left} files of at most ${maxFileBytes} bytes`)
}

function repositoriesIn(from: string): { readonly name: string; readonly git: string }[] {
  return readdirSync(from)
    .sort()
    .flatMap((name) =>
      [join(name, 'repo'), join(name, '.git'), name]
        .map((path) => join(from, path))
        .filter((git) => existsSync(join(git, 'HEAD')))
        .slice(0, 1)
        .map((git) => ({ name, git })),
    )
}

/** In an order that has nothing to do with names, and is always the same. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const random = seeded(ORDER_SEED)
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function sourceFiles(git: string, maxFileBytes: number): readonly Blob[] {
  const list = spawnSync('git', ['-C', git, 'ls-tree', '-r', '-l', '-z', 'HEAD'], { maxBuffer: 1 << 28 })
  const entries = list.stdout.toString('utf8').split('\0')
  return entries.flatMap((entry) => {
    const [, mode, oid = '', size, path = ''] = /^(\d+) blob (\w+) +(\d+)\t([^]+)$/.exec(entry) ?? []
    const isSource = mode?.startsWith('100') === true && languageOf(path, '') !== 'text'
    return isSource && Number(size) >= MIN_FILE_BYTES && Number(size) <= maxFileBytes ? [{ oid, path }] : []
  })
}

async function writeBlobs(git: string, blobs: readonly Blob[], folder: string): Promise<number> {
  const output = await contentsOf(git, blobs)
  let [at, bytes] = [0, 0]
  for (const { path } of blobs) {
    const end = output.indexOf(10, at) // "OID blob SIZE\n", the content, "\n"
    const size = Number(output.subarray(at, end).toString('latin1').split(' ')[2])
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, output.subarray(end + 1, end + 1 + size))
    bytes += size
    at = end + 1 + size + 1
  }
  return bytes
}

function contentsOf(git: string, blobs: readonly Blob[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const batch = spawn('git', ['-C', git, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const parts: Buffer[] = []
    batch.stdout.on('data', (part: Buffer) => parts.push(part))
    batch.on('error', reject)
    batch.on('close', () => {
      resolve(Buffer.concat(parts))
    })
    batch.stdin.end(blobs.map(({ oid }) => `${oid}\n`).join(''))
  })
}
