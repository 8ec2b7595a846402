/**
 * Golden rankings: the answer to every task of the fixture repositories, one file each under test/golden.
 * They pin nothing by themselves; a change of ranking refreshes them (`npm test -- -u`) and their diff is reviewed.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchesLabel } from '../../scripts/bench/metrics.js'
import { readSet, type Task } from '../../scripts/bench/tasks.js'
import { buildIndex, openIndex, type Answer, type AnswerFile, type HoneIndex } from '../../src/index.js'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))
const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url))

const { repositories, tasks } = readSet('fixtures', { labels: '', fixtures: FIXTURES })

describe.each(repositories)('$name', ({ name }) => {
  let folder: string
  let index: HoneIndex

  beforeAll(async () => {
    // A copy outside this repository: its history and its ignore files must not reach the fixtures.
    folder = mkdtempSync(join(tmpdir(), 'hone-golden-'))
    const root = join(folder, name)
    cpSync(join(FIXTURES, 'repos', name), root, { recursive: true })
    await buildIndex({ root })
    index = await openIndex({ root })
  })

  afterAll(() => {
    index.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(tasks.filter(({ repository }) => repository === name))('$text', async (task) => {
    const answer = await index.retrieve({ task: task.text, minRelevance: 0 })
    await expect(golden(task, answer)).toMatchFileSnapshot(join(GOLDEN, name, `${slug(task.text)}.txt`))
  })
})

/** The task, then a line each file ("*" = labelled relevant) and its reason below it, then labels that are not there. */
function golden({ text, category, labels }: Task, answer: Answer): string {
  const isLabelled = ({ path }: AnswerFile): boolean => labels.some((label) => matchesLabel(path, label))
  const missed = labels.filter((label) => !answer.files.some(({ path }) => matchesLabel(path, label)))
  return [
    `${category}: ${text}`,
    `stop: ${answer.stop}`,
    '',
    ...answer.files.flatMap((file) => [
      `${isLabelled(file) ? '*' : ' '} ${file.relevance.toFixed(2)} ${file.path} ${lines(file)}`,
      `       ${file.reason}`,
    ]),
    ...missed.map((path) => `missed ${path}`),
    '',
  ].join('\n')
}

function lines({ ranges }: AnswerFile): string {
  return ranges.map(({ start, end }) => `${start}-${end}`).join(',')
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
}
