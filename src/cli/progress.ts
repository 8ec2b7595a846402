/** A progress bar on standard error, on a terminal only. */
import type { BuildProgress } from '../index.js'

export interface Progress {
  readonly update: (progress: BuildProgress) => void
  readonly stop: () => void
}

/** The phases that take long, and what they count. */
const UNITS: Readonly<Partial<Record<BuildProgress['phase'], string>>> = { index: 'files', graph: 'vectors' }

export async function progressBar(label: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  const { default: cliProgress } = await import('cli-progress') // only on a terminal
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} {value}/{total} {unit}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  })
  let unit: string | undefined
  return {
    update: ({ phase, done, total }) => {
      const shown = UNITS[phase]
      if (shown === undefined || total === 0) return
      if (unit !== shown) bar.start(total, done, { unit: shown })
      unit = shown
      bar.update(done)
    },
    stop: () => {
      if (unit !== undefined) bar.stop()
      unit = undefined // another run may start it again
    },
  }
}
