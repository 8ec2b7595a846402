/**
 * Any local sentence encoder through @xenova/transformers: tokens, mean of the last layer, length 1.
 * Never the network: a model that is not on disk is an error. The package is reached as `#transformers`, a bundle
 * of its text part (docs/decisions/0002-install-from-a-tarball.md).
 *
 * One text at a time, on purpose. It is what makes a vector independent of its batch mates for every model, also
 * for those whose int8 activations are scaled per batch; and on a CPU it is faster than a padded batch for texts
 * the size of a chunk (models/all-MiniLM-L6-v2/README.md). It also bounds memory by one text.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, parse, relative, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HoneError, messageOf } from '../errors.js'
import type { EmbedOptions, Embedder } from './embedder.js'
import { findModel, SETTINGS_FILES, weightsOf } from './model-folder.js'
import { meanOfUnitLength } from './pooling.js'

// Bumped whenever the same files give other vectors (pooling, truncation).
const METHOD_VERSION = 1
// Where a model does not say how much it reads: what BERT and nearly all its descendants read.
const USUAL_MAX_TOKENS = 512
// Text beyond this many characters a token is not even tokenised. Code has 2 to 4; 32 leaves room for indentation.
const MAX_CHARS_PER_TOKEN = 32
// Texts between two reports of progress.
const PROGRESS_EVERY = 8
const RUNTIME_PACKAGE = 'onnxruntime-node'

interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** The part of a @xenova/transformers tokenizer that is used here. */
interface Tokenizer {
  (text: string, options: { readonly return_tensor: false }): Encoding
  readonly model_max_length: unknown
  readonly all_special_ids: readonly number[]
}

/** Parallel arrays, one entry a token: input_ids, attention_mask, and token_type_ids where the model has them. */
interface Encoding {
  readonly input_ids: readonly number[]
  readonly [name: string]: readonly number[]
}

type Model = (inputs: Record<string, unknown>) => Promise<Readonly<Record<string, Tensor | undefined>>>

type Runtime = Pick<typeof import('#transformers'), 'AutoModel' | 'AutoTokenizer' | 'Tensor' | 'env'>

export interface LoadOptions {
  /** Read at most so many tokens of a text. Default: as many as the model was made to read. */
  readonly maxTokens?: number
  /** For tests: how the library is loaded. */
  readonly importRuntime?: () => Promise<Runtime>
}

/**
 * Loads `modelsFolder`/`name`. Throws HoneError: ENCODER_UNKNOWN (no such model), ENCODER_UNUSABLE (the runtime
 * package is missing or does not load on this machine), MODEL_CORRUPT (its files cannot be read or used).
 */
export async function loadTransformersEmbedder(
  modelsFolder: string,
  name: string,
  options: LoadOptions = {},
): Promise<Embedder> {
  const model = findModel([resolve(modelsFolder)], name)
  if (model?.kind !== 'transformer') {
    throw new HoneError(
      'ENCODER_UNKNOWN',
      `no encoder "${name}" in ${modelsFolder}; hone models lists those at hand`,
    )
  }
  const runtime = await loadRuntime(name, options.importRuntime ?? (() => import('#transformers')))
  try {
    return await TransformersEmbedder.load(runtime, { ...model, maxTokens: options.maxTokens ?? Infinity })
  } catch (error) {
    throw new HoneError(
      'MODEL_CORRUPT',
      `cannot use the model in ${model.folder}: ${messageOf(error)}; put its files back, or index with another --encoder`,
      { cause: error },
    )
  }
}

async function loadRuntime(name: string, importRuntime: () => Promise<Runtime>): Promise<Runtime> {
  try {
    const runtime = await importRuntime()
    runtime.env.allowRemoteModels = false
    runtime.env.allowLocalModels = true
    runtime.env.useFSCache = false // it would look for a copy of the model in node_modules first
    return runtime
  } catch (error) {
    throw new HoneError(
      'ENCODER_UNUSABLE',
      `the encoder "${name}" needs the optional package ${RUNTIME_PACKAGE}, which is missing or does not load here ` +
        `(${messageOf(error).split('\n', 1)[0] ?? ''}); run: npm install --include=optional hone-code ` +
        `(add -g for a global install), or use the default encoder`,
      { cause: error },
    )
  }
}

class TransformersEmbedder implements Embedder {
  readonly name: string
  readonly dimensions: number
  readonly fingerprint: string
  readonly #encode: (text: string) => Promise<Tensor | undefined>

  private constructor(
    facts: Pick<Embedder, 'name' | 'dimensions' | 'fingerprint'>,
    encode: (text: string) => Promise<Tensor | undefined>,
  ) {
    this.name = facts.name
    this.dimensions = facts.dimensions
    this.fingerprint = facts.fingerprint
    this.#encode = encode
  }

  static async load(
    runtime: Runtime,
    options: { readonly name: string; readonly folder: string; readonly maxTokens: number },
  ): Promise<TransformersEmbedder> {
    const { name, folder } = options
    const weights = weightsOf(folder) ?? '' // findModel saw them
    // Always the same global setting, so that loading two models at once cannot mix them up.
    const { root } = parse(folder)
    runtime.env.localModelPath = root
    const id = relative(root, folder)
    const local = { local_files_only: true, quantized: weights.endsWith('_quantized.onnx') }
    const tokenizer = (await runtime.AutoTokenizer.from_pretrained(id, local)) as unknown as Tokenizer
    const model = (await runtime.AutoModel.from_pretrained(id, local)) as unknown as Model
    const maxTokens = Math.min(options.maxTokens, await maxTokensOf(folder, tokenizer.model_max_length))
    const encode = encoderOf({ runtime, tokenizer, model, maxTokens })
    const probe = await encode('probe')
    if (probe === undefined) throw new Error('its tokenizer knows no word')
    const fingerprint = await fingerprintOf(
      folder,
      weights,
      `${runtime.env.version}:${METHOD_VERSION}:${maxTokens}`,
    )
    return new TransformersEmbedder({ name, dimensions: probe.dims[2] ?? 0, fingerprint }, encode)
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array> {
    const out = new Float32Array(texts.length * this.dimensions)
    for (const [i, text] of texts.entries()) {
      options.signal?.throwIfAborted()
      await this.#embedInto(text, out.subarray(i * this.dimensions, (i + 1) * this.dimensions))
      const done = i + 1
      if (done % PROGRESS_EVERY === 0 || done === texts.length) options.onProgress?.(done, texts.length)
      await nextTurn() // the runtime computes on the main thread; timers and signals get their turn here
    }
    return out
  }

  async #embedInto(text: string, out: Float32Array): Promise<void> {
    const states = await this.#encode(text)
    if (states === undefined || meanOfUnitLength(states.data, out)) return
    throw new HoneError('ENCODER_UNUSABLE', `the encoder "${this.name}" gave a vector that is not finite`)
  }
}

/** Text -> state of the last layer, 1 x tokens x dimensions; undefined for a text without a known word. */
function encoderOf(parts: {
  readonly runtime: Runtime
  readonly tokenizer: Tokenizer
  readonly model: Model
  readonly maxTokens: number
}): (text: string) => Promise<Tensor | undefined> {
  const { runtime, tokenizer, model, maxTokens } = parts
  const special = new Set(tokenizer.all_special_ids)
  return async (text) => {
    const encoding = tokenizer(text.slice(0, maxTokens * MAX_CHARS_PER_TOKEN), { return_tensor: false })
    if (encoding.input_ids.every((id) => special.has(id))) return undefined
    const tensors = Object.entries(encoding).map(([name, values]) => {
      const kept = shortened(values, maxTokens)
      return [name, new runtime.Tensor('int64', BigInt64Array.from(kept, BigInt), [1, kept.length])] as const
    })
    const outputs = await model(Object.fromEntries(tensors))
    const states = outputs['last_hidden_state'] ?? outputs['token_embeddings']
    if (states === undefined)
      throw new Error('the model gives no last_hidden_state; it is not a sentence encoder')
    return states
  }
}

/** The first tokens and the closing one: the library's own truncation drops the end mark a model was trained with. */
function shortened(values: readonly number[], maxTokens: number): readonly number[] {
  return values.length <= maxTokens ? values : [...values.slice(0, maxTokens - 1), ...values.slice(-1)]
}

/** How many tokens the model was made to read: what its card says, else its tokenizer, within its position table. */
async function maxTokensOf(folder: string, tokenizerLimit: unknown): Promise<number> {
  const card = numberIn(await settings(folder, 'sentence_bert_config.json'), 'max_seq_length')
  const config = await settings(folder, 'config.json')
  const positions = numberIn(config, 'max_position_embeddings') ?? USUAL_MAX_TOKENS
  // RoBERTa and its kin count positions from padding + 1, so two of their table's rows stay unused.
  const usable = /roberta|mpnet|camembert/.test(String(config['model_type'])) ? positions - 2 : positions
  const limits = [card ?? tokenizerLimit, usable].filter((limit) => typeof limit === 'number')
  return Math.max(2, Math.min(...limits))
}

function numberIn(values: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = values[name]
  return typeof value === 'number' ? value : undefined
}

/** A JSON object of the model folder; one that is not there says nothing. */
async function settings(folder: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = join(folder, file)
  if (!existsSync(path)) return {}
  const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
  return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {}
}

async function fingerprintOf(folder: string, weights: string, method: string): Promise<string> {
  const hash = createHash('sha256').update(method)
  for (const path of [weights, ...SETTINGS_FILES.map((file) => join(folder, file))]) {
    const content = existsSync(path) ? await readFile(path) : Buffer.alloc(0)
    hash.update(createHash('sha256').update(content).digest())
  }
  return hash.digest('hex').slice(0, 32)
}
