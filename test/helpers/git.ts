/** git in a folder of a test, with nothing of the user's settings in the way. */
import { execFileSync } from 'node:child_process'
import { gitEnvironment } from '../../src/config.js'

/** Runs git in `cwd` and returns what it printed; a name to commit under is set. */
export function git(cwd: string, ...args: readonly string[]): string {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@t']
  return execFileSync('git', [...settings, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...gitEnvironment(), GIT_ALLOW_PROTOCOL: 'file' },
    stdio: 'pipe',
  })
}
