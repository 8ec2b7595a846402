/**
 * Adding an encoder that does not ship. The one place in hone that uses the network, and only when `hone models add`
 * asks for it: files of one model, from the Hugging Face hub or a mirror, tried out before they are put in place.
 */
import { copyFileSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { HoneError, messageOf } from '../errors.js'
import { findModel, type ModelFolder } from './model-folder.js'
import { loadTransformersEmbedder } from './transformers-embedder.js'

export interface AddModelOptions {
  /** "owner/model" on the hub; with `from`, any name. */
  readonly name: string
  /** Folder that holds the files already: nothing is downloaded. */
  readonly from?: string
  readonly modelsFolder: string
  /** Address of the hub. */
  readonly hub: string
  readonly onFile?: (file: string) => void
  readonly signal?: AbortSignal
}

const NEEDED = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
] as const
// Says how much a sentence encoder was made to read; models without it read what their configuration says.
const OPTIONAL = ['sentence_bert_config.json'] as const

/**
 * Returns where the model is. Throws ENCODER_UNKNOWN (no such model, or none that hone can use), ENCODER_UNUSABLE (the
 * network or the runtime is missing), MODEL_CORRUPT (it does not load), ABORTED.
 */
export async function addModel(options: AddModelOptions): Promise<ModelFolder> {
  const { name, modelsFolder } = options
  const known = findModel([modelsFolder], name)
  if (known !== undefined) return known
  if (!/^\w[\w.-]*(?:\/\w[\w.-]*)?$/.test(name))
    throw new HoneError('ENCODER_UNKNOWN', `"${name}" is no name of a model; it is like owner/model`)
  const pending = join(modelsFolder, `.adding-${process.pid}`)
  try {
    mkdirSync(modelsFolder, { recursive: true })
    for (const file of NEEDED) await fetchFile(file, pending, options)
    for (const file of OPTIONAL) await fetchFile(file, pending, options).catch(missingIsFine)
    await loadTransformersEmbedder(pending, name) // throws unless it gives vectors
    mkdirSync(dirname(join(modelsFolder, name)), { recursive: true })
    renameSync(join(pending, name), join(modelsFolder, name))
  } finally {
    rmSync(pending, { recursive: true, force: true })
  }
  const added = findModel([modelsFolder], name)
  if (added === undefined) throw new HoneError('MODEL_CORRUPT', `${name} is not whole; add it again`)
  return added
}

function missingIsFine(error: unknown): void {
  if (!(error instanceof HoneError) || error.code !== 'ENCODER_UNKNOWN') throw error
}

async function fetchFile(file: string, folder: string, options: AddModelOptions): Promise<void> {
  const { name, from, onFile } = options
  const target = join(folder, name, file)
  mkdirSync(dirname(target), { recursive: true })
  if (from !== undefined) {
    if (!existsSync(join(from, file)))
      throw new HoneError(
        'ENCODER_UNKNOWN',
        `${join(from, file)} is missing; a model is ${NEEDED.join(', ')}`,
      )
    copyFileSync(join(from, file), target)
    return
  }
  onFile?.(file)
  await download(file, target, options)
}

async function download(file: string, target: string, { hub, name, signal }: AddModelOptions): Promise<void> {
  const address = `${hub}/${name}/resolve/main/${file}`
  let response: Response
  try {
    response = await fetch(address, signal === undefined ? {} : { signal })
  } catch (error) {
    if (signal?.aborted === true)
      throw new HoneError('ABORTED', 'stopped; nothing was added', { cause: error })
    throw new HoneError('ENCODER_UNUSABLE', unreachable(hub, error), { cause: error })
  }
  if (response.status === 404 || response.status === 401)
    throw new HoneError(
      'ENCODER_UNKNOWN',
      `${hub} has no ${file} of a model ${name}; hone needs its ONNX form`,
    )
  if (!response.ok || response.body === null)
    throw new HoneError('ENCODER_UNUSABLE', `${address} answered ${response.status}; try again later`)
  await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(target))
}

function unreachable(hub: string, error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return (
    `cannot reach ${hub} (${messageOf(cause)}). Proxies are not used: where one is needed, download ` +
    `${NEEDED.join(', ')} of the model by other means and run: hone models add NAME --from FOLDER. ` +
    `HF_ENDPOINT names a mirror`
  )
}
