/** Work that several callers wait for at once. */
import { describe, expect, it } from 'vitest'
import { SharedWork } from '../../src/library/shared-work.js'

/** Work that ends when it is told to, and knows whether it was stopped. */
function work(): {
  readonly shared: SharedWork<number>
  readonly runs: { finish: () => void; readonly signal: AbortSignal }[]
} {
  const runs: { finish: () => void; readonly signal: AbortSignal }[] = []
  const shared = new SharedWork<number>(
    (signal) =>
      new Promise((resolve, reject) => {
        const n = runs.length
        runs.push({
          signal,
          finish: () => {
            resolve(n)
          },
        })
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'))
        })
      }),
  )
  return { shared, runs }
}

const started = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('shared work', () => {
  it('is done once for all who wait, and again for who comes later', async () => {
    const { shared, runs } = work()
    const all = [shared.wait(), shared.wait(new AbortController().signal)]
    await started()
    expect(runs).toHaveLength(1)
    runs[0]?.finish()
    expect(await Promise.all(all)).toEqual([0, 0])
    const later = shared.wait()
    await started()
    runs[1]?.finish()
    expect(await later).toBe(1)
  })

  it('goes on for those who stay, and stops with the last who leaves', async () => {
    const { shared, runs } = work()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = shared.wait(one.signal)
    const second = shared.wait(two.signal)
    await started()
    one.abort()
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' })
    expect(runs[0]?.signal.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' })
    expect(runs[0]?.signal.aborted).toBe(true)
  })

  it('begins anew for who comes while it is being stopped, but not before that has ended', async () => {
    const events: string[] = []
    let goOn = (): void => undefined
    const shared = new SharedWork<string>(async (signal) => {
      events.push('begins')
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      events.push(signal.aborted ? 'is stopped' : 'ends')
      signal.throwIfAborted()
      return 'done'
    })
    const leaving = new AbortController()
    const left = shared.wait(leaving.signal)
    await started()
    leaving.abort()
    await started()
    const stays = shared.wait()
    await started()
    goOn()
    await expect(left).rejects.toMatchObject({ code: 'ABORTED' })
    await started()
    goOn()
    expect(await stays).toBe('done')
    expect(events).toEqual(['begins', 'is stopped', 'begins', 'ends'])
  })

  it('fails for all who wait, and is tried again for the next', async () => {
    let runs = 0
    const shared = new SharedWork<number>(() =>
      runs++ === 0 ? Promise.reject(new Error('busy')) : Promise.resolve(runs),
    )
    const all = [shared.wait(), shared.wait(new AbortController().signal)]
    for (const one of all) await expect(one).rejects.toThrow('busy')
    expect(await shared.wait()).toBe(2)
  })

  it('does not begin for a signal that is aborted already', () => {
    const { shared, runs } = work()
    expect(() => shared.wait(AbortSignal.abort())).toThrow('stopped')
    expect(runs).toHaveLength(0)
  })
})
