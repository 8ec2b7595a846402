/**
 * Truncates and flips one bit of every file of an index at many places: each must be told (and the command it names
 * must mend it) or make no difference; never a crash, never a fault, never another answer.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Questioner, type Outcome } from './questioner.js'
import type { Random } from './random.js'

export interface DamageCounts {
  readonly file: string
  readonly how: 'cut' | 'flipped'
  tried: number
  harmless: number
  told: number
  /** Answered, but otherwise. */
  wrong: number
  /** The process died, or said that hone is at fault. */
  crashed: number
  /** The command that the message named did not bring the answers back. */
  unmended: number
  readonly examples: string[]
}

export interface DamageOptions {
  readonly root: string
  readonly tasks: readonly string[]
  readonly places: number
  readonly random: Random
  readonly onFile?: (counts: DamageCounts) => void
}

/** The index of `root` must be there and sound; it is so again at the end. */
export async function damageEverything(options: DamageOptions): Promise<readonly DamageCounts[]> {
  const { root, tasks } = options
  const folder = join(root, '.hone')
  const sound = mkdtempSync(join(tmpdir(), 'hone-sound-'))
  copyFolder(folder, sound)
  const questioner = new Questioner()
  try {
    const expected = await questioner.ask({ root, tasks })
    if (expected.kind !== 'answered')
      throw new Error(`no sound index to begin with: ${JSON.stringify(expected)}`)
    const all: DamageCounts[] = []
    for (const file of readdirSync(sound).sort()) {
      for (const how of ['cut', 'flipped'] as const) {
        const counts = await damageFile({
          ...options,
          folder,
          sound,
          file,
          how,
          questioner,
          expected: expected.digest,
        })
        options.onFile?.(counts)
        all.push(counts)
      }
    }
    return all
  } finally {
    questioner.close()
    copyFolder(sound, folder)
    rmSync(sound, { recursive: true })
  }
}

async function damageFile(
  options: DamageOptions & {
    readonly folder: string
    readonly sound: string
    readonly file: string
    readonly how: 'cut' | 'flipped'
    readonly questioner: Questioner
    readonly expected: string
  },
): Promise<DamageCounts> {
  const { root, tasks, places, random, folder, sound, file, how, questioner, expected } = options
  const counts: DamageCounts = {
    file,
    how,
    tried: 0,
    harmless: 0,
    told: 0,
    wrong: 0,
    crashed: 0,
    unmended: 0,
    examples: [],
  }
  const bytes = statSync(join(sound, file)).size
  for (let i = 0; i < Math.min(places, Math.max(1, bytes)); i++) {
    copyFolder(sound, folder)
    // Spread evenly, each somewhere in its part.
    const at = Math.min(Math.max(0, bytes - 1), Math.floor(((i + random()) / places) * bytes))
    if (how === 'cut') truncateSync(join(folder, file), at)
    else flipBit(join(folder, file), at, Math.floor(random() * 8))
    const said = await questioner.ask({ root, tasks })
    counts.tried++
    const verdict = judge(said, expected)
    counts[verdict]++
    const note = (what: string): void =>
      void counts.examples.push(`${what} at ${at}: ${JSON.stringify(said).slice(0, 300)}`)
    if (verdict === 'wrong' || verdict === 'crashed') note(verdict)
    if (said.kind !== 'refused') continue
    const index = said.message.includes('--rebuild') ? 'rebuild' : 'update'
    const mended = await questioner.ask({ root, tasks, index })
    if (mended.kind === 'answered' && mended.digest === expected) continue
    counts.unmended++
    note(`not mended (${JSON.stringify(mended).slice(0, 300)})`)
  }
  return counts
}

function judge(said: Outcome, expected: string): 'harmless' | 'told' | 'wrong' | 'crashed' {
  if (said.kind === 'refused') return 'told'
  if (said.kind === 'answered') return said.digest === expected ? 'harmless' : 'wrong'
  return 'crashed'
}

function flipBit(path: string, at: number, bit: number): void {
  const content = readFileSync(path)
  if (content.length === 0) return
  content[at] = (content[at] ?? 0) ^ (1 << bit)
  writeFileSync(path, content)
}

/** Makes `to` hold what `from` holds, and nothing else. */
function copyFolder(from: string, to: string): void {
  if (existsSync(to)) rmSync(to, { recursive: true })
  mkdirSync(to)
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(to, file))
}
