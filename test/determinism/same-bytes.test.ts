/** Equal input on an equal index gives equal bytes, whatever else differs: process, threads, place, language, order. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hone, withoutTimes, type RunOptions } from '../helpers/command.js'
import { makeSample, put, SAMPLE } from '../spine/sample.js'

const TASKS = ['sign the token', 'rate limiting of calls', 'made7', 'src/table.ts', '令牌', 'twin']

const removals: (() => void)[] = []
afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

const FILES: Readonly<Record<string, string>> = {
  ...SAMPLE,
  ...Object.fromEntries(
    Array.from({ length: 130 }, (_, i) => [
      `many/m${i}.ts`,
      `export function made${i}() {\n  return ${i}\n}\n`,
    ]),
  ),
  ...Object.fromEntries(
    ['b', 'Z', 'é', 'a', '10', '9'].map((name) => [`${name}/twin.ts`, 'export const twin = 1\n']),
  ),
}

function repositoryOf(files: Readonly<Record<string, string>>): string {
  const { root, remove } = makeSample(files)
  removals.push(remove)
  return root
}

function answersOf(root: string, options: RunOptions = {}, ...args: readonly string[]): string {
  const { out, code, err } = hone(
    [
      'query',
      '--repo',
      root,
      '--batch',
      '-',
      '--explain',
      '--min-relevance',
      '0',
      '--limit',
      '200',
      '--budget-tokens',
      '6000',
      ...args,
    ],
    { ...options, input: TASKS.join('\n') },
  )
  if (code !== 0) throw new Error(err)
  return withoutTimes(out)
}

describe('the same bytes come from', () => {
  it('two runs, and a batch in another order', () => {
    const root = repositoryOf(FILES)
    const first = answersOf(root)
    expect(answersOf(root)).toBe(first)
    const backwards = hone(
      [
        'query',
        '--repo',
        root,
        '--batch',
        '-',
        '--explain',
        '--min-relevance',
        '0',
        '--limit',
        '200',
        '--budget-tokens',
        '6000',
      ],
      { input: TASKS.toReversed().join('\n') },
    )
    expect(withoutTimes(backwards.out).trimEnd().split('\n').toReversed()).toEqual(
      first.trimEnd().split('\n'),
    )
  })

  it('any number of threads, and files written in any order', () => {
    const roots = [Object.entries(FILES), Object.entries(FILES).toReversed()].map((entries) =>
      repositoryOf(Object.fromEntries(entries)),
    )
    const answers = roots.flatMap((root) =>
      ['0', '1', '4'].map((jobs) => {
        expect(hone(['index', root, '--rebuild', '--jobs', jobs]).code).toBe(0)
        return answersOf(root)
      }),
    )
    expect(new Set(answers).size).toBe(1)
  })

  it('another place, folder, language, time zone and user', () => {
    const root = repositoryOf(FILES)
    const first = answersOf(root)
    const env = {
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      TZ: 'Asia/Kathmandu',
      HOME: '/nowhere',
    }
    expect(answersOf(root, { env, cwd: join(root, 'src') })).toBe(first)
    hone(['index', root, '--rebuild'], { env })
    expect(answersOf(root)).toBe(first)
    const moved = `${root}-moved`
    renameSync(root, moved)
    removals.push(() => {
      renameSync(moved, root)
    })
    expect(answersOf(moved)).toBe(first)
  })

  it('an index that was updated file by file', () => {
    const whole = repositoryOf(FILES)
    const grown = repositoryOf({})
    hone(['index', grown])
    const paths = Object.keys(FILES)
    for (const part of [paths.slice(100), paths.slice(20, 100), paths.slice(0, 20)]) {
      for (const path of part) put(grown, path, FILES[path] ?? '')
      hone(['index', grown])
    }
    expect(answersOf(grown)).toBe(answersOf(whole))
  })
})
