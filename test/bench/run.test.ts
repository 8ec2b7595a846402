/** A small run end to end, on the built product (dist/), as `npm run bench` does it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readOptions } from '../../scripts/bench/options.js'
import { toReport } from '../../scripts/bench/report.js'
import { runBenchmark, type RunOutcome } from '../../scripts/bench/run.js'
import { reportTables } from '../../scripts/bench/tables.js'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-bench-run-'))
  const repos = ['here', 'gone'].map((name) => ({
    name,
    language: 'go',
    url: `https://host/o/${name}`,
    root: '',
  }))
  write('labels/repos.json', JSON.stringify(repos))
  for (const { name } of repos) {
    const query = { query: 'retry with backoff', category: 'semantic', relevant: ['retry.go'] }
    write(`labels/queries/${name}.json`, JSON.stringify([query]))
  }
  write('repos/queries/here/retry.go', 'package net\n\n// Retry waits with backoff.\nfunc Retry() {}\n')
  write('repos/queries/here/parse.go', 'package net\n\nfunc Parse() {}\n')
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(): { readonly outcome: RunOutcome; readonly said: readonly string[] } {
  const args = ['--sets', 'queries', '--methods', 'bm25-sum,hone-1', '--no-time']
  const folders = ['labels', 'repos', 'cache'].flatMap((name) => [`--${name}`, join(folder, name)])
  const said: string[] = []
  const options = readOptions([...args, ...folders], PROJECT)
  const onProgress = (line: string): void => {
    said.push(line)
  }
  return { outcome: runBenchmark(options, { projectRoot: PROJECT, digest: 'test', onProgress }), said }
}

it('a missing repository is named and the rest is scored; a second run does only what is left', () => {
  const first = run()
  expect(first.said.map((line) => line.replace(/, \d.*/, ''))).toEqual(['[1/2] queries/here: 2 rankings'])

  const report = toReport(first.outcome, {
    environment: { madeAt: '', command: '', commit: '', codeDigest: '', machine: {}, versions: {} },
    learnedParts: [],
    only: [],
    methods: ['bm25-sum', 'hone-1'],
  })
  const [set] = report.sets
  expect(set?.isPartial).toBe(true)
  expect(set?.missing.map(({ name }) => name)).toEqual(['gone'])
  expect(set?.groups.map(({ repositories }) => repositories)).toEqual([['here']])
  expect(set?.groups[0]?.rows.map(({ metrics }) => metrics['NDCG@10']?.mean)).toEqual([1, 1])
  expect(reportTables(report)).toContain('### queries (PARTIAL)\n\nNot scored: **gone** (not laid out')

  // As if the run had been killed after its first ranking.
  rmSync(join(folder, 'cache', 'code-test', 'queries', 'here', 'queries', 'hone-1.json'))
  expect(run().said[0]).toContain('1 rankings')
  expect(run().said).toEqual(['[1/2] queries/here: done before'])
})
