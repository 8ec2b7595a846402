/** The repositories that torture works on: made files in numbered versions, each with a word of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Scene {
  readonly files: number
  /** Functions in a file, each a chunk of its own. */
  readonly functions: number
}

export const TASKS = [
  'made7 token',
  'where is the ticket of version 2 checked',
  'made11x3',
  'nothing of the kind',
]

// Long enough that two of them are never one chunk.
const LINES = 24

/** A new folder; the caller removes it. */
export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `hone-${name}-`))
}

/** Writes all files of a scene in one version. */
export function writeScene(root: string, scene: Scene, version: number): void {
  for (let i = 0; i < scene.files; i++) writeFile(root, `part${i % 7}/made${i}.ts`, textOf(scene, i, version))
}

export function writeFile(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function textOf({ functions }: Scene, file: number, version: number): string {
  return Array.from({ length: functions }, (_, f) => {
    const body = Array.from(
      { length: LINES },
      (_, line) => `  ticket.check(${line}, 'version ${version}', token${file})`,
    )
    return `/** Checks the ticket of ${file}. */\nexport function made${file}x${f}(ticket: Ticket, token${file}: string) {\n${body.join('\n')}\n}\n`
  }).join('\n')
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
