/**
 * Where an index lives on disk: a folder with numbered database files and one small file that names the current one.
 * A full build writes the next number and then moves the pointer in one step, so a reader never sees half an index.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { HoneError, messageOf, systemCode } from '../errors.js'
import { removeGraph } from './graph-file.js'
import { writeWhole } from './kept-settings.js'
import { mendCommand } from './mend.js'
import { removeVectorCache } from './vector-cache.js'

const POINTER = 'current'
const DATABASE = /^index-(\d+)\.db$/
/** Small files that a killed process was about to move into place. */
const PENDING = /^(current|settings\.json)\.\d+$/

/** Path of the database in use, or undefined when there is no index. Throws INDEX_CORRUPT for a damaged pointer. */
export function currentDatabase(folder: string): string | undefined {
  let name = pointedAt(folder)
  while (name !== undefined) {
    if (DATABASE.test(name) && existsSync(join(folder, name))) return join(folder, name)
    // A full build moves the pointer, then removes the old database: who read the pointer just before looks again.
    const now = pointedAt(folder)
    if (now === name) {
      throw new HoneError(
        'INDEX_CORRUPT',
        `the index in ${folder} is damaged (no file "${name.slice(0, 40)}"); run: ${mendCommand(folder)}`,
      )
    }
    name = now
  }
  return undefined
}

/** Whether an index was ever complete here, sound or not. */
export function hasPointer(folder: string): boolean {
  return existsSync(join(folder, POINTER))
}

/** What the pointer says, or undefined where there is none. */
function pointedAt(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, POINTER), 'utf8').trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined
    throw new HoneError(
      'INDEX_CORRUPT',
      `cannot read ${join(folder, POINTER)}: ${messageOf(error)}; remove it and run: ${mendCommand(folder)}`,
    )
  }
}

/** All databases of an index folder: the current one first, where the pointer is sound, then the newest. */
export function databasesIn(folder: string): readonly string[] {
  const all = [...existingNumbers(folder)].sort((a, b) => b - a).map((n) => join(folder, `index-${n}.db`))
  try {
    const current = currentDatabase(folder)
    return current === undefined ? all : [current, ...all.filter((path) => path !== current)]
  } catch {
    return all
  }
}

/** Path for the database of the next full build. A file left there by a killed build is taken up again. */
export function nextDatabase(folder: string): string {
  let current = 0
  try {
    const path = currentDatabase(folder)
    if (path !== undefined) current = numberOf(path)
  } catch {
    current = Math.max(0, ...existingNumbers(folder)) // damaged pointer: number on from whatever is there
  }
  return join(folder, `index-${current + 1}.db`)
}

/** Makes the folder, with a rule that hides it from git. */
export function makeIndexFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    const ignore = join(folder, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  } catch (error) {
    throw new HoneError(
      'INDEX_UNWRITABLE',
      `cannot write to ${folder}: ${messageOf(error)}; set HONE_INDEX_DIR to a folder that can be written`,
    )
  }
}

/** Makes `database` the current index and removes the others. */
export function publish(folder: string, database: string): void {
  const name = `index-${numberOf(database)}.db`
  writeWhole(join(folder, POINTER), `${name}\n`)
  removeOthers(folder, database)
}

/** For the holder of the lock: removes what killed or replaced builds left, other databases and pointers not yet moved. */
export function removeOthers(folder: string, database: string): void {
  const name = `index-${numberOf(database)}.`
  for (const file of readdirSync(folder)) {
    const isOther = file.startsWith('index-') ? !file.startsWith(name) : PENDING.test(file)
    // A file that another process holds open may resist on some systems; the next build tries again.
    if (isOther) rmSync(join(folder, file), { force: true, maxRetries: 1 })
  }
}

/** Removes the files of a database that cannot be used, its graph with it. */
export function discard(database: string): void {
  removeGraph(database)
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
}

/** Bytes of all files of an index. One that another process removes in this moment counts as none. */
export function folderBytes(folder: string): number {
  const bytesOf = (file: string): number => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0
  return readdirSync(folder).reduce((sum, file) => sum + bytesOf(file), 0)
}

/** Removes the folder of an index whose files are gone, unless it holds anything that hone did not put there. */
export function removeIndexFolder(folder: string): void {
  removeVectorCache(folder)
  for (const file of ['.gitignore', 'settings.json']) rmSync(join(folder, file), { force: true })
  for (const lock of ['lock.db', 'graph-lock.db'])
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `${lock}${suffix}`), { force: true })
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(systemCode(error))) throw error
  }
}

/** Removes pointer and databases, and returns whether there were any; the lock stays with its holder. */
export function removeIndexFiles(folder: string): boolean {
  const files = readdirSync(folder).filter((file) => /^(index-|current|settings\.json)/.test(file))
  for (const file of files) rmSync(join(folder, file), { force: true })
  return files.length > 0
}

function existingNumbers(folder: string): readonly number[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder).flatMap((file) => {
    const match = DATABASE.exec(file)
    return match?.[1] === undefined ? [] : [Number(match[1])]
  })
}

function numberOf(database: string): number {
  const match = /index-(\d+)\.db$/.exec(database)
  return match?.[1] === undefined ? 0 : Number(match[1])
}
