/** A small repository in a temporary folder, and the ways to run hone on it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))

export const SAMPLE: Readonly<Record<string, string>> = {
  'src/throttle.ts': `/** Delays calls so that at most one runs in a while. */
export function throttle(run: () => void, waitMs: number): () => void {
  let last = 0
  return () => {
    const now = Date.now()
    if (now - last < waitMs) return
    last = now
    run()
  }
}
`,
  'src/session.ts': `import { signToken } from './token.js'

/** Keeps a signed-in user until the token expires. */
export class Session {
  constructor(readonly user: string) {}

  refresh(): string {
    return signToken(this.user)
  }
}
`,
  'src/token.ts': `/** Signs a token for a user; it expires after an hour. */
export function signToken(user: string): string {
  return user + ':' + String(Date.now() + 3_600_000)
}
`,
  'src/table.ts': `export function printTable(rows: readonly string[]): string {
  return rows.join('\\n')
}
`,
  'README.md': '# Sample\n\nNothing to see.\n',
}

export function makeSample(files: Readonly<Record<string, string>> = SAMPLE): {
  root: string
  remove: () => void
} {
  const root = mkdtempSync(join(tmpdir(), 'hone-sample-'))
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  return {
    root,
    remove: () => {
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export function put(root: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

export function hone(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  })
  return { code: status, out: stdout, err: stderr }
}
