/**
 * vitest's global setup: compiles the command when a source is newer, so that tests of the process test what is
 * written. A failing build fails the tests that run the command, not all others.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the compiler said, or "" when the command is as its sources are. */
    readonly buildFailure: string
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = join(ROOT, 'dist', 'cli', 'main.cjs')
const SOURCES = ['src', join('scripts', 'bundle-cli.js'), join('scripts', 'vendor'), 'tsconfig.build.json']
// Two runs of vitest on one checkout build one after the other.
const LOCK = join(ROOT, 'node_modules', '.hone-build')
const LOCK_ATTEMPTS = 600

export default async function setup({ provide }: TestProject): Promise<void> {
  provide('buildFailure', isStale() ? await build() : '')
}

async function build(): Promise<string> {
  await lock()
  try {
    if (isStale())
      execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'pipe', encoding: 'utf8' })
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
    return `npm run build failed\n${stdout ?? ''}${stderr ?? ''}`
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

async function lock(): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    try {
      mkdirSync(LOCK)
      return
    } catch {
      await delay(100)
    }
  }
  // Left by a run that was killed; ours now.
}

function isStale(): boolean {
  const built = statSync(COMMAND, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return SOURCES.some((source) => newestIn(join(ROOT, source)) > built)
}

function newestIn(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
