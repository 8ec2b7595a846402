/** What the index says about this repository, read from the index itself. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentDatabase } from '../src/store/index-location.js'
import { IndexReader } from '../src/store/index-reader.js'
import { hone } from './helpers/command.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

let folder: string
let reader: IndexReader

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-whole-'))
  const indexed = hone(['index', ROOT], { env: { HONE_INDEX_DIR: folder } })
  if (indexed.code !== 0) throw new Error(indexed.err)
  const [name] = readdirSync(folder)
  reader = new IndexReader(currentDatabase(join(folder, name ?? '')) ?? '')
})

afterAll(() => {
  reader.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the index of this repository', () => {
  it('has every line of every file in exactly one chunk', () => {
    const files = reader.files()
    expect(files.length).toBeGreaterThan(200)
    for (const { id, path, lines } of files) {
      let next = 1
      for (const { startLine, endLine } of reader.chunksOf(id)) {
        expect(startLine, path).toBe(next)
        expect(endLine, path).toBeGreaterThanOrEqual(startLine)
        next = endLine + 1
      }
      expect(next - 1, path).toBe(lines)
    }
  })

  it('counts lines as the files on disk have them', () => {
    for (const { path, lines, bytes } of reader.files()) {
      const content = readFileSync(join(ROOT, path))
      if (content.length !== bytes) continue // changed meanwhile, by who works on it
      const text = content.toString('utf8')
      expect(text.split(/\r\n|\r|\n/).length - (/[\r\n]$|^$/.test(text) ? 1 : 0), path).toBe(lines)
    }
  })

  it('has no chunk, symbol or column of a file that it does not hold', () => {
    const { fileOf, isLive } = reader.documents
    const ids = new Set<number>(reader.files().map(({ id }) => id))
    for (const file of fileOf) if (file > 0) expect(ids.has(file)).toBe(true)
    expect([...isLive.keys()].filter((id) => isLive[id] === 1).sort((a, b) => a - b)).toEqual(
      [...ids].sort((a, b) => a - b),
    )
    expect(reader.files().reduce((sum, { id }) => sum + reader.chunksOf(id).length, 0)).toBe(
      reader.stats.chunks,
    )
  })

  it('holds or has skipped, with a reason, everything that git tracks', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
    const indexed = new Set(reader.files().map(({ path }) => path))
    const skipped = new Set(reader.skipped().map(({ path }) => path))
    for (const path of indexed) expect(skipped.has(path), path).toBe(false)
    const lost = tracked.filter(
      (path) => path !== '' && !indexed.has(path) && !skipped.has(path) && existsSync(join(ROOT, path)),
    )
    expect(lost).toEqual([])
  })
})
