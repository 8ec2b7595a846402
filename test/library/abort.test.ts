/** AbortSignal: everything slow stops by it, and what it stopped stays usable. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildIndex, openIndex, watchIndex, type Embedder, type HoneIndex } from '../../src/index.js'
import { git } from '../helpers/git.js'
import { makeSample, put } from '../spine/sample.js'
import { hashingEmbedder } from './hashing-embedder.js'

const TASK = 'Session refresh for a user'
const ABORTED = { name: 'HoneError', code: 'ABORTED' } as const

let root: string
let remove: () => void

beforeEach(async () => {
  ;({ root, remove } = makeSample())
  await buildIndex({ root, jobs: 0 })
})
afterEach(() => {
  remove()
})

/** It opens, holds what it held, takes in what changed and answers. */
async function expectUsable(index: HoneIndex, files = 5): Promise<void> {
  expect(index.status.files).toBe(files)
  expect((await index.retrieve({ task: TASK })).files.length).toBeGreaterThan(0)
  put(root, 'src/afterwards.ts', 'export const afterwards = 1\n')
  expect(await index.refresh()).toBe(0)
  expect(index.files()).toContain('src/afterwards.ts')
  index.close()
}

/** Runs `during` with the index, then expects it to be usable. */
async function withIndex(during: (index: HoneIndex) => Promise<void>): Promise<void> {
  const index = await openIndex({ root })
  await during(index)
  await expectUsable(index)
}

describe('a signal that is aborted already', () => {
  const signal = AbortSignal.abort()

  it('stops a build before anything is read', async () => {
    put(root, 'src/new.ts', 'export const fresh = 1\n')
    await expect(buildIndex({ root, signal })).rejects.toMatchObject(ABORTED)
    const index = await openIndex({ root })
    expect(index.files()).not.toContain('src/new.ts')
    index.close()
  })

  it('stops opening an index, with a refresh and without', async () => {
    await expect(openIndex({ root, signal })).rejects.toMatchObject(ABORTED)
    await expect(openIndex({ root, refresh: true, signal })).rejects.toMatchObject(ABORTED)
    await expectUsable(await openIndex({ root }))
  })

  it.each<readonly [what: string, ask: (index: HoneIndex) => unknown]>([
    ['a refresh', (index) => index.refresh({ signal })],
    ['looking for stale files', (index) => index.staleFiles({ signal })],
    ['retrieve', (index) => index.retrieve({ task: TASK, signal })],
    ['a cycle of a session', (index) => index.start({ task: TASK, signal }).next()],
    ['explain', (index) => index.explain({ task: TASK, path: 'src/token.ts', signal })],
    ['related code', (index) => index.related({ path: 'src/token.ts', signal })],
  ])('stops %s', async (_, ask) => {
    await withIndex(async (index) => {
      await expect(Promise.resolve(index).then(ask)).rejects.toMatchObject(ABORTED)
    })
  })

  it('stops looking for what belongs to changes', async () => {
    git(root, 'init', '-q')
    await withIndex(async (index) => {
      await expect(index.relatedToChanges({ signal })).rejects.toMatchObject(ABORTED)
    })
  })

  it('ends a watch before its first run', async () => {
    let runs = 0
    await watchIndex({
      root,
      signal,
      onRun: () => {
        runs++
      },
    })
    expect(runs).toBe(0)
  })
})

describe('a signal that is aborted on the way', () => {
  /** Aborts when it is asked for the vectors of the n-th call. */
  function abortingEmbedder(at: number): { readonly embedder: Embedder; readonly signal: AbortSignal } {
    const stopping = new AbortController()
    const plain = hashingEmbedder()
    let calls = 0
    const embedder: Embedder = {
      ...plain,
      embed: (texts, options) => {
        if (++calls === at) stopping.abort()
        return plain.embed(texts, options)
      },
    }
    return { embedder, signal: stopping.signal }
  }

  it('stops a build between two files, and the next one goes on from there', async () => {
    const { embedder, signal } = abortingEmbedder(3)
    await expect(buildIndex({ root, jobs: 0, embedder, signal })).rejects.toMatchObject(ABORTED)
    await expectUsable(await openIndex({ root })) // the index before
    await buildIndex({ root, jobs: 0, embedder: hashingEmbedder() })
    await expectUsable(await openIndex({ root, embedder: hashingEmbedder() }), 6)
  })

  it('stops a build with its progress', async () => {
    const stopping = new AbortController()
    const onProgress = (): void => {
      stopping.abort()
    }
    await expect(
      buildIndex({ root, jobs: 0, rebuild: true, signal: stopping.signal, onProgress }),
    ).rejects.toMatchObject(ABORTED)
    await expectUsable(await openIndex({ root }))
  })

  it('stops the refresh of an index that is being opened', async () => {
    put(root, 'src/new.ts', 'export const fresh = 1\n')
    const stopping = new AbortController()
    const opening = openIndex({ root, refresh: true, signal: stopping.signal })
    stopping.abort()
    await expect(opening).rejects.toMatchObject(ABORTED)
    const index = await openIndex({ root })
    expect(index.files()).not.toContain('src/new.ts')
    await expectUsable(index)
  })

  it('stops a refresh, unless somebody else waits for it too', async () => {
    await withIndex(async (index) => {
      put(root, 'README.md', '# Another\n')
      const stopping = new AbortController()
      const [mine, theirs] = [index.refresh({ signal: stopping.signal }), index.refresh()]
      stopping.abort()
      await expect(mine).rejects.toMatchObject(ABORTED)
      expect(await theirs).toBe(0)
      expect(await index.staleFiles()).toEqual([])
    })
  })

  it('stops a refresh when all who wait for it have gone; the next one is whole', async () => {
    await withIndex(async (index) => {
      put(root, 'README.md', '# Another\n')
      const stopping = new AbortController()
      const gone = [1, 2].map(() => index.refresh({ signal: stopping.signal }))
      stopping.abort()
      const next = index.refresh()
      for (const refresh of gone) await expect(refresh).rejects.toMatchObject(ABORTED)
      expect(await next).toBe(0)
      expect(await index.staleFiles()).toEqual([])
    })
  })

  it('stops a question between two cycles', async () => {
    await withIndex(async (index) => {
      const stopping = new AbortController()
      let shown = 0
      const judge = (): readonly [] => {
        shown++
        stopping.abort()
        return []
      }
      const asked = index.retrieve({ task: TASK, judge, signal: stopping.signal })
      await expect(asked).rejects.toMatchObject(ABORTED)
      expect(shown).toBe(1)
    })
  })

  it('stops a question that waits for its vector', async () => {
    const { chunks } = await buildIndex({ root, jobs: 0, embedder: hashingEmbedder() })
    expect(chunks).toBeGreaterThan(0)
    const { embedder, signal } = abortingEmbedder(1)
    const index = await openIndex({ root, embedder })
    await expect(index.retrieve({ task: TASK, signal })).rejects.toMatchObject(ABORTED)
    await expectUsable(index)
  })

  it('ends a watch that waits for changes', async () => {
    const stopping = new AbortController()
    await watchIndex({
      root,
      jobs: 0,
      signal: stopping.signal,
      onRun: () => {
        void nextTurn().then(() => {
          stopping.abort()
        })
      },
    })
    await expectUsable(await openIndex({ root }))
  })
})
