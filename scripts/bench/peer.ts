/** Speed of semble, the nearest relative of hone, on the same repository, machine and tasks. Speed only: see semble_speed.py. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJson, writeJson, type Timing } from './results.js'

export interface Peer {
  /** A Python that has semble installed; its command lies beside it. */
  readonly python: string
  readonly tokenizer: string
  /** Folder in the cache for the stand-in model and semble's own cache. */
  readonly folder: string
}

export interface PeerTiming extends Omit<Timing, 'files' | 'openMs'> {
  readonly version: string
}

const SCRIPT = fileURLToPath(new URL('./semble_speed.py', import.meta.url))
const COLD_RUNS = 3

export function readPeerTiming(folder: string): PeerTiming | undefined {
  return readJson(join(folder, 'semble.json')) as PeerTiming | undefined
}

/** Measures once; `folder` is the repository's in the cache. Throws with what semble said when it fails. */
export function measurePeer(
  peer: Peer,
  run: { readonly root: string; readonly folder: string; readonly tasks: readonly string[] },
): void {
  if (readPeerTiming(run.folder) !== undefined) return
  const tasksFile = join(run.folder, 'peer-tasks.json')
  writeJson(tasksFile, run.tasks)
  const model = join(peer.folder, 'model')
  const measured = JSON.parse(
    call(peer, peer.python, [SCRIPT, run.root, model, peer.tokenizer, tasksFile]),
  ) as PeerTiming & { readonly peakMb: number }
  const search = ['search', run.tasks[0] ?? '', run.root, '--top-k', '10']
  const command = join(dirname(peer.python), 'semble')
  call(peer, command, search) // fills its index cache; hone's command finds its index too
  const coldMs = Array.from({ length: COLD_RUNS }, () => {
    const before = performance.now()
    call(peer, command, search)
    return performance.now() - before
  })
  const { version, chunks, indexMs, queryMs, peakMb } = measured
  const timing: PeerTiming = {
    version,
    chunks,
    indexMs,
    queryMs,
    indexPeakMb: peakMb,
    queryPeakMb: peakMb,
    coldMs,
  }
  writeJson(join(run.folder, 'semble.json'), timing)
}

function call(peer: Peer, program: string, args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    env: {
      ...process.env,
      HOME: peer.folder,
      XDG_CACHE_HOME: join(peer.folder, 'cache'),
      SEMBLE_MODEL_NAME: join(peer.folder, 'model'),
      HF_HUB_OFFLINE: '1',
    },
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`semble: exit code ${status ?? 'unknown'}: ${stderr.trim().slice(-800)}`)
  return stdout
}
