/**
 * Where encoders live on disk and which are at hand. A model is a folder: a static word table (`words.bin`) or a
 * transformer laid out as the Hugging Face hub does it (tokenizer, config, `onnx/`). Nothing is loaded here.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The file that makes a model folder a static word table. */
export const STATIC_TABLE_FILE = 'words.bin'

/** Weights of a transformer, the first that exists counts: int8 is four times smaller and as good for ranking. */
export const WEIGHT_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const

const TRANSFORMER_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const

/** Files whose content decides the vectors, besides the weights. Those that are missing count as empty. */
export const SETTINGS_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'sentence_bert_config.json',
]

export type EncoderKind = 'static' | 'transformer'

export interface ModelFolder {
  /** Path below a models folder, with "/": "all-MiniLM-L6-v2" or "owner/model". */
  readonly name: string
  readonly kind: EncoderKind
  /** Absolute if the models folder was. */
  readonly folder: string
  /** Size of the weights. */
  readonly bytes: number
}

/**
 * The model called `name` in the first of `modelsFolders` that has it (give the package's own first, the user's
 * after it), or undefined. A name that is no plain relative path ("../x", "/x") is never found.
 */
export function findModel(modelsFolders: readonly string[], name: string): ModelFolder | undefined {
  if (!isModelName(name)) return undefined
  for (const parent of modelsFolders) {
    const found = modelAt(parent, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every model of the folders, sorted by name; the same name in a later folder is hidden by the earlier. */
export function modelsAtHand(modelsFolders: readonly string[]): readonly ModelFolder[] {
  const byName = new Map<string, ModelFolder>()
  for (const parent of modelsFolders) {
    for (const name of namesIn(parent)) {
      const found = byName.has(name) ? undefined : modelAt(parent, name)
      if (found !== undefined) byName.set(name, found)
    }
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) // names are unique here
}

/** Path of the weights inside a transformer's folder, or undefined when there are none. */
export function weightsOf(folder: string): string | undefined {
  return WEIGHT_FILES.map((file) => join(folder, file)).find((path) => existsSync(path))
}

/**
 * What tells cheaply whether the files of a transformer are as they were: their sizes and times. Equal stamps mean equal
 * fingerprints under the same version of hone; the other way round need not hold. Undefined for a model that is not there.
 */
export function transformerStamp(modelsFolder: string, name: string): string | undefined {
  const model = findModel([modelsFolder], name)
  if (model?.kind !== 'transformer') return undefined
  const files = [weightsOf(model.folder) ?? '', ...SETTINGS_FILES.map((file) => join(model.folder, file))]
  return files
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((entry) => (entry === undefined ? '-' : `${entry.size}:${entry.mtimeMs}`))
    .join(' ')
}

/** "model" or "owner/model"; letters, digits, "-", "_" and "." only, no part starting with ".". */
function isModelName(name: string): boolean {
  return /^\w[\w.-]*(?:\/\w[\w.-]*)?$/.test(name)
}

function modelAt(parent: string, name: string): ModelFolder | undefined {
  const folder = join(parent, name)
  const table = join(folder, STATIC_TABLE_FILE)
  if (existsSync(table)) return { name, kind: 'static', folder, bytes: statSync(table).size }
  const weights = weightsOf(folder)
  if (weights === undefined || !TRANSFORMER_FILES.every((file) => existsSync(join(folder, file))))
    return undefined
  return { name, kind: 'transformer', folder, bytes: statSync(weights).size }
}

/** Folder names one and two levels down. A models folder that does not exist has none. */
function namesIn(parent: string): readonly string[] {
  return foldersIn(parent).flatMap((name) => [
    name,
    ...foldersIn(join(parent, name)).map((inner) => `${name}/${inner}`),
  ])
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => entry.name)
    .filter(isModelName)
}
