/** One process of the crowd: `writer|reader ROOT NUMBER MS`. Prints its counts as JSON at the end. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildIndex, HoneError, openIndex, type Answer } from '../../src/index.js'
import type { CrowdCounts } from './crowd.js'
import { seeded } from './random.js'
import { writeFile } from './scene.js'

const [role, root = '', number = '0', ms = '0'] = process.argv.slice(2)
const random = seeded(Number(number) + 1)
const counts: CrowdCounts = { runs: 0, busy: 0, answers: 0, faults: [] }
const endsAt = Date.now() + Number(ms)
for (let turn = 0; Date.now() < endsAt; turn++) {
  try {
    await (role === 'writer' ? write(turn) : read())
  } catch (error) {
    const isBusy = role === 'writer' && error instanceof HoneError && error.code === 'INDEX_BUSY'
    if (isBusy) counts.busy++
    else
      counts.faults.push(
        `${role ?? ''} ${number}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
      )
  }
}
process.stdout.write(JSON.stringify(counts))

/** Writes or removes files that are this writer's own, and indexes; sometimes all anew. */
async function write(turn: number): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const path = `own${number}/file${Math.floor(random() * 20)}.ts`
    if (random() < 0.3) rmSync(join(root, path), { force: true })
    else
      writeFile(
        root,
        path,
        `export function changing${number}(token: string) {\n  return token + ${turn}\n}\n`,
      )
  }
  await buildIndex({ root, jobs: 0, rebuild: random() < 0.2 })
  counts.runs++
  await delay(random() * 50)
}

/** Asks for a function that nobody touches, twice of one moment, sometimes after a refresh. */
async function read(): Promise<void> {
  const wanted = Math.floor(random() * 60)
  const index = await openIndex({ root, refresh: random() < 0.3 })
  try {
    const session = index.start({ task: `made${wanted}x1`, minRelevance: 0 })
    const [first, second] = [await session.finish(), session.answer()]
    counts.answers++
    if (!first.files.some(({ path }) => path === `part${wanted % 7}/made${wanted}.ts`))
      counts.faults.push(
        `made${wanted}x1 is not found: ${JSON.stringify(first.files.map(({ path }) => path))}`,
      )
    if (bare(first) !== bare(second))
      counts.faults.push(`two answers of one moment differ for made${wanted}x1`)
  } finally {
    index.close()
  }
}

function bare(answer: Answer): string {
  return JSON.stringify({ ...answer, ms: 0 })
}
