/** Indexing and asking with an encoder of the caller's own. */
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildIndex,
  openIndex,
  watchIndex,
  type Answer,
  type BuildSummary,
  type Embedder,
  type HoneIndex,
} from '../../src/index.js'
import { command } from '../helpers/command.js'
import { makeSample, put } from '../spine/sample.js'
import { hashingEmbedder } from './hashing-embedder.js'

const TASK = 'signs a token for a user'

let root: string
let remove: () => void

beforeEach(() => {
  ;({ root, remove } = makeSample())
})
afterEach(() => {
  remove()
})

const build = (embedder: Embedder, more: { readonly signal?: AbortSignal } = {}): Promise<BuildSummary> =>
  buildIndex({ root, jobs: 0, embedder, ...more })
const ask = (index: HoneIndex): Promise<Answer> =>
  index.retrieve({ task: TASK, minRelevance: 0, explain: true })
const bytesOf = (answer: Answer): string =>
  JSON.stringify({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })

async function answered(embedder: Embedder | undefined, from = root): Promise<Answer> {
  const index = await openIndex({ root: from, ...(embedder === undefined ? {} : { embedder }) })
  try {
    return await ask(index)
  } finally {
    index.close()
  }
}

describe('an index with an embedder of the caller', () => {
  it('has its vectors from it, and asks it for the task', async () => {
    const embedder = hashingEmbedder()
    const { chunks } = await build(embedder)
    expect(embedder.texts).toHaveLength(chunks)
    const index = await openIndex({ root, embedder })
    expect(index.status).toMatchObject({ encoder: 'hashed-words', dimensions: 64 })
    const answer = await ask(index)
    expect(answer.index.encoder).toBe('hashed-words')
    expect(answer.files[0]?.path).toBe('src/token.ts')
    expect(embedder.texts.slice(chunks)).toEqual([TASK])
    index.close()
  })

  it('answers the same bytes again, and others than with other vectors', async () => {
    const embedder = hashingEmbedder()
    await build(embedder)
    const bytes = bytesOf(await answered(embedder))
    expect(bytesOf(await answered(hashingEmbedder()))).toBe(bytes)
    await build(hashingEmbedder({ seed: 8 }))
    expect(bytesOf(await answered(hashingEmbedder({ seed: 8 })))).not.toBe(bytes)
  })

  it('takes in changed files with it, on refresh, on opening and on building', async () => {
    const embedder = hashingEmbedder()
    await build(embedder)
    const index = await openIndex({ root, embedder })
    put(root, 'src/refreshed.ts', 'export const zebra = 1\n')
    expect(await index.refresh()).toBe(0)
    put(root, 'src/opened.ts', 'export const yak = 1\n')
    ;(await openIndex({ root, embedder, refresh: true })).close()
    put(root, 'src/built.ts', 'export const newt = 1\n')
    expect(await build(embedder)).toMatchObject({ added: 1, changed: 0 })
    for (const word of ['zebra', 'yak', 'newt'])
      expect(embedder.texts.filter((text) => text.includes(word))).toHaveLength(1)
    expect(index.files()).toEqual(expect.arrayContaining(['src/built.ts', 'src/opened.ts']))
    index.close()
  })

  it('is kept fresh with it by a watch', async () => {
    const embedder = hashingEmbedder()
    const stopping = new AbortController()
    let runs = 0
    await watchIndex({
      root,
      jobs: 0,
      embedder,
      signal: stopping.signal,
      onRun: ({ added }) => {
        if (runs++ === 0) put(root, 'src/watched.ts', 'export const heron = 1\n')
        else if (added === 1) stopping.abort()
      },
    })
    expect(embedder.texts.filter((text) => text.includes('heron'))).toHaveLength(1)
  })

  it('may give the same array again and again: what was given is not changed by it', async () => {
    const plain = hashingEmbedder()
    const kept = new Float32Array(64)
    const one: Embedder = {
      ...plain,
      embed: async (texts) => {
        const vectors = await plain.embed(texts)
        if (texts.length > 1) return vectors
        kept.set(vectors)
        return kept
      },
    }
    await build(plain)
    const index = await openIndex({ root, embedder: one })
    const session = index.start({ task: TASK, minRelevance: 0, explain: true })
    await session.next()
    await index.retrieve({ task: 'print the rows of a table' })
    const answer = await session.finish()
    index.close()
    expect(bytesOf(answer)).toBe(bytesOf(await answered(plain)))
  })
})

describe('two indexes in one process with different embedders', () => {
  it('do not mix, whatever the order of the questions', async () => {
    const other = makeSample()
    const mine = hashingEmbedder()
    const theirs = hashingEmbedder({ seed: 11, dimensions: 32, name: 'other-words' })
    await build(mine)
    await buildIndex({ root: other.root, jobs: 0, embedder: theirs })
    const [a, b] = await Promise.all([
      openIndex({ root, embedder: mine }),
      openIndex({ root: other.root, embedder: theirs }),
    ])
    const apart = [bytesOf(await ask(a)), bytesOf(await ask(b))]
    const together = await Promise.all([ask(a), ask(b), ask(a), ask(b)])
    expect(together.map(bytesOf)).toEqual([...apart, ...apart])
    a.close()
    b.close()
    expect(mine.texts.filter((text) => text === TASK)).toHaveLength(3)
    expect(theirs.texts.filter((text) => text === TASK)).toHaveLength(3)
    other.remove()
  })
})

describe('an index opened with another encoder than it was made with', () => {
  const opened = (embedder?: Embedder): Promise<HoneIndex> =>
    openIndex({ root, ...(embedder === undefined ? {} : { embedder }) })

  it.each<readonly [what: string, made: Embedder | undefined, given: Embedder | undefined, said: RegExp]>([
    ['none', hashingEmbedder(), undefined, /embedder of its own, "hashed-words".*hone index --encoder/],
    ['other', hashingEmbedder(), hashingEmbedder({ name: 'b' }), /"hashed-words", not with .*"b"/],
    ['a newer one', hashingEmbedder(), hashingEmbedder({ seed: 8 }), /another version of .*"hashed-words"/],
    ['wider', hashingEmbedder(), hashingEmbedder({ dimensions: 32 }), /another version of .*"hashed-words"/],
    ['one where it has ours', undefined, hashingEmbedder(), /"hone-static-1", not with .*"hashed-words"/],
    [
      'a namesake of ours',
      undefined,
      hashingEmbedder({ name: 'hone-static-1', dimensions: 256 }),
      /"hone-static-1", not with the embedder/,
    ],
  ])('(%s) is an error that says which', async (_, made, given, said) => {
    await buildIndex({ root, jobs: 0, ...(made === undefined ? {} : { embedder: made }) })
    await expect(opened(given)).rejects.toMatchObject({
      name: 'HoneError',
      code: 'INDEX_ENCODER',
      message: expect.stringMatching(said) as string,
    })
    ;(await opened(made)).close()
  })

  it('is not built anew behind the back of the program that owns it', async () => {
    const embedder = hashingEmbedder()
    await build(embedder)
    await expect(buildIndex({ root, jobs: 0 })).rejects.toMatchObject({ code: 'INDEX_ENCODER' })
    await expect(answered(embedder)).resolves.toMatchObject({ schema: 1 })
  })

  it('is told by the command, which can build it with one of its own', async () => {
    await build(hashingEmbedder())
    const run = (...args: readonly string[]): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, [command(), ...args, root], { encoding: 'utf8' })
    const { status, stderr } = run('index')
    expect({ status, stderr }).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('hashed-words') as string,
    })
    expect(run('index', '--encoder', 'hone-static-1').status).toBe(0)
    await expect(answered(undefined)).resolves.toMatchObject({ index: { encoder: 'hone-static-1' } })
  })

  it('is noticed by a refresh after another process built it with that', async () => {
    const embedder = hashingEmbedder()
    await build(embedder)
    const index = await openIndex({ root, embedder })
    await buildIndex({ root, jobs: 0, encoder: 'hone-static-1' })
    await expect(index.refresh()).rejects.toMatchObject({ code: 'INDEX_ENCODER' })
    index.close()
  })
})

describe('an embedder that breaks its promise', () => {
  const unit = (texts: number, dimensions = 64): Float32Array => {
    const vectors = new Float32Array(texts * dimensions)
    for (let text = 0; text < texts; text++) vectors[text * dimensions] = 1
    return vectors
  }
  const with1 =
    (value: number) =>
    (texts: readonly string[]): Promise<Float32Array> => {
      const vectors = unit(texts.length)
      vectors[1] = value
      return Promise.resolve(vectors)
    }
  const BROKEN: readonly (readonly [what: string, embed: Embedder['embed'], said: RegExp])[] = [
    ['too few vectors', (texts) => Promise.resolve(unit(texts.length - 1)), /numbers; \d+ texts? take/],
    ['too many vectors', (texts) => Promise.resolve(unit(texts.length + 1)), /numbers; \d+ texts? take/],
    ['vectors of other dimensions', (texts) => Promise.resolve(unit(texts.length, 63)), /64 each/],
    ['NaN', with1(NaN), /not finite/],
    ['Infinity', with1(Infinity), /not finite/],
    ['vectors longer than 1', with1(2), /length 2\.236/],
    ['plain lists', (() => Promise.resolve([[1]])) as unknown as Embedder['embed'], /Float32Array/],
    ['nothing', (() => undefined) as unknown as Embedder['embed'], /Float32Array/],
    ['an error', () => Promise.reject(new Error('out of memory')), /failed: out of memory/],
    [
      'an error at once',
      () => {
        throw new Error('no model')
      },
      /failed: no model/,
    ],
  ]

  it.each(BROKEN)('with %s fails the build and the question, and says how', async (_, embed, said) => {
    const broken = hashingEmbedder({ embed })
    const refused = {
      name: 'HoneError',
      code: 'ENCODER_UNUSABLE',
      message: expect.stringMatching(said) as string,
    }
    await expect(build(broken)).rejects.toMatchObject(refused)
    await expect(openIndex({ root, embedder: broken })).rejects.toMatchObject({ code: 'INDEX_MISSING' })
    await build(hashingEmbedder())
    await expect(answered(broken)).rejects.toMatchObject(refused)
    put(root, 'src/token.ts', 'export const changed = 1\n')
    await expect(build(broken)).rejects.toMatchObject(refused)
    expect((await answered(hashingEmbedder())).files.length).toBeGreaterThan(0) // as it was before
  })

  it.each<readonly [what: string, change: Partial<Embedder>, said: RegExp]>([
    ['no name', { name: '' }, /name/],
    ['a name of two lines', { name: 'a\nb' }, /one line/],
    ['no fingerprint', { fingerprint: '' }, /fingerprint/],
    ['half a dimension', { dimensions: 0.5 }, /0\.5 dimensions/],
    ['no dimensions', { dimensions: 0 }, /0 dimensions/],
  ])('with %s is refused before anything is written', async (_, change, said) => {
    const refused = { code: 'ENCODER_UNUSABLE', message: expect.stringMatching(said) as string }
    await expect(build(hashingEmbedder(change))).rejects.toMatchObject(refused)
    await expect(openIndex({ root, embedder: hashingEmbedder(change) })).rejects.toMatchObject(refused)
  })

  it('is refused beside the name of an encoder', async () => {
    await expect(
      buildIndex({ root, embedder: hashingEmbedder(), encoder: 'hone-static-1' }),
    ).rejects.toMatchObject({ code: 'USAGE' })
  })
})
