/** scripts/torture in small numbers: real processes, killed, crowded, out of disk, on damaged files. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { crowd } from '../../scripts/torture/crowd.js'
import { damageEverything } from '../../scripts/torture/damage.js'
import { fillDisk } from '../../scripts/torture/disk.js'
import { ACTIVITIES, killAgainAndAgain } from '../../scripts/torture/kill.js'
import { seeded } from '../../scripts/torture/random.js'
import { newFolder, removeFolder } from '../../scripts/torture/scene.js'
import { command } from '../helpers/command.js'
import { build } from '../build/index-states.js'

const TIMEOUT_MS = 600_000
const made: string[] = []
afterAll(() => {
  made.forEach(removeFolder)
})

describe('a process killed at any moment', () => {
  it.each(ACTIVITIES)(
    'of %s loses nothing and answers nothing wrong',
    async (activity) => {
      command() // compiled, or this test says why not
      const { killed, finished, faults } = await killAgainAndAgain(activity, { times: 3, random: seeded(7) })
      expect(killed + finished).toBe(3)
      expect(faults).toEqual([])
    },
    TIMEOUT_MS,
  )
})

describe('writers and readers at once', () => {
  it(
    'are answered, miss nothing, and leave what a new index holds',
    async () => {
      const { runs, answers, faults } = await crowd({ writers: 2, readers: 3, ms: 6000 })
      expect(faults).toEqual([])
      expect(runs).toBeGreaterThan(0)
      expect(answers).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})

describe('a full disk', () => {
  it(
    'is told or does not matter, and the index answers',
    async ({ skip }) => {
      const counts = await fillDisk(3)
      if (counts === undefined) skip('no small disk can be mounted here')
      expect(counts?.faults).toEqual([])
      expect(counts?.told).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})

describe('every file of an index, cut off or with a bit flipped', () => {
  it(
    'is told with the command that mends it, or makes no difference; nothing crashes',
    async () => {
      const root = newFolder('damage')
      made.push(root)
      cpSync(join(import.meta.dirname, '../../src/store'), join(root, 'store'), { recursive: true })
      await build(root)
      const all = await damageEverything({
        root,
        tasks: ['where is the write lock taken', 'cosine of vectors', 'posting lists'],
        places: 5,
        random: seeded(3),
      })
      expect(all.map(({ file }) => file)).toEqual(
        expect.arrayContaining(['current', 'index-1.db', 'settings.json']),
      )
      for (const { file, how, wrong, crashed, unmended, examples } of all)
        expect({ file, how, wrong, crashed, unmended }, examples.join('\n')).toEqual({
          file,
          how,
          wrong: 0,
          crashed: 0,
          unmended: 0,
        })
    },
    TIMEOUT_MS,
  )
})
