import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldModel, headingFor, provenanceOf, readLearnedParts } from '../../scripts/bench/provenance.js'

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

describe('a part trained in folds', () => {
  const part = { name: 'model', trainedOn: ['gin', 'chi'], folds: { chi: 2 } }

  it('has not seen what one of its folds was trained without; anything else it was trained on, it has', () => {
    expect(provenanceOf(chi, [part])).toBe('unseen')
    expect(provenanceOf(gin, [part])).toBe('seen')
    expect(() => headingFor('unseen', [chi, gin], [part])).toThrow('refusing to print gin as unseen')
  })

  it('is named in the heading', () => {
    expect(headingFor('unseen', [chi], [part])).toBe(
      '1 repository, unseen by every learned part (model: in folds)',
    )
  })

  it('ships with a model for each repository of the benchmark, and none of them knows what it is scored on', () => {
    const models = fileURLToPath(new URL('../../models', import.meta.url))
    const foldsOf = (model: string): unknown =>
      (JSON.parse(readFileSync(join(models, model, 'trained-on.json'), 'utf8')) as { folds: unknown }).folds
    const folds = foldsOf('relevance-1') as Record<string, number>
    expect(Object.keys(folds)).toHaveLength(30)
    // What feedback learned from it is as unseen as the relevance it builds on.
    expect(foldsOf('feedback-1')).toEqual(folds)
    for (const model of ['relevance-1', 'feedback-1']) {
      for (const name of Object.keys(folds))
        expect(existsSync(join(foldModel(models, name, model) ?? '', 'trees.bin')), name).toBe(true)
      expect(foldModel(models, 'parcel-api', model)).toBeUndefined()
    }
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
