/** The caller's end of asker.ts: starts it, asks it, counts how often it died, starts it again. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Question, Said } from './asker.js'

export type Outcome = Said | { readonly kind: 'died'; readonly how: string }

const LOADER = fileURLToPath(new URL('../bench/loader.js', import.meta.url))
const ASKER = fileURLToPath(new URL('./asker.ts', import.meta.url))

export class Questioner {
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined
  #lines: Interface | undefined

  constructor(readonly environment: Readonly<Record<string, string>> = {}) {}

  /** What the process said, or how it died. */
  ask(question: Question): Promise<Outcome> {
    const { child, lines } = this.#running()
    return new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#child = undefined
        lines.off('line', said)
        resolve({ kind: 'died', how: signal ?? `code ${code}` })
      }
      const said = (line: string): void => {
        child.off('exit', end)
        resolve(JSON.parse(line) as Said)
      }
      child.once('exit', end)
      lines.once('line', said)
      child.stdin.write(`${JSON.stringify(question)}\n`)
    })
  }

  close(): void {
    this.#child?.stdin.end()
  }

  #running(): { child: ChildProcessByStdio<Writable, Readable, null>; lines: Interface } {
    if (this.#child === undefined || this.#lines === undefined) {
      this.#child = spawn(process.execPath, ['--import', LOADER, ASKER], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, ...this.environment },
      })
      this.#lines = createInterface({ input: this.#child.stdout })
    }
    return { child: this.#child, lines: this.#lines }
  }
}
