/** Judgements on the command line, end to end. */
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/index.js'
import { shapeFaults } from '../helpers/answer-shape.js'
import { answerOf, hone, withoutTimes, type Ran } from '../helpers/command.js'
import { sampleOfCommand } from '../helpers/indexed-sample.js'

const TASK = 'refresh the session of a user'

const sample = sampleOfCommand()

const query = (...args: readonly string[]): Ran => hone(['query', '--repo', sample.root, ...args])
const json = (...args: readonly string[]): Answer =>
  answerOf(query(TASK, '--format', 'json', '--min-relevance', '0', ...args))
const timeless = (line: string): unknown => JSON.parse(withoutTimes(line))
const pathsOf = ({ files }: Answer): readonly string[] => files.map(({ path }) => path)

describe('hone query', () => {
  it('--relevant: the file is certain and first, and its reason says so', () => {
    const answer = json('--relevant', 'src/throttle.ts')
    expect(shapeFaults(answer)).toEqual([])
    expect(answer.files[0]).toMatchObject({ path: 'src/throttle.ts', relevance: 0.9999 })
    expect(answer.files[0]?.reason).toMatch(/^judged relevant/)
  })

  it('--irrelevant: the file is gone, the others are there', () => {
    const answer = json('--irrelevant', 'src/session.ts', '--irrelevant', 'src/table.ts')
    expect(pathsOf(answer)).not.toContain('src/session.ts')
    expect(pathsOf(answer)).not.toContain('src/table.ts')
    expect(pathsOf(answer)).toContain('src/token.ts')
  })

  it('--new: judged files are left out', () => {
    const answer = json('--relevant', 'src/session.ts', '--irrelevant', 'src/table.ts', '--new')
    expect(pathsOf(answer)).not.toContain('src/session.ts')
    expect(pathsOf(answer)).not.toContain('src/table.ts')
    expect(answer.files.length).toBeGreaterThan(0)
  })

  it('an unknown path is wrong usage that names near ones; so is one outside', () => {
    const unknown = query(TASK, '--relevant', 'src/tokn.ts')
    expect(unknown).toMatchObject({ code: 2, out: '' })
    expect(unknown.err).toMatch(/src\/tokn\.ts is not in the index; did you mean src\/token\.ts/)
    const outside = query(TASK, '--irrelevant', '../elsewhere.ts')
    expect(outside).toMatchObject({ code: 2, out: '' })
    expect(outside.err).toContain('../elsewhere.ts is outside')
  })

  it('--help shows how', () => {
    const { out } = hone(['query', '--help'])
    for (const option of ['--relevant', '--irrelevant', '--new']) expect(out).toContain(option)
    expect(out).toMatch(/hone query .* --relevant \S+/)
  })
})

describe('a batch', () => {
  const batch = (...lines: readonly unknown[]): Ran =>
    hone(['query', '--repo', sample.root, '--batch', '-', '--min-relevance', '0'], {
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    })

  it('takes judgements with each task, which say the same there', () => {
    const judged = { task: TASK, relevant: ['src/session.ts'], irrelevant: ['src/table.ts'] }
    const { out } = batch(judged, { task: TASK })
    const [first, second] = out.trim().split('\n').map(timeless)
    const alone = timeless(
      JSON.stringify(json('--relevant', 'src/session.ts', '--irrelevant', 'src/table.ts')),
    )
    expect(first).toEqual(alone)
    expect(second).toEqual(timeless(JSON.stringify(json())))
  })

  it.each([
    ['a path', { relevant: 'src/session.ts' }, 'relevant'],
    ['numbers', { irrelevant: [1] }, 'irrelevant'],
    ['nothing', { irrelevant: null }, 'irrelevant'],
  ])('with %s for a list of paths is wrong usage that names line and field', (_, fields, name) => {
    const { code, err } = batch({ task: TASK }, { task: TASK, ...fields })
    expect(code).toBe(2)
    expect(err).toContain('line 2')
    expect(err).toContain(`"${name}"`)
  })
})
