/** The scripts that note what hone knows, for training, run on what hone is now: on the fixture repositories. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FEEDBACK_SIGNALS } from '../../src/rank/feedback-signals.js'
import { SIGNALS } from '../../src/rank/signals.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'hone-dump-'))

interface Told {
  readonly signals: readonly string[]
  readonly tasks: readonly { readonly rows: number; readonly labels: string; readonly total: number }[]
}

beforeAll(() => {
  expect(inject('buildFailure')).toBe('')
})
afterAll(() => {
  rmSync(work, { recursive: true, force: true })
})

describe.each([
  { script: 'train-relevance/dump-signals.js', options: [], signals: SIGNALS },
  {
    script: 'train-feedback/dump-feedback.js',
    options: ['--models', join(ROOT, 'models', 'relevance-1')],
    signals: FEEDBACK_SIGNALS,
  },
])('$script', ({ script, options, signals }) => {
  test('writes a row of every signal for each candidate, and which of them are right', () => {
    const out = join(work, script.replace('/', '-'))
    execFileSync(
      process.execPath,
      [
        join(ROOT, 'scripts', script),
        ...['--hone', join(ROOT, 'dist'), '--tasks', 'fixtures', '--checkouts', join(work, 'fixtures')],
        ...['--indexes', join(work, 'indexes'), '--out', out, ...options],
      ],
      { stdio: 'pipe' },
    )
    const checkouts = readdirSync(out).filter((name) => name.endsWith('.json'))
    expect(checkouts.length).toBeGreaterThan(1)
    const labels = new Set<number>()
    for (const name of checkouts) {
      const told = JSON.parse(readFileSync(join(out, name), 'utf8')) as Told
      const rows = readFileSync(join(out, name.replace(/\.json$/, '.f32')))
      const values = new Float32Array(rows.buffer, rows.byteOffset, rows.length / 4)
      for (const task of told.tasks) for (const label of Buffer.from(task.labels, 'base64')) labels.add(label)
      expect(told.signals).toEqual(signals.map((signal) => signal.name))
      expect(values).toHaveLength(told.tasks.reduce((sum, task) => sum + task.rows, 0) * signals.length)
      expect(values.every(Number.isFinite)).toBe(true)
    }
    expect([...labels].sort()).toEqual([0, 1])
  })
})
