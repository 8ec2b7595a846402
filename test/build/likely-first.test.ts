/** In what order a first build reads where a question waits, and that it changes nothing in the end. */
import { afterEach, describe, expect, it } from 'vitest'
import { likelyFirst } from '../../src/build/likely-first.js'
import { buildIndex, openIndex } from '../../src/index.js'
import type { WalkedFile } from '../../src/types.js'
import { makeSample } from '../spine/sample.js'

const QUESTION = 'where is the retry queue of the Mailer?'

const removals: (() => void)[] = []
afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

const named = (paths: readonly string[]): readonly WalkedFile[] =>
  paths.map((path) => ({ path }) as WalkedFile)
const ordered = (paths: readonly string[], question: string): readonly string[] =>
  likelyFirst(named(paths), question).map(({ path }) => path)

describe('files that a question is likely to mean come first', () => {
  it('the more of its words a path says, whatever the writing', () => {
    expect(ordered(['a.ts', 'lib/mailer.ts', 'z/MailerRetries/queue_test.ts'], QUESTION)).toEqual([
      'z/MailerRetries/queue_test.ts',
      'lib/mailer.ts',
      'a.ts',
    ])
  })

  it('a word that few paths say counts more than one that many say', () => {
    expect(ordered(['q/queue/a.ts', 'q/queue/b.ts', 'q/queue/c.ts', 'zz/retry.ts'], QUESTION)[0]).toBe(
      'zz/retry.ts',
    )
  })

  it('the others stay as they were, and so do all where no word tells anything', () => {
    const paths = ['a/is.ts', 'b/the.ts', 'c/where.ts']
    expect(ordered(paths, QUESTION)).toEqual(paths)
    expect(ordered(paths, '?!')).toEqual(paths)
    expect(ordered(['q.ts', 'p.ts', 'mailer.ts'], QUESTION)).toEqual(['mailer.ts', 'q.ts', 'p.ts'])
  })
})

describe('a first build for a question', () => {
  const files = {
    ...Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `a/part${i}.ts`,
        `export function part${i}() { return ${i} }\n`,
      ]),
    ),
    'z/mailer/retry-queue.ts': 'export function retry(queue: string[]) { return queue.shift() }\n',
  }

  function made(): string {
    const { root, remove } = makeSample(files)
    removals.push(remove)
    return root
  }

  it('has the likely file when it is stopped early, though its path is the last', async () => {
    const root = made()
    const stopping = new AbortController()
    const build = buildIndex({
      root,
      jobs: 0,
      question: QUESTION,
      onProgress: ({ phase, done }) => {
        if (phase === 'index' && done > 0) stopping.abort()
      },
      signal: stopping.signal,
    })
    await expect(build).rejects.toMatchObject({ code: 'ABORTED' })
    const index = await openIndex({ root, allowPartial: true })
    expect(index.status.files).toBeLessThan(Object.keys(files).length)
    expect((await index.retrieve({ task: QUESTION })).files[0]?.path).toBe('z/mailer/retry-queue.ts')
    index.close()
  })

  it('answers in the end as one without', async () => {
    const answers = []
    for (const question of [undefined, QUESTION]) {
      const root = made()
      await buildIndex({ root, jobs: 0, ...(question === undefined ? {} : { question }) })
      const index = await openIndex({ root })
      const answer = await index.retrieve({ task: 'what does part7 return', explain: true, minRelevance: 0 })
      answers.push({ ...answer, ms: 0, cycles: answer.cycles.map((cycle) => ({ ...cycle, ms: 0 })) })
      index.close()
    }
    expect(answers[1]).toEqual(answers[0])
  })
})
