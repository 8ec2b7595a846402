/** Bringing an index up to date before a query, as long as that is quick; and telling what is not up to date. */
import type { IndexReader } from '../store/index-reader.js'
import type { IndexSettings } from '../store/records.js'
import type { WalkedFile } from '../types.js'
import { readSource } from '../walk/read-source.js'
import { walk, type WalkOptions } from '../walk/walk.js'
import { buildIndex, type BuildRequest } from './build-index.js'
import { isPastStale } from './past.js'
import { planUpdate, type UpdatePlan } from './update-plan.js'
import { HoneError } from '../errors.js'

// A query waits for at most this many files to be read anew (64 of curl's sources take a second); beyond it the answer says what is stale.
export const MAX_REFRESHED_FILES = 64
// Files whose content is compared only because they were indexed right after a change; read and hashed, not parsed.
const MAX_VERIFIED_FILES = 2000

export interface RefreshResult {
  /** Files read anew or dropped. */
  readonly updated: number
  /** Files that differ from the index and were left. */
  readonly stale: number
}

type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** What may differ between the tree at `root` and the index, by size and times alone. */
async function changesSince(
  index: IndexReader,
  root: string,
  { listing, signal }: Pick<Undefinable<WalkOptions>, 'listing' | 'signal'>,
): Promise<UpdatePlan> {
  const { include, exclude, maxFileBytes } = index.settings
  const walked = await walk({
    root,
    include,
    exclude,
    maxFileBytes,
    ...(listing === undefined ? {} : { listing }),
    ...(signal === undefined ? {} : { signal }),
  })
  return planUpdate(walked.files, index.storedFiles(), index.storedSkips())
}

/** Paths whose content differs from the index, are new or gone; sorted. Reads the files that may have changed. */
export async function stalePaths(
  index: IndexReader,
  root: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { toRead, gone, known } = await changesSince(index, root, { signal })
  const reasons = new Map(index.skipped().map(({ path, reason }) => [path, reason]))
  const isStale = (file: WalkedFile): boolean => {
    const read = readSource(file, index.settings.maxFileBytes)
    return read.kind === 'text'
      ? read.hash !== known.get(file.path)?.hash
      : read.skip.reason !== reasons.get(file.path)
  }
  return [...toRead.filter(isStale).map(({ path }) => path), ...gone].sort()
}

/**
 * Compares the tree with the index and updates it when few files changed and no other process is writing.
 * The root is the caller's: the one written in the index is another folder when the repository was copied or moved.
 */
export async function refresh(
  index: IndexReader,
  request: Omit<BuildRequest, 'rebuild' | 'settings' | 'isHurried'> & {
    readonly root: string
    readonly listing?: WalkOptions['listing'] | undefined
  },
): Promise<RefreshResult> {
  const { root, listing, ...rest } = request
  const plan = await changesSince(index, root, { listing, signal: request.signal })
  const changes = plan.toRead.length + plan.gone.length - plan.uncertain
  const isUpToDate = changes === 0 && plan.uncertain === 0
  if (isUpToDate && !isPastStale({ ...index.settings, root }, index.history)) return { updated: 0, stale: 0 }
  if (changes > MAX_REFRESHED_FILES || plan.uncertain > MAX_VERIFIED_FILES)
    return { updated: 0, stale: changes + plan.uncertain }
  try {
    const settings: IndexSettings = { ...index.settings, root }
    await buildIndex({ ...rest, settings, rebuild: false, isHurried: true })
    return { updated: changes, stale: 0 }
  } catch (error) {
    const isPassing = error instanceof HoneError && ['INDEX_BUSY', 'INDEX_UNWRITABLE'].includes(error.code)
    if (!isPassing) throw error
    return { updated: 0, stale: changes }
  }
}
