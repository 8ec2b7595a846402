import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODELS_FOLDER, RELEVANCE_MODEL } from '../../src/config.js'
import { buildIndex, openIndex } from '../../src/index.js'
import { SIGNALS, SIGNALS_VERSION } from '../../src/rank/signals.js'
import { TREES_FILE, readRelevanceModel } from '../../src/retrieve/relevance-file.js'
import { treesFile } from '../rank/trees-file.js'
import { makeSample } from '../spine/sample.js'

let folder: string
let sample: ReturnType<typeof makeSample>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hone-relevance-'))
  sample = makeSample()
  await buildIndex({ root: sample.root })
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  sample.remove()
})

const opened = (relevanceModel: string): Promise<unknown> => openIndex({ root: sample.root, relevanceModel })

describe('the model of relevance', () => {
  it('that ships is of the signals of this code', () => {
    const { trees } = readRelevanceModel(join(MODELS_FOLDER, RELEVANCE_MODEL))
    expect(trees.head.signalsVersion).toBe(SIGNALS_VERSION)
    expect(Object.keys(trees.head.added).every((name) => trees.head.signals.includes(name))).toBe(true)
  })

  it('may be another one, which then rates', async () => {
    const signals = SIGNALS.map(({ name }) => name)
    const bytes = treesFile({ signalsVersion: SIGNALS_VERSION, signals, added: {} }, [{ value: 0, rows: 1 }])
    writeFileSync(join(folder, TREES_FILE), bytes)
    const index = await openIndex({ root: sample.root, relevanceModel: folder })
    const { files } = await index.retrieve({ task: 'token' })
    index.close()
    expect(files.length).toBeGreaterThan(0)
    expect(new Set(files.map(({ relevance }) => relevance))).toEqual(new Set([0.5]))
  })

  it('that is missing or damaged is an error that names the file, not an answer', async () => {
    await expect(opened(join(folder, 'none'))).rejects.toMatchObject({ code: 'MODEL_CORRUPT' })
    await expect(opened(join(folder, 'none'))).rejects.toThrow(/none.trees\.bin/)
    const damaged = join(folder, 'damaged')
    mkdirSync(damaged)
    writeFileSync(join(damaged, TREES_FILE), 'HONETREE and nothing more')
    await expect(opened(damaged)).rejects.toMatchObject({ code: 'MODEL_CORRUPT' })
  })
})
