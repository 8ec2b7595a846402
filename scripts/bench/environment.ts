/** What a figure depends on besides the code: machine, versions, commit. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { ripgrepVersion } from './rankings/ripgrep.js'
import type { Environment } from './report.js'

export function environment(
  projectRoot: string,
  run: { readonly command: string; readonly codeDigest: string },
): Environment {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  return {
    madeAt: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command: run.command,
    commit: commitOf(projectRoot),
    codeDigest: run.codeDigest,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      'memory GB': Math.round(totalmem() / 2 ** 30),
      'load at the end': Number((loadavg()[0] ?? 0).toFixed(1)),
    },
    versions: {
      hone: version,
      node: process.versions.node,
      ripgrep: ripgrepVersion() ?? 'absent',
      [process.platform]: release(),
    },
  }
}

/** e.g. "401efaa" or "401efaa-dirty"; "unknown" outside a repository. */
function commitOf(projectRoot: string): string {
  const git = ['-C', projectRoot, 'describe', '--always', '--dirty']
  const { stdout, status } = spawnSync('git', git, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
