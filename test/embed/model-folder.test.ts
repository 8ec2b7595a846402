import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findModel, modelsAtHand } from '../../src/embed/model-folder.js'

const TRANSFORMER = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx']

describe('models on disk', () => {
  let shipped: string
  let users: string

  beforeEach(() => {
    shipped = mkdtempSync(join(tmpdir(), 'hone-models-'))
    users = mkdtempSync(join(tmpdir(), 'hone-models-'))
  })

  afterEach(() => {
    rmSync(shipped, { recursive: true })
    rmSync(users, { recursive: true })
  })

  function put(parent: string, name: string, files: readonly string[]): void {
    for (const file of files) {
      const path = join(parent, name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'x'.repeat(10))
    }
  }

  it('are listed by name, from both folders, one and two levels down', () => {
    put(shipped, 'words', ['words.bin'])
    put(users, 'owner/encoder', TRANSFORMER)
    put(users, 'a', TRANSFORMER)
    expect(modelsAtHand([shipped, users]).map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      ['a', 'transformer', 10],
      ['owner/encoder', 'transformer', 10],
      ['words', 'static', 10],
    ])
  })

  it('in the first folder hide those of the same name in the second', () => {
    put(shipped, 'words', ['words.bin'])
    put(users, 'words', TRANSFORMER)
    expect(modelsAtHand([shipped, users]).map(({ folder }) => folder)).toEqual([join(shipped, 'words')])
    expect(findModel([shipped, users], 'words')?.kind).toBe('static')
  })

  it.each(TRANSFORMER)('without %s are no transformer', (missing) => {
    put(users, 'half', [...TRANSFORMER.filter((file) => file !== missing), 'README.md'])
    expect(findModel([users], 'half')).toBeUndefined()
    expect(modelsAtHand([users])).toEqual([])
  })

  it('with full-precision weights alone are a transformer', () => {
    put(users, 'full', [...TRANSFORMER.slice(0, 3), 'onnx/model.onnx'])
    expect(findModel([users], 'full')?.kind).toBe('transformer')
  })

  it('may be links', () => {
    put(users, 'real', TRANSFORMER)
    symlinkSync(join(users, 'real'), join(shipped, 'linked'))
    expect(modelsAtHand([shipped]).map(({ name }) => name)).toEqual(['linked'])
  })

  it.each(['../words', '/words', 'a/../words', '.', '..', '', 'a/b/c', 'a\\b'])(
    'are never found as %j',
    (name) => {
      put(shipped, 'words', ['words.bin'])
      put(shipped, 'a/b/c', ['words.bin'])
      expect(findModel([join(shipped, 'a'), shipped], name)).toBeUndefined()
    },
  )

  it('are none in a folder that does not exist', () => {
    expect(modelsAtHand([join(users, 'nowhere')])).toEqual([])
  })
})
