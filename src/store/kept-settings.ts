/**
 * A second copy of an index's settings, in a file of its own beside the databases. Those in the database count; this
 * copy is for when the database is damaged, so that what was excluded stays excluded.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../digest.js'
import { HoneError, messageOf } from '../errors.js'
import type { IndexSettings } from './records.js'

const FILE = 'settings.json'

/** Writes the copy when it is another. Throws INDEX_UNWRITABLE. */
export function keepSettings(folder: string, settings: IndexSettings): void {
  const line = lineOf(JSON.stringify(settings))
  if (contentOf(folder) === line) return
  writeWhole(join(folder, FILE), line)
}

/** The copy, or undefined where there is none or it is damaged. */
export function keptSettings(folder: string): IndexSettings | undefined {
  const content = contentOf(folder)
  const json = content?.slice(content.indexOf(' ') + 1).trimEnd()
  return json !== undefined && content === lineOf(json) ? parsedSettings(json) : undefined
}

/** Settings from their JSON, or undefined when it is none. Those of an older version may lack some. */
export function parsedSettings(json: string): IndexSettings | undefined {
  try {
    const value = JSON.parse(json) as Partial<IndexSettings> | null
    return typeof value === 'object' && value !== null && isSound(value)
      ? (value as IndexSettings)
      : undefined
  } catch {
    return undefined // the caller says what that means
  }
}

/** Writes a small file in one step. Throws INDEX_UNWRITABLE. */
export function writeWhole(path: string, content: string): void {
  const pending = `${path}.${process.pid}`
  try {
    writeFileSync(pending, content)
    renameSync(pending, path)
  } catch (error) {
    throw new HoneError(
      'INDEX_UNWRITABLE',
      `cannot write ${path}: ${messageOf(error)}; free some space, or set HONE_INDEX_DIR to a folder that can be written`,
      { cause: error },
    )
  }
}

function isSound(value: Partial<IndexSettings>): boolean {
  const { root, encoder, include = [], exclude, maxFileBytes = 1, history = true } = value
  return (
    [root, encoder].every((text) => typeof text === 'string') &&
    [include, exclude].every(isTexts) &&
    Number.isInteger(maxFileBytes) &&
    typeof history === 'boolean'
  )
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function contentOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, FILE), 'utf8')
  } catch {
    return undefined // none yet; one that cannot be read is as good as none
  }
}

function lineOf(json: string): string {
  return `${sha256(json)} ${json}\n`
}
