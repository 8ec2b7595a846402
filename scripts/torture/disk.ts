/**
 * Fills the disk of an index to many levels and updates and rebuilds it there: done or told, and whatever was told, the
 * index still answers. The disk is a small tmpfs, so this needs the right to mount one (root, or `unshare -rm`).
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Questioner, type Outcome } from './questioner.js'
import { newFolder, removeFolder, TASKS, writeScene, type Scene } from './scene.js'

export interface DiskCounts {
  levels: number
  /** Runs that had room enough. */
  done: number
  told: number
  readonly faults: string[]
}

const SCENE: Scene = { files: 120, functions: 3 }
const DISK_BYTES = 16 << 20
// An update that changes every file needs several times the size of the index for its log: some levels have the room.
const ROOM_TIMES_INDEX = 6
// Readers of one index share so much memory through a file; without room for it nobody can read, and is told.
const SHARED_BYTES = 64 << 10

/** A mounted tmpfs, or undefined where mounting is not allowed. */
function smallDisk(): string | undefined {
  const folder = newFolder('disk')
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder])
  return status === 0 ? folder : undefined
}

/** Undefined where no small disk can be mounted. */
export async function fillDisk(levels: number): Promise<DiskCounts | undefined> {
  const disk = smallDisk()
  if (disk === undefined) return undefined
  const root = newFolder('full')
  const kept = newFolder('kept')
  const questioner = new Questioner({ HONE_INDEX_DIR: disk })
  const ask = (index?: 'update' | 'rebuild'): Promise<Outcome> =>
    questioner.ask({ root, tasks: TASKS, ...(index === undefined ? {} : { index }) })
  try {
    writeScene(root, SCENE, 1)
    const before = digestOf(await ask('rebuild'))
    cpSync(disk, kept, { recursive: true })
    writeScene(root, SCENE, 2)
    const after = digestOf(await ask('rebuild'))
    const neededBytes = bytesIn(disk) * ROOM_TIMES_INDEX
    const counts: DiskCounts = { levels, done: 0, told: 0, faults: [] }
    for (let level = 0; level < levels; level++) {
      for (const run of ['update', 'rebuild'] as const) {
        empty(disk)
        cpSync(kept, disk, { recursive: true })
        const freeBytes = Math.floor((neededBytes * level) / levels)
        fill(disk, freeBytes)
        const fault = (when: string, said: Outcome): void =>
          void counts.faults.push(
            `${run}, ${freeBytes} bytes free, ${when}: ${JSON.stringify(said).slice(0, 400)}`,
          )
        const ran = await ask(run)
        if (ran.kind === 'answered' && ran.digest === after) counts.done++
        else if (ran.kind === 'refused' && ran.code === 'INDEX_UNWRITABLE') counts.told++
        else fault('ran', ran)
        const between = await ask()
        const isTold =
          between.kind === 'refused' && between.code === 'INDEX_UNWRITABLE' && freeBytes < SHARED_BYTES
        const isRight = between.kind === 'answered' && [before, after].includes(between.digest)
        if (!isTold && !isRight) fault('asked', between)
        rmSync(join(disk, FILLER))
        const next = await ask('update')
        if (next.kind !== 'answered' || next.digest !== after) fault('with room again', next)
      }
    }
    return counts
  } finally {
    questioner.close()
    spawnSync('umount', ['-l', disk])
    for (const folder of [disk, root, kept]) removeFolder(folder)
  }
}

const FILLER = 'filler'

function fill(disk: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, FILLER), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)))
}

function empty(disk: string): void {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) mkdirSync(folder)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

function digestOf(said: Outcome): string {
  if (said.kind !== 'answered') throw new Error(JSON.stringify(said))
  return said.digest
}
