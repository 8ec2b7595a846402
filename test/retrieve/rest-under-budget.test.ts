import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIndex, openIndex, type HoneIndex } from '../../src/index.js'

const FIXTURE = fileURLToPath(new URL('../fixtures/repos/parcel-api', import.meta.url))
const task = 'add rate limiting to the API endpoints'
const folder = mkdtempSync(join(tmpdir(), 'hone-rest-'))
let index: HoneIndex

beforeAll(async () => {
  cpSync(FIXTURE, folder, { recursive: true })
  await buildIndex({ root: folder, jobs: 0 })
  index = await openIndex({ root: folder })
})
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('files below the least relevance', () => {
  it('follow in brief under a budget where a file reaches it, after all others', async () => {
    const plain = await index.retrieve({ task })
    const { files } = await index.retrieve({ task, budgetTokens: 20_000 })
    const rest = files.filter(({ relevance }) => relevance < 0.2)
    expect(plain.files.length).toBeGreaterThan(0)
    expect(plain.files.every(({ relevance }) => relevance >= 0.2)).toBe(true)
    expect(files.slice(0, plain.files.length).map(({ path }) => path)).toEqual(
      plain.files.map(({ path }) => path),
    )
    expect(rest.length).toBeGreaterThan(0)
    for (const { relevance, band, ranges, missingContext } of rest) {
      expect(relevance).toBeGreaterThanOrEqual(0.03)
      expect(band).toBe('none')
      expect(missingContext).toEqual([])
      expect(ranges.flatMap(({ text }) => text?.split('\n') ?? []).length).toBeLessThanOrEqual(10)
    }
  })

  it('stay away where the caller gives a least relevance, also the default one', async () => {
    const { files } = await index.retrieve({ task, budgetTokens: 20_000, minRelevance: 0.2 })
    expect(files.every(({ relevance }) => relevance >= 0.2)).toBe(true)
  })

  it('stay away where no file reaches it: nothing relevant is an answer', async () => {
    const asked = { task: 'quantum chromodynamics lattice', budgetTokens: 20_000 }
    const { files, stop } = await index.retrieve(asked)
    expect({ files, stop }).toEqual({ files: [], stop: 'no-match' })
    const low = await index.retrieve({ ...asked, minRelevance: 0.0001 })
    expect(low.files.length).toBeGreaterThan(0)
  })
})
