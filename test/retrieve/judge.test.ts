/** Judgements: what they do to an answer, through the library. */
import { describe, expect, it } from 'vitest'
import { type Answer, type Judgement, type RetrieveOptions } from '../../src/index.js'
import { shapeFaults } from '../helpers/answer-shape.js'
import { pathsOf } from '../helpers/answers.js'
import { bytesOf } from '../helpers/answers.js'
import { indexedSample } from '../helpers/indexed-sample.js'
import { SAMPLE } from '../spine/sample.js'

const TASK = 'Session refresh for a user'

const sample = indexedSample({
  ...SAMPLE,
  'src/far/away.ts': 'export const unrelated = 1\n',
  'src/far/near.ts': "import { unrelated } from './away.js'\n\nexport const twice = unrelated * 2\n",
})

const ask = (options: Omit<RetrieveOptions, 'task'> = {}): Promise<Answer> =>
  sample.index.retrieve({ task: TASK, minRelevance: 0, limit: 50, ...options })
const yes = (path: string): Judgement => ({ path, relevant: true })
const no = (path: string): Judgement => ({ path, relevant: false })

describe('a file judged relevant', () => {
  it('is certain, first, and says why', async () => {
    const { files } = await ask({ judgements: [yes('src/table.ts')] })
    expect(files[0]).toMatchObject({ path: 'src/table.ts', relevance: 0.9999, band: 'high' })
    expect(files[0]?.reason).toMatch(/^judged relevant/)
  })

  it('is part of the answer although no search would bring it in', async () => {
    const answer = await ask({ judgements: [yes('src/far/away.ts')], minRelevance: 0.5 })
    expect(pathsOf(answer)).toContain('src/far/away.ts')
    expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
  })

  it('is not, past the limits of the caller', async () => {
    const { files } = await ask({ judgements: [yes('src/far/away.ts')], exclude: ['src/far'] })
    expect(files.map(({ path }) => path)).not.toContain('src/far/away.ts')
    expect(files.length).toBeGreaterThan(0)
  })

  it('stays certain in every later cycle', async () => {
    const session = sample.index.start({ task: TASK, minRelevance: 0 })
    await session.next()
    session.judge([yes('src/table.ts')])
    for (const answer of [session.answer(), await session.next(), await session.next()])
      expect(answer.files[0]).toMatchObject({ path: 'src/table.ts', relevance: 0.9999 })
  })
})

describe('a file judged irrelevant', () => {
  it('leaves at once and never comes back', async () => {
    const session = sample.index.start({ task: TASK, minRelevance: 0 })
    const [first] = pathsOf(await session.next())
    session.judge([no(first!)])
    for (const answer of [session.answer(), await session.next(), await session.next()])
      expect(pathsOf(answer)).not.toContain(first)
  })

  it('is among the excludes of the cycles that know of it', async () => {
    const { cycles } = await ask({ judgements: [no('src/token.ts')] })
    for (const { query } of cycles) expect(query.excludes).toContain('src/token.ts')
  })

  it('comes back when a later judgement says so', async () => {
    const session = sample.index.start({ task: TASK, minRelevance: 0 })
    await session.next()
    session.judge([no('src/token.ts')])
    session.judge([yes('src/token.ts')])
    expect(pathsOf(await session.next())[0]).toBe('src/token.ts')
  })

  it('all of them leave an answer that says so', async () => {
    const all = sample.index.files().map(no)
    expect(await ask({ judgements: all })).toMatchObject({ stop: 'no-match', files: [] })
  })
})

describe('judgements', () => {
  it('say the same in any order, and twice the same', async () => {
    const judgements = [yes('src/session.ts'), no('src/table.ts'), yes('src/throttle.ts')]
    const first = bytesOf(await ask({ judgements, explain: true }))
    expect(bytesOf(await ask({ judgements: [...judgements].reverse(), explain: true }))).toBe(first)
    expect(bytesOf(await ask({ judgements: [...judgements, ...judgements], explain: true }))).toBe(first)
  })

  it('of a path in another spelling are of the same file', async () => {
    const spelled = await ask({
      judgements: [yes(`${sample.root}/src/table.ts`), no('./src/../src/token.ts')],
    })
    expect(bytesOf(spelled)).toBe(
      bytesOf(await ask({ judgements: [yes('src/table.ts'), no('src/token.ts')] })),
    )
  })

  it('of a path that is not indexed are an error that names near ones', async () => {
    const asked = ask({ judgements: [yes('source/tokens.ts')] })
    await expect(asked).rejects.toMatchObject({ name: 'HoneError', code: 'PATH_UNKNOWN' })
    await expect(asked).rejects.toThrow(/source\/tokens\.ts.*src\/token\.ts/)
  })

  it.each(['../x.ts', '/etc/passwd', 'src/../../x.ts', '..'])(
    'of a path outside (%s) are refused',
    async (path) => {
      await expect(ask({ judgements: [no(path)] })).rejects.toMatchObject({ code: 'PATH_OUTSIDE' })
    },
  )

  it('of a path without end are refused in a few words', async () => {
    const path = 'src/'.repeat(1_000_000)
    const error: unknown = await ask({ judgements: [no(path)] }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'PATH_UNKNOWN' })
    expect((error as Error).message.length).toBeLessThan(400)
  })

  it('that contradict one another are an error', async () => {
    const asked = ask({ judgements: [yes('src/token.ts'), no('src/token.ts')] })
    await expect(asked).rejects.toMatchObject({ code: 'USAGE' })
    await expect(asked).rejects.toThrow('src/token.ts')
  })

  it('that are refused leave a session as it was', async () => {
    const session = sample.index.start({ task: TASK, minRelevance: 0 })
    const before = await session.next()
    expect(() => {
      session.judge([no('src/token.ts'), yes('nowhere.ts')])
    }).toThrow('nowhere.ts')
    expect(pathsOf(session.answer())).toEqual(pathsOf(before))
  })

  it('can be left out of the answer', async () => {
    const judgements = [yes('src/session.ts'), no('src/table.ts')]
    const kept = pathsOf(await ask({ judgements }))
    expect(pathsOf(await ask({ judgements, onlyNew: true }))).toEqual(
      kept.filter((path) => path !== 'src/session.ts'),
    )
  })
})

describe('a judge', () => {
  it('is shown the answer of every cycle, and what it says counts', async () => {
    const shown: Answer[] = []
    const answer = await ask({
      judge: (so) => {
        shown.push(so)
        return shown.length === 1 ? [no(so.files[0]!.path)] : []
      },
    })
    expect(shown.length).toBe(answer.cycles.length)
    expect(shown.length).toBeGreaterThan(1)
    expect(pathsOf(answer)).not.toContain(shown[0]?.files[0]?.path)
  })

  it('with nothing to say changes nothing', async () => {
    expect(bytesOf(await ask({ judge: () => Promise.resolve([]) }))).toBe(bytesOf(await ask()))
  })

  it('that never has enough gets three cycles, and its last word counts', async () => {
    let asked = 0
    const answer = await ask({
      judge: ({ files }) => {
        asked++
        return files.slice(0, 1).map(({ path }) => no(path))
      },
    })
    expect({ asked, cycles: answer.cycles.length }).toEqual({ asked: 3, cycles: 3 })
    expect(shapeFaults(JSON.parse(JSON.stringify(answer)))).toEqual([])
  })

  it('that fails is not an answer', async () => {
    await expect(ask({ judge: () => Promise.reject(new Error('no judge today')) })).rejects.toThrow(
      'no judge today',
    )
  })
})
