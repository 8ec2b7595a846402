/** A synthetic monorepo: packages of modules of files, with words as skewed as in real code (few everywhere, many rare). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { seeded, type Random } from '../torture/random.js'

const FILES_PER_MODULE = 25
const MODULES_PER_PACKAGE = 20
const FUNCTIONS_PER_FILE = 3
const LINES_PER_FUNCTION = 14
// Rank-frequency of identifiers is close to Zipf's law; 30,000 words are those of a large repository.
const WORDS = 30_000

const SYLLABLES = [
  'ra',
  'to',
  'ken',
  'list',
  'ser',
  'ver',
  'path',
  'load',
  'mem',
  'ory',
  'sign',
  'que',
  'ue',
  'in',
  'dex',
  'form',
]

/** Word of a rank: always the same, rank 0 the most frequent. */
export function word(rank: number): string {
  let text = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length] ?? ''
  return text
}

/** A rank by Zipf's law: rank r about as often as 1 / (r + 1). */
export function zipf(random: Random): number {
  return Math.floor(Math.exp(random() * Math.log(WORDS))) - 1
}

/** Writes so many files, about three chunks each. Returns the bytes of all. */
export function writeMonorepo(root: string, files: number): number {
  let bytes = 0
  for (let i = 0; i < files; i++) {
    const module = Math.floor(i / FILES_PER_MODULE)
    const folder = `packages/${word(Math.floor(module / MODULES_PER_PACKAGE))}/src/${word(module)}`
    const random = seeded(i)
    const path = join(root, folder, `${word(zipf(random))}_${i}.ts`)
    const text = Array.from({ length: FUNCTIONS_PER_FILE }, (_, f) =>
      functionText(random, i * FUNCTIONS_PER_FILE + f),
    ).join('\n')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    bytes += text.length
  }
  return bytes
}

function functionText(random: Random, number: number): string {
  const name = (): string => word(zipf(random))
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
  const lines = Array.from(
    { length: LINES_PER_FUNCTION },
    () => `  const ${name()} = this.${name()}${capital(name())}(${name()}, ${name()}) // ${name()} ${name()}`,
  )
  return `/** ${capital(name())} the ${name()} of ${name()} for ${name()}. */
export function ${name()}${capital(name())}${number}(${name()}: ${capital(name())}) {
${lines.join('\n')}
}
`
}
