/** Real folders and real git repositories for tests, removed after each test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import type { WalkResult } from '../../src/types.js'
import { walk, type WalkOptions } from '../../src/walk/walk.js'
import { git } from '../helpers/git.js'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A new folder with these files; a path that ends with "/" is an empty folder. */
export function tree(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'hone-walk-'))
  made.push(root)
  write(root, files)
  return root
}

export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    const absolutePath = join(root, path)
    mkdirSync(path.endsWith('/') ? absolutePath : dirname(absolutePath), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(absolutePath, content)
  }
}

/** The same, as a git work tree with nothing tracked. */
export function repository(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const root = tree(files)
  git(root, 'init', '-q')
  return root
}

export function commitAll(root: string): void {
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'all')
}

export function walkAll(root: string, options: Partial<WalkOptions> = {}): Promise<WalkResult> {
  return walk({ root, include: [], exclude: [], maxFileBytes: 1_000_000, ...options })
}

export function pathsOf(result: WalkResult): string[] {
  return result.files.map(({ path }) => path)
}

/** "reason path" of every skip. */
export function skipsOf(result: WalkResult): string[] {
  return result.skipped.map(({ path, reason }) => `${reason} ${path}`)
}
