/** Which encoder an index is built or asked with: the caller's own, or one of hone's by its name. */
import { loadEncoder } from '../build/encoders.js'
import { DEFAULTS, modelsFolders } from '../config.js'
import type { Embedder } from '../embed/embedder.js'
import { isOwnFingerprint, ownEmbedder } from '../embed/own-embedder.js'
import { HoneError } from '../errors.js'
import { indexCommand } from '../store/mend.js'
import type { IndexSettings } from '../store/records.js'

/** What an index says of the encoder that made its vectors. */
type Made = Pick<IndexSettings, 'encoder' | 'fingerprint' | 'dimensions'>

/** The encoder to ask the index of `root` with. Throws INDEX_ENCODER, ENCODER_*, MODEL_CORRUPT. */
export async function embedderToAsk(root: string, made: Made, own: Embedder | undefined): Promise<Embedder> {
  if (own !== undefined) return checkedOwn(root, made, own)
  if (isOwnFingerprint(made.fingerprint)) throw onlyCallersOwn(root, made)
  const embedder = await loadEncoder(modelsFolders(), made.encoder)
  if (embedder.fingerprint === made.fingerprint) return embedder
  throw new HoneError(
    'INDEX_ENCODER',
    `the index in ${root} was made with another version of the encoder ${embedder.name}; run: ${indexCommand(root)}`,
  )
}

/**
 * The encoder to build the index of `root` with: what is given, else what made the existing index, else the default.
 * Throws USAGE, INDEX_ENCODER, ENCODER_*, MODEL_CORRUPT.
 */
export async function embedderToBuild(
  root: string,
  given: { readonly encoder?: string; readonly embedder?: Embedder },
  made: Made | undefined,
): Promise<Embedder> {
  if (given.embedder !== undefined) {
    if (given.encoder !== undefined)
      throw new HoneError('USAGE', `both encoder "${given.encoder}" and an embedder are given; give one`)
    return ownEmbedder(given.embedder)
  }
  if (given.encoder === undefined && made !== undefined && isOwnFingerprint(made.fingerprint))
    throw onlyCallersOwn(root, made)
  return loadEncoder(modelsFolders(), given.encoder ?? made?.encoder ?? DEFAULTS.encoder)
}

function checkedOwn(root: string, made: Made, own: Embedder): Embedder {
  const isSame = own.fingerprint === made.fingerprint && own.dimensions === made.dimensions
  if (own.name === made.encoder && isSame) return own
  const what =
    own.name === made.encoder && isOwnFingerprint(made.fingerprint)
      ? `another version of the embedder "${own.name}"`
      : `the encoder "${made.encoder}", not with the embedder "${own.name}"`
  throw new HoneError(
    'INDEX_ENCODER',
    `the index in ${root} was made with ${what}; give buildIndex the embedder first`,
  )
}

function onlyCallersOwn(root: string, { encoder }: Made): HoneError {
  const command = indexCommand(root, { encoder: DEFAULTS.encoder })
  return new HoneError(
    'INDEX_ENCODER',
    `the index in ${root} was made by a program with an embedder of its own, "${encoder}"; give that embedder, or build with one of hone's: ${command}`,
  )
}
