import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { headingFor, provenanceOf, readLearnedParts } from '../../scripts/bench/provenance.js'

const chi = { name: 'chi', language: 'go', origin: 'https://github.com/go-chi/chi.git', root: '' }
const gin = { name: 'gin', language: 'go', origin: 'https://github.com/gin-gonic/gin.git', root: '' }

describe('seen or unseen', () => {
  it('a repository is seen when any part was trained on it, however its name is written', () => {
    for (const name of [
      'go-chi/chi',
      'https://github.com/go-chi/chi.git',
      'chi',
      'a-fork/Chi',
      'git@host:go-chi/chi',
    ]) {
      expect(provenanceOf(chi, [{ name: 'model', trainedOn: [name] }])).toBe('seen')
    }
  })

  it('it is unseen only when every part says so', () => {
    const silent = { name: 'table', trainedOn: undefined }
    expect(provenanceOf(chi, [{ name: 'model', trainedOn: ['gin'] }])).toBe('unseen')
    expect(provenanceOf(chi, [{ name: 'model', trainedOn: ['gin'] }, silent])).toBe('unknown')
    expect(provenanceOf(chi, [{ name: 'model', trainedOn: ['chi'] }, silent])).toBe('seen')
  })

  it('an empty list says that nothing was seen; it is not a missing statement', () => {
    expect(provenanceOf(chi, [{ name: 'table', trainedOn: [] }])).toBe('unseen')
  })

  it('refuses to head a seen or unknown repository as unseen', () => {
    const parts = [{ name: 'model', trainedOn: ['chi'] }]
    expect(() => headingFor('unseen', [gin, chi], parts)).toThrow('refusing to print chi as unseen')
    expect(() => headingFor('unseen', [gin], [{ name: 'table', trainedOn: undefined }])).toThrow(
      'it is unknown',
    )
    expect(headingFor('unseen', [gin], parts)).toBe('1 repository, unseen by every learned part')
    expect(headingFor('seen', [chi], parts)).toContain('SEEN in training by: model')
  })
})

describe('statements of learned parts', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-bench-test-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value))
  }

  it('an encoder that states nothing is unknown', () => {
    mkdirSync(join(folder, 'models', 'table'), { recursive: true })
    const parts = readLearnedParts(join(folder, 'models'), {
      encoder: 'table',
      stated: join(folder, 'none.json'),
    })
    expect(parts).toEqual([{ name: 'table', trainedOn: undefined }])
  })

  it('the model folder speaks before the list of the benchmark', () => {
    write('stated.json', { table: { trainedOn: [] }, weights: { trainedOn: ['a/b'] } })
    write('models/table/trained-on.json', { trainedOn: ['c/d'] })
    const parts = readLearnedParts(join(folder, 'models'), {
      encoder: 'table',
      stated: join(folder, 'stated.json'),
    })
    expect(parts).toEqual([
      { name: 'table', trainedOn: ['c/d'] },
      { name: 'weights', trainedOn: ['a/b'] },
    ])
  })
})
