/** Running the real command, as this user or as one without rights. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Answer } from '../../src/index.js'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Without root's right to read everything: file permissions mean what they say. */
  readonly isOrdinaryUser?: boolean
  /** The compiled command to start. */
  readonly main?: string
  /** What starts node, e.g. to limit what it may use. */
  readonly through?: readonly string[]
}

/** Path of the compiled command; throws what the compiler said when it could not be built. */
export function command(): string {
  const failure = inject('buildFailure')
  if (failure !== '') throw new Error(failure)
  return MAIN
}

export function hone(args: readonly string[], options: RunOptions = {}): Ran {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [command(), ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    maxBuffer: 1e8,
    ...settings(options),
  })
  return { code: status, signal, out: stdout, err: stderr }
}

/** What every started command will have come to: listened for from its start, so that an early end is not missed. */
const endings = new WeakMap<ChildProcess, Promise<Ran>>()

/** Starts the command without waiting for it. */
export function startHone(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const whole = [...(options.through ?? []), process.execPath, options.main ?? command(), ...args]
  const [program = '', ...rest] = whole
  const child = spawn(program, rest, { stdio: 'pipe', ...settings(options) })
  const text = { out: '', err: '' }
  child.stdout.on('data', (piece: Buffer) => (text.out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (text.err += piece.toString()))
  const ending = new Promise<Ran>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, ...text })
    })
  })
  endings.set(child, ending)
  return child
}

/** Waits for a command of startHone. */
export function ended(child: ChildProcess): Promise<Ran> {
  const ending = endings.get(child)
  if (ending === undefined) throw new Error('not a command of startHone')
  return ending
}

/** The answer as JSON; fails the test that asks when the command printed anything else. */
export function answerOf({ out, err }: Ran): Answer {
  try {
    return JSON.parse(out) as Answer
  } catch {
    throw new Error(`not JSON: ${out.slice(0, 200)}\n${err}`)
  }
}

/** The same text whatever it took. */
export function withoutTimes(json: string): string {
  return json.replace(/"ms": ?[\d.]+/g, '"ms":0')
}

function settings({ env, cwd, isOrdinaryUser }: RunOptions): {
  env: NodeJS.ProcessEnv
  cwd: string | undefined
  uid?: number
  gid?: number
} {
  const isRoot = process.getuid?.() === 0
  return {
    cwd,
    env: { ...process.env, ...env },
    ...(isOrdinaryUser === true && isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  }
}

const NOBODY = 65_534

/** Makes a folder with all in it belong to the user that `isOrdinaryUser` runs as. */
export function giveToOrdinaryUser(folder: string): void {
  if (process.getuid?.() !== 0) return
  mkdirSync(folder, { recursive: true })
  chownSync(folder, NOBODY, NOBODY)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveToOrdinaryUser(path)
    else chownSync(path, NOBODY, NOBODY)
  }
}
