import { cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODELS_FOLDER } from '../../src/config.js'
import type { Embedder } from '../../src/embed/embedder.js'
import { loadTransformersEmbedder } from '../../src/embed/transformers-embedder.js'

const NAME = 'all-MiniLM-L6-v2'
const TEXTS = [
  'limit the rate of requests',
  'throttle API calls',
  'bake a chocolate cake',
  'export function throttle(calls: number, perMs: number): Limiter {\n  return new Limiter(calls / perMs)\n}',
  'x',
  'token 速率限制',
  'a '.repeat(2000),
]

function rowOf(vectors: Float32Array, row: number, dimensions: number): Float32Array {
  return vectors.subarray(row * dimensions, (row + 1) * dimensions)
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, d) => sum + x * (b[d] ?? NaN), 0)
}

describe('the transformer that ships', () => {
  let embedder: Embedder
  let together: Float32Array

  beforeAll(async () => {
    embedder = await loadTransformersEmbedder(MODELS_FOLDER, NAME)
    together = await embedder.embed(TEXTS)
  })

  it('gives a vector of length 1 for each text', () => {
    expect(embedder).toMatchObject({ name: NAME, dimensions: 384 })
    expect(together).toHaveLength(TEXTS.length * 384)
    for (let row = 0; row < TEXTS.length; row++) {
      expect(Math.hypot(...rowOf(together, row, 384))).toBeCloseTo(1, 5)
    }
  })

  it('puts near what means the same', () => {
    const [rate, throttle, cake] = [0, 1, 2].map((row) => rowOf(together, row, 384)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ]
    expect(cosine(rate, throttle)).toBeGreaterThan(0.5)
    expect(cosine(rate, cake)).toBeLessThan(0.2)
  })

  it('gives the same bytes alone, in other company and in another order', async () => {
    for (const [row, text] of TEXTS.entries()) {
      expect(await embedder.embed([text])).toEqual(rowOf(together, row, 384))
    }
    const reversed = await embedder.embed([...TEXTS].reverse())
    TEXTS.forEach((_, row) => {
      expect(rowOf(reversed, TEXTS.length - 1 - row, 384)).toEqual(rowOf(together, row, 384))
    })
  })

  it('reads 256 tokens and no more', async () => {
    const words = (n: number, tail: string): string => 'rate '.repeat(n) + tail
    const [cut, cutElsewhere] = [
      await embedder.embed([words(254, 'cake')]),
      await embedder.embed([words(254, 'sql')]),
    ]
    expect(cut).toEqual(cutElsewhere) // 254 words + start and end mark
    expect(await embedder.embed([words(253, 'cake')])).not.toEqual(await embedder.embed([words(253, 'sql')]))
  })

  it('gives zeros for a text without a known word', async () => {
    for (const text of ['', ' \n\t', '[PAD]', '速率限制']) {
      expect((await embedder.embed([text])).every((x) => x === 0)).toBe(true)
    }
  })

  it('embeds nothing when given nothing', async () => {
    expect(await embedder.embed([])).toHaveLength(0)
  })

  it('survives half a surrogate pair and control characters', async () => {
    const vectors = await embedder.embed(['\ud800 token', '\u0000\u0007 token'])
    expect(vectors.every((x) => Number.isFinite(x))).toBe(true)
  })

  it('tells how far it is', async () => {
    const seen: [number, number][] = []
    await embedder.embed(Array<string>(10).fill('token'), {
      onProgress: (done, total) => seen.push([done, total]),
    })
    expect(seen).toEqual([
      [8, 10],
      [10, 10],
    ])
  })

  it('stops when asked to', async () => {
    const controller = new AbortController()
    const embedding = embedder.embed(Array<string>(500).fill('token'), {
      signal: controller.signal,
      onProgress: () => {
        controller.abort(new Error('enough'))
      },
    })
    await expect(embedding).rejects.toThrow('enough')
  })

  it('has the same fingerprint each time it is loaded', async () => {
    const again = await loadTransformersEmbedder(MODELS_FOLDER, NAME)
    expect(again.fingerprint).toBe(embedder.fingerprint)
    expect(again.fingerprint).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('another model folder', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-models-'))
  })

  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  function copy(name: string): string {
    cpSync(join(MODELS_FOLDER, NAME), join(folder, name), { recursive: true })
    return join(folder, name)
  }

  it('is read from disk under its own name; other settings are another fingerprint', async () => {
    const path = copy('mine')
    writeFileSync(join(path, 'sentence_bert_config.json'), '{"max_seq_length": 64}')
    const [shipped, mine] = [
      await loadTransformersEmbedder(MODELS_FOLDER, NAME),
      await loadTransformersEmbedder(folder, 'mine'),
    ]
    expect(mine.name).toBe('mine')
    expect(mine.fingerprint).not.toBe(shipped.fingerprint)
    expect(await mine.embed(['token'])).toEqual(await shipped.embed(['token']))
  })

  it('that is not there is ENCODER_UNKNOWN', async () => {
    await expect(loadTransformersEmbedder(folder, 'nope')).rejects.toMatchObject({
      code: 'ENCODER_UNKNOWN',
      message: expect.stringContaining('"nope"') as string,
    })
  })

  it.each(['onnx/model_quantized.onnx', 'tokenizer.json', 'config.json'])(
    'with half of %s is MODEL_CORRUPT and named',
    async (file) => {
      const path = copy('half')
      truncateSync(join(path, file), 100)
      await expect(loadTransformersEmbedder(folder, 'half')).rejects.toMatchObject({
        code: 'MODEL_CORRUPT',
        message: expect.stringContaining(path) as string,
      })
    },
  )

  it('without the runtime package is ENCODER_UNUSABLE and says what to run', async () => {
    const missing = new Error("Cannot find package 'onnxruntime-node'")
    const loading = loadTransformersEmbedder(MODELS_FOLDER, NAME, {
      importRuntime: () => Promise.reject(missing),
    })
    await expect(loading).rejects.toMatchObject({
      code: 'ENCODER_UNUSABLE',
      message: expect.stringMatching(/onnxruntime-node.*npm install --include=optional hone-code/) as string,
    })
  })
})
