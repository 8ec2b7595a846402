/**
 * Loads the bundled command with V8's code cache: of the time until a query is answered, compiling JavaScript is the
 * largest part that can be saved (docs/decisions/0005-bundled-command.md). The cache lies beside the code it belongs
 * to and is trusted like it; where the package cannot be written to, the command works without one.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import * as zlib from 'node:zlib'

interface Loaded {
  readonly file: string
  readonly script: Script
  readonly key: string
  /** Whether a cache was found that V8 took. */
  readonly isCached: boolean
}

type ModuleFunction = (
  exports: unknown,
  require: (id: string) => unknown,
  module: Module,
  filename: string,
  folder: string,
) => void

// The cache holds the functions that the run before it compiled, so it is written by a command worth remembering.
const REMEMBERED_COMMAND = 'query'

/**
 * Runs a CommonJS bundle, and the files beside it that it requires at once. What it requires later is left to Node:
 * such files may `import()`, which code compiled here cannot.
 */
export function runWithCodeCache(file: string): void {
  const loaded: Loaded[] = []
  let isStarting = true
  const load = (path: string): unknown => {
    const require = createRequire(path)
    const known = require.cache[path]
    if (known !== undefined) return known.exports
    const module = new Module(path)
    module.filename = path
    require.cache[path] = module // so that a file that Node loads meets this one, not a second
    const compiled = compile(path)
    loaded.push(compiled)
    const run = compiled.script.runInThisContext() as ModuleFunction
    const requireHere = (id: string): unknown =>
      isStarting && id.startsWith('./') ? load(join(dirname(path), id)) : require(id)
    run(module.exports, requireHere, module, path, dirname(path))
    module.loaded = true
    return module.exports
  }
  load(file)
  isStarting = false
  if (process.argv[2] === REMEMBERED_COMMAND) {
    process.once('exit', () => {
      for (const one of loaded) if (!one.isCached) writeCache(one)
    })
  }
}

function compile(file: string): Loaded {
  const source = readFileSync(file, 'utf8')
  const key = keyOf(file)
  const cachedData = readCache(file, key)
  const script = new Script(Module.wrap(source), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  return { file, script, key, isCached: cachedData !== undefined && script.cachedDataRejected === false }
}

/** What a cache must have been made from; V8 itself checks its version and flags, of the source only the length. */
function keyOf(file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${process.version} ${process.arch} ${size} ${mtimeMs}`
}

function cachePath(file: string): string {
  return join(dirname(file), 'code-cache', `${basename(file)}.${process.version}-${process.arch}`)
}

/** V8 runs what it is given: damage has to be found before. Throws in Node before 20.15, which has no crc32. */
function headerOf(key: string, data: Buffer): string {
  return `${key} ${zlib.crc32(data)}`
}

/** The cache of a file, or undefined: none yet, of other code, or damaged. */
function readCache(file: string, key: string): Buffer | undefined {
  try {
    const content = readFileSync(cachePath(file))
    const header = content.subarray(0, content.indexOf('\n')).toString()
    const data = content.subarray(header.length + 1)
    return header === headerOf(key, data) ? data : undefined
  } catch {
    return undefined
  }
}

function writeCache({ file, script, key }: Loaded): void {
  try {
    const data = script.createCachedData()
    const path = cachePath(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, Buffer.concat([Buffer.from(`${headerOf(key, data)}\n`), data]))
    renameSync(`${path}.${process.pid}`, path)
  } catch {
    // A package that this user cannot write to: the next run compiles again.
  }
}
