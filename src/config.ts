/** Everything that comes from the environment, read in one place. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const VERSION = '0.1.0' // a test compares it with package.json

/** Cycles of a retrieval at most; more never paid (docs/design.md). */
export const MAX_CYCLES = 3

/** Defaults of what a caller may set; docs/interface.md states the same (a test compares). */
export const DEFAULTS = {
  limit: 10,
  maxCycles: MAX_CYCLES,
  minRelevance: 0.2,
  minRelevanceOfRest: 0.03, // under a budget, see docs/decisions/0014-budgets.md
  maxFileBytes: 1_000_000, // larger files are data or generated; 1 MB holds every hand-written file of the benchmark
  encoder: 'hone-static-1',
  deep: 'never', // a query stays quick unless told otherwise (docs/decisions/0009-deep-step.md)
} as const

/** The model of relevance in the folder of models. */
export const RELEVANCE_MODEL = 'relevance-1'
/** The model that rates files by judgements of others. */
export const FEEDBACK_MODEL = 'feedback-1'

/** The encoder of the deep step, and the model that rates by what it says, in the folder of models. */
export const DEEP_ENCODER = 'all-MiniLM-L6-v2'
export const DEEP_MODEL = 'deep-1'

/** Folder of the models that ship with the package: the nearest `models` above this file, compiled, bundled or not. */
export const MODELS_FOLDER = modelsAbove(dirname(fileURLToPath(import.meta.url)))

function modelsAbove(folder: string): string {
  const models = join(folder, 'models')
  if (existsSync(join(models, DEFAULTS.encoder)) || folder === dirname(folder)) return models
  return modelsAbove(dirname(folder))
}

/** Where the user set the index to live, or undefined for `.hone/` at the root. */
export function indexFolderFromEnvironment(): string | undefined {
  const folder = process.env['HONE_INDEX_DIR']
  return folder === undefined || folder === '' ? undefined : folder
}

/** The user's cache folder, for repositories that cannot be written. */
export function userCacheFolder(): string {
  const xdg = process.env['XDG_CACHE_HOME']
  return xdg !== undefined && xdg !== '' ? join(xdg, 'hone') : join(homedir(), '.cache', 'hone')
}

/** Where models that the user added live. */
export function userModelsFolder(): string {
  const xdg = process.env['XDG_DATA_HOME']
  return join(xdg !== undefined && xdg !== '' ? xdg : join(homedir(), '.local', 'share'), 'hone', 'models')
}

/** Folders of models, the package's own first. */
export function modelsFolders(): readonly string[] {
  return [MODELS_FOLDER, userModelsFolder()]
}

/** Where `hone models add` downloads from; HF_ENDPOINT names a mirror, as it does for the hub's own tools. */
export function modelHub(): string {
  const set = process.env['HF_ENDPOINT']
  return (set !== undefined && set !== '' ? set : 'https://huggingface.co').replace(/\/+$/, '')
}

/** Folders in which commands are looked for. */
export function commandFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

export function homeFolder(): string {
  return homedir()
}

/** Environment for git: no prompts, no locks, no network, no redirection by the caller's own git variables. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none', // and where git is too old to know that: every fetch is refused
    LC_ALL: 'C',
  }
}

/** Whether the terminal should stay plain (https://no-color.org). */
export function isColourUnwanted(): boolean {
  const value = process.env['NO_COLOR']
  return value !== undefined && value !== ''
}
