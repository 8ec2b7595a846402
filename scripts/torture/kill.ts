/**
 * Kills index runs at random moments (SIGKILL, as the kernel does when memory is short), then asks and indexes again:
 * between, the index must say what it said before or what it says after; then all that a new index says.
 */
import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Activity } from './activity.js'
import { Questioner, type Outcome } from './questioner.js'
import type { Random } from './random.js'
import { newFolder, removeFolder, TASKS, writeScene, type Scene } from './scene.js'

const LOADER = fileURLToPath(new URL('../bench/loader.js', import.meta.url))
const ACTIVITY = fileURLToPath(new URL('./activity.ts', import.meta.url))

export const ACTIVITIES = ['first', 'rebuild', 'update', 'graph', 'compaction'] as const
export type ActivityName = (typeof ACTIVITIES)[number]

export interface KillCounts {
  readonly activity: ActivityName
  killed: number
  /** The run was over before the moment came. */
  finished: number
  /** After the kill: as before, as after, no index yet. */
  before: number
  after: number
  none: number
  /** Another answer than before and after, or none where there was one; with what was said. */
  readonly faults: string[]
}

/** Most scenes are quick; compaction begins at 4,096 dead chunks (store/compaction.ts). */
const SCENES: Readonly<Record<ActivityName, Scene>> = {
  first: { files: 150, functions: 3 },
  rebuild: { files: 150, functions: 3 },
  update: { files: 150, functions: 3 },
  graph: { files: 150, functions: 3 },
  compaction: { files: 215, functions: 20 },
}

/** Kills one kind of run `times` times at moments spread over as long as it takes. */
export async function killAgainAndAgain(
  activity: ActivityName,
  { times, random }: { readonly times: number; readonly random: Random },
): Promise<KillCounts> {
  const stage = new Stage(activity)
  try {
    await stage.prepare()
    const counts: KillCounts = { activity, killed: 0, finished: 0, before: 0, after: 0, none: 0, faults: [] }
    for (let i = 0; i < times; i++) await once(stage, counts, ((i + random()) / times) * stage.durationMs)
    return counts
  } finally {
    stage.close()
  }
}

async function once(stage: Stage, counts: KillCounts, afterMs: number): Promise<void> {
  stage.reset()
  const wasKilled = await stage.run(afterMs)
  counts[wasKilled ? 'killed' : 'finished']++
  const fault = (when: string, said: Outcome): void =>
    void counts.faults.push(
      `${when} (killed after ${Math.round(afterMs)} ms): ${JSON.stringify(said).slice(0, 400)}`,
    )
  const between = await stage.ask()
  if (between.kind === 'answered' && between.digest === stage.saysBefore) counts.before++
  else if (between.kind === 'answered' && between.digest === stage.saysAfter) counts.after++
  else if (stage.saysBefore === undefined && isMissing(between)) counts.none++
  else fault('between', between)
  const next = await stage.ask('update')
  if (next.kind !== 'answered' || next.digest !== stage.saysAfter) fault('after the next run', next)
}

function isMissing(said: Outcome): boolean {
  return said.kind === 'refused' && said.code === 'INDEX_MISSING'
}

/** A repository with the index that a run begins with, kept aside to begin again. */
class Stage {
  readonly #root = newFolder('kill')
  readonly #kept = newFolder('kept')
  readonly #questioner = new Questioner()
  durationMs = 0
  saysBefore: string | undefined
  saysAfter = ''

  constructor(readonly activity: ActivityName) {}

  async prepare(): Promise<void> {
    const scene = SCENES[this.activity]
    writeScene(this.#root, scene, 1)
    if (this.activity !== 'first') this.saysBefore = await this.#digest('rebuild')
    if (this.activity === 'compaction') {
      // One dead version; the next update makes it two to one.
      writeScene(this.#root, scene, 2)
      this.saysBefore = await this.#digest('update')
    }
    if (this.activity === 'update' || this.activity === 'compaction') {
      this.#keep()
      writeScene(this.#root, scene, 3)
    } else this.#keep()
    await this.run(Infinity)
    this.saysAfter = await this.#digest()
  }

  reset(): void {
    removeFolder(join(this.#root, '.hone'))
    if (this.activity !== 'first') cpSync(this.#kept, join(this.#root, '.hone'), { recursive: true })
  }

  /** Whether the run was killed; false when it was over before. */
  async run(killAfterMs: number): Promise<boolean> {
    const isNew = this.activity === 'rebuild'
    const graph = this.activity === 'graph' ? { graphFrom: 10 } : {}
    const request: Activity = { root: this.#root, rebuild: isNew, jobs: 0, ...graph }
    const child = spawn(process.execPath, ['--import', LOADER, ACTIVITY, JSON.stringify(request)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    const begun = new Promise<void>((resolve) => {
      child.stdout.on('data', (piece: Buffer) => {
        said += piece.toString()
        resolve()
      })
    })
    const ended = new Promise<NodeJS.Signals | null>((resolve) => {
      child.on('close', (code, signal) => {
        if (signal === null && code !== 0) said += ` code ${code}`
        resolve(signal)
      })
    })
    await Promise.race([begun, ended])
    const startedAt = performance.now()
    if (killAfterMs !== Infinity) {
      await Promise.race([delay(killAfterMs), ended])
      child.kill('SIGKILL')
    }
    const signal = await ended
    if (signal === null && !said.includes('end')) throw new Error(`the run failed: ${said}`)
    if (killAfterMs === Infinity) this.durationMs = performance.now() - startedAt
    return signal !== null
  }

  ask(index?: 'update' | 'rebuild'): Promise<Outcome> {
    const graph = this.activity === 'graph' ? { graphFrom: 10 } : {}
    return this.#questioner.ask({
      root: this.#root,
      tasks: TASKS,
      ...(index === undefined ? {} : { index }),
      ...graph,
    })
  }

  close(): void {
    this.#questioner.close()
    removeFolder(this.#root)
    removeFolder(this.#kept)
  }

  #keep(): void {
    removeFolder(this.#kept)
    if (this.activity !== 'first') cpSync(join(this.#root, '.hone'), this.#kept, { recursive: true })
  }

  async #digest(index?: 'update' | 'rebuild'): Promise<string> {
    const said = await this.ask(index)
    if (said.kind !== 'answered') throw new Error(JSON.stringify(said))
    return said.digest
  }
}
