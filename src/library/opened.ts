/** A state of an index with all that is needed to ask it. Knows nothing of the index object that holds it. */
import { existsSync } from 'node:fs'
import { wordsBeside } from '../build/encoders.js'
import type { Embedder } from '../embed/embedder.js'
import { HoneError } from '../errors.js'
import { Engine } from '../retrieve/engine.js'
import { CommitWatch } from '../store/commit-watch.js'
import { currentDatabase, nextDatabase } from '../store/index-location.js'
import { IndexReader } from '../store/index-reader.js'
import { indexCommand } from '../store/mend.js'
import { readSource } from '../walk/read-source.js'
import { walkedFile } from '../walk/walk.js'
import { embedderToAsk } from './embedder-of.js'

/** A state of an index, ready to be asked. */
export interface Opened {
  readonly reader: IndexReader
  readonly embedder: Embedder
  readonly engine: Engine
  readonly watch: CommitWatch
  /** What the watch said before the reader read. */
  readonly generation: string
}

export async function open(
  root: string,
  folder: string,
  tools: Tools,
  { allowPartial = false }: { readonly allowPartial?: boolean } = {},
): Promise<Opened> {
  const found = openReader(folder) ?? (allowPartial ? openUnfinished(folder) : undefined)
  if (found === undefined)
    throw new HoneError('INDEX_MISSING', `no index in ${root}; run: ${indexCommand(root)}`)
  try {
    const embedder = await embedderToAsk(root, found.reader.settings, tools.ownEmbedder)
    return opened(root, tools, { ...found, embedder })
  } catch (error) {
    found.reader.close()
    found.watch.close()
    throw error
  }
}

/** What every state of an index is asked with. */
export interface Tools extends Pick<Engine, 'model' | 'feedback' | 'deep' | 'signals'> {
  /** The caller's own encoder, checked. */
  readonly ownEmbedder: Embedder | undefined
}

export function opened(
  root: string,
  { model, feedback, deep, signals }: Tools,
  parts: Omit<Opened, 'engine'>,
): Opened {
  const { reader, embedder } = parts
  const words = wordsBeside(embedder)
  if (words.fingerprint !== reader.settings.titles.fingerprint) {
    throw new HoneError(
      'INDEX_ENCODER',
      `titles in the index of ${root} were made with another version of ${words.name}; run: ${indexCommand(root)}`,
    )
  }
  const linesOf = (path: string): readonly string[] | undefined =>
    readLines(root, path, reader.settings.maxFileBytes)
  const engine = new Engine({ index: reader, embedder, words, linesOf, model, feedback, deep, signals })
  return { ...parts, engine }
}

type Found = Pick<Opened, 'reader' | 'watch' | 'generation'>

// A full build moves the pointer, then removes the old database: who read the pointer just before looks again.
const OPEN_ATTEMPTS = 3

/** A reader of the current database of an index folder, or undefined when there is none. */
function openReader(folder: string): Found | undefined {
  for (let attempt = 1; ; attempt++) {
    try {
      const path = currentDatabase(folder)
      return path === undefined ? undefined : found(path)
    } catch (error) {
      if (!(error instanceof HoneError) || attempt === OPEN_ATTEMPTS) throw error
    }
  }
}

/** A reader of what an unfinished first build has stored, or undefined where that is nothing yet. */
function openUnfinished(folder: string): Found | undefined {
  const path = nextDatabase(folder)
  if (!existsSync(path)) return undefined
  try {
    const unfinished = found(path)
    if (unfinished.reader.liveFiles > 0) return unfinished
    unfinished.reader.close()
    unfinished.watch.close()
  } catch (error) {
    if (!(error instanceof HoneError)) throw error // a database without its first commit yet
  }
  return undefined
}

function found(path: string): Found {
  const watch = new CommitWatch(path)
  try {
    return { watch, generation: watch.generation(), reader: new IndexReader(path) }
  } catch (error) {
    watch.close()
    throw error
  }
}

function readLines(root: string, path: string, maxFileBytes: number): readonly string[] | undefined {
  const file = walkedFile(root, path)
  if (file === undefined) return undefined
  const read = readSource(file, maxFileBytes)
  return read.kind === 'text' ? read.source.text.split(/\r\n|\r|\n/) : undefined
}
