/**
 * Several processes at one index: writers that change files and index them, readers that ask all the while. A reader
 * must always be answered, from one moment of the index, and never miss what nobody touched.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Questioner } from './questioner.js'
import { newFolder, removeFolder, TASKS, writeScene } from './scene.js'

const LOADER = fileURLToPath(new URL('../bench/loader.js', import.meta.url))
const MEMBER = fileURLToPath(new URL('./crowd-member.ts', import.meta.url))

export interface CrowdCounts {
  /** Index runs and answers, all members together. */
  runs: number
  busy: number
  answers: number
  readonly faults: string[]
}

export async function crowd(options: {
  readonly writers: number
  readonly readers: number
  readonly ms: number
}): Promise<CrowdCounts> {
  const root = newFolder('crowd')
  const questioner = new Questioner()
  const counts: CrowdCounts = { runs: 0, busy: 0, answers: 0, faults: [] }
  try {
    writeScene(root, { files: 60, functions: 2 }, 1)
    const first = await questioner.ask({ root, tasks: TASKS, index: 'rebuild' })
    if (first.kind !== 'answered') throw new Error(JSON.stringify(first))
    const roles = [
      ...Array<string>(options.writers).fill('writer'),
      ...Array<string>(options.readers).fill('reader'),
    ]
    const ended = await Promise.all(
      roles.map((role, i) => member([role, root, String(i), String(options.ms)])),
    )
    for (const { runs, busy, answers, faults } of ended) {
      counts.runs += runs
      counts.busy += busy
      counts.answers += answers
      counts.faults.push(...faults)
    }
    const updated = await questioner.ask({ root, tasks: TASKS, index: 'update' })
    const anew = await questioner.ask({ root, tasks: TASKS, index: 'rebuild' })
    if (updated.kind !== 'answered' || JSON.stringify(updated) !== JSON.stringify(anew))
      counts.faults.push(`in the end ${JSON.stringify(updated)}, anew ${JSON.stringify(anew)}`)
    return counts
  } finally {
    questioner.close()
    removeFolder(root)
  }
}

/** Runs one member to its end; a death is a fault. */
function member(args: readonly string[]): Promise<CrowdCounts> {
  const child = spawn(process.execPath, ['--import', LOADER, MEMBER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      const fault = `${args[0] ?? ''} ended with ${signal ?? `code ${code}`}`
      resolve(
        code === 0 ? (JSON.parse(said) as CrowdCounts) : { runs: 0, busy: 0, answers: 0, faults: [fault] },
      )
    })
  })
}
