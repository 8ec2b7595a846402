/**
 * Tells that something in a folder tree may have changed: by the events of the operating system, or, where there are
 * none to be had, by saying so now and then. What has changed is for an index run to find out.
 * The only file that knows @parcel/watcher.
 */
import { createRequire } from 'node:module'
import type * as Watcher from '@parcel/watcher'
import { messageOf } from '../errors.js'

export interface WatchedTree {
  readonly folder: string
  /** Absolute paths of folders whose events are not wanted, and that must not use up the system's watches. */
  readonly ignored: readonly string[]
  /** Whether a change of this absolute path counts. */
  readonly counts: (path: string) => boolean
}

export interface TreeWatch {
  /** Why there are no events, so that the caller has to look by itself; undefined while there are. */
  readonly failure: string | undefined
  close(): Promise<void>
}

/** Calls `onChange` after every change until it is closed. Never rejects: a failure is said in the result. */
export async function watchTrees(trees: readonly WatchedTree[], onChange: () => void): Promise<TreeWatch> {
  const subscriptions: Watcher.AsyncSubscription[] = []
  const close = async (): Promise<void> => {
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()))
  }
  try {
    const watcher = createRequire(import.meta.url)('@parcel/watcher') as typeof Watcher
    for (const { folder, ignored, counts } of trees) {
      const hear: Watcher.SubscribeCallback = (error, events) => {
        // An error stands for events that were lost.
        if (error !== null || events.some(({ path }) => counts(path))) onChange()
      }
      subscriptions.push(await watcher.subscribe(folder, hear, { ignore: [...ignored] }))
    }
    return { failure: undefined, close }
  } catch (error) {
    await close().catch(() => undefined) // the failure before is the one to tell
    return { failure: messageOf(error), close: () => Promise.resolve() }
  }
}
