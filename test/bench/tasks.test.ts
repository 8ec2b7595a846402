import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { publishedCommand, readOptions } from '../../scripts/bench/options.js'
import { readResult, tasksDigest, writeJson } from '../../scripts/bench/results.js'
import { readSet } from '../../scripts/bench/tasks.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-bench-test-'))
  mkdirSync(join(folder, 'queries'))
  writeFileSync(
    join(folder, 'repos.json'),
    JSON.stringify([{ name: 'a', language: 'go', url: 'https://host/o/a.git', revision: '1', root: 'lib' }]),
  )
  writeFileSync(
    join(folder, 'queries', 'a.json'),
    JSON.stringify([{ query: 'q', category: 'symbol', relevant: ['x', 'y'], secondary: ['y', 'z'] }]),
  )
  writeFileSync(
    join(folder, 'commits.jsonl'),
    '{"repo":"a","query":"one","relevant":["x"]}\n{"repo":"a","query":"two","relevant":["x","y"]}\n',
  )
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const folders = () => ({ labels: folder, fixtures: folder })

it('secondary paths are labels too, once each', () => {
  const { tasks, repositories } = readSet('queries', folders())
  expect(tasks).toEqual([
    { set: 'queries', repository: 'a', category: 'symbol', text: 'q', labels: ['x', 'y', 'z'] },
  ])
  expect(repositories).toEqual([{ name: 'a', language: 'go', root: 'lib', origin: 'https://host/o/a.git' }])
})

it('judged feedback takes commits with two files or more', () => {
  expect(readSet('commits', folders()).tasks).toHaveLength(2)
  expect(readSet('feedback', folders()).tasks.map(({ text }) => text)).toEqual(['two'])
})

it('a stored result is used only for the tasks it was made of', () => {
  const { tasks } = readSet('queries', folders())
  const digest = tasksDigest('/root', tasks)
  const path = join(folder, 'out', 'result.json')
  writeJson(path, { kind: 'ranking', tasksDigest: digest, tasks: [] })
  expect(readResult(path, digest)).toBeDefined()
  expect(readResult(path, tasksDigest('/elsewhere', tasks))).toBeUndefined()
  writeFileSync(path, '{"kind":')
  expect(readResult(path, digest)).toBeUndefined()
})

it('wrong options name the option and what it takes', () => {
  const read = (...args: string[]) => readOptions(args, '/project')
  expect(() => read('--sets', 'queries')).toThrow('needs --repos DIR')
  expect(() => read('--sets', 'all')).toThrow(
    '--sets takes fixtures, queries, commits, plain, feedback; not "all"',
  )
  expect(() => read('--methods', 'magic')).toThrow('not "magic"')
  expect(() => read('--compare', 'a')).toThrow('two files')
  expect(() => read('--fast')).toThrow('--fast')
  expect(read()).toMatchObject({ sets: ['fixtures'], labels: '/shared/bench', isTimed: true })
})

it('a published command names no folder of this machine', () => {
  const args = ['--sets', 'queries', '--repos', '/home/ada/repos', '--cache', '/tmp/x', '--no-time']
  expect(publishedCommand(args)).toBe('npm run bench -- --sets queries --repos DIR --no-time')
  expect(publishedCommand([])).toBe('npm run bench')
})
