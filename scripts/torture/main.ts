/**
 * What must never break an index, tried for as long as one likes (scripts/torture/README.md).
 * usage: npm run build && node --import ./scripts/bench/loader.js scripts/torture/main.ts
 *   kill [TIMES] | damage [PLACES] | disk [LEVELS] | crowd [SECONDS]   (--seed N)
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { crowd } from './crowd.js'
import { damageEverything } from './damage.js'
import { fillDisk } from './disk.js'
import { ACTIVITIES, killAgainAndAgain } from './kill.js'
import { Questioner } from './questioner.js'
import { seeded } from './random.js'
import { newFolder, removeFolder } from './scene.js'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const [what, amount] = positionals
const random = seeded(Number(values.seed))
// Many words, so that most of the index is read.
const DAMAGE_TASKS = [
  'where is the write lock of the index taken and released',
  'cosine similarity of vectors in a table',
  'parse comments of a language with tree-sitter and cut chunks',
  'readSource',
  'history of commits, renames and co-change signals',
  'src/cli/query-command.ts options and exit codes',
]

const USAGE = 'say what: kill, damage, disk or crowd'
const print = (value: unknown): void => {
  console.log(JSON.stringify(value, null, 1))
}

switch (what) {
  case 'kill':
    for (const activity of ACTIVITIES)
      print(
        await killAgainAndAgain(activity, {
          times: Math.ceil(Number(amount ?? 200) / ACTIVITIES.length),
          random,
        }),
      )
    break
  case 'damage':
    await damage(Number(amount ?? 200))
    break
  case 'disk':
    print((await fillDisk(Number(amount ?? 20))) ?? 'no small disk can be mounted here; try: unshare -rm')
    break
  case 'crowd':
    print(await crowd({ writers: 2, readers: 8, ms: Number(amount ?? 120) * 1000 }))
    break
  case undefined:
  default:
    console.error(USAGE)
    process.exitCode = 2
}

/** Damages the index of this repository's own sources. */
async function damage(places: number): Promise<void> {
  const root = newFolder('damage')
  try {
    cpSync(fileURLToPath(new URL('../../src', import.meta.url)), join(root, 'src'), { recursive: true })
    const questioner = new Questioner()
    await questioner.ask({ root, tasks: [], index: 'rebuild' })
    questioner.close()
    await damageEverything({ root, tasks: DAMAGE_TASKS, places, random, onFile: print })
  } finally {
    removeFolder(root)
  }
}
