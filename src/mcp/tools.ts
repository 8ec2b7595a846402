/** The three tools: what they are called, what they take, what they are for. Words for agents; keep them short. */
import type { ObjectSchema } from './check-arguments.js'

/** Tokens of an answer unless the caller says otherwise: a tenth of what careful clients show of one tool. */
export const DEFAULT_BUDGET_TOKENS = 4000
// Below it not even one file fits; above it nobody reads.
const BUDGET_RANGE = { minimum: 200, maximum: 100_000 } as const
const MAX_FILES = 50
const MAX_TASK = 100_000
const MAX_PATH = 4096
const MAX_GLOBS = 100
const MAX_JUDGEMENTS = 1000

const ROOT = {
  type: 'string',
  maxLength: MAX_PATH,
  description: 'Repository, only where several are served: its folder or the name of its folder.',
} as const

const globs = (description: string) =>
  ({
    type: 'array',
    description,
    maxItems: MAX_GLOBS,
    items: { type: 'string', minLength: 1, maxLength: MAX_PATH },
  }) as const

const BUDGET = {
  type: 'integer',
  ...BUDGET_RANGE,
  description: `Most tokens (bytes / 4) the answer may take. Default ${DEFAULT_BUDGET_TOKENS}.`,
} as const

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
}

export const RETRIEVE_CONTEXT: Tool = {
  name: 'retrieve_context',
  title: 'Find the code a task needs',
  description:
    'Finds the files and line ranges a task needs, each with a probability, the reason, and what is still missing. ' +
    'Say the task in plain words. Read files of band "high" first (none: the ranges of the first three). Then call again with the same task and ' +
    'judgements of what you read: the answer then holds further files, found by what the relevant ones have in ' +
    'common. At most three calls a task.',
  inputSchema: {
    type: 'object',
    properties: {
      task: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TASK,
        description: 'What is to be done or understood.',
      },
      judgements: {
        type: 'array',
        maxItems: MAX_JUDGEMENTS,
        description: 'Verdicts on files of earlier answers. Judged files are left out of this answer.',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', minLength: 1, maxLength: MAX_PATH },
            relevant: { type: 'boolean', description: 'Whether the task needs it.' },
          },
          required: ['path', 'relevant'],
          additionalProperties: false,
        },
      },
      limit: { type: 'integer', minimum: 1, maximum: MAX_FILES, description: 'Files at most. Default 10.' },
      budget_tokens: BUDGET,
      include: globs('Only files that match, e.g. "src/**".'),
      exclude: globs('No files that match.'),
      root: ROOT,
    },
    required: ['task'],
    additionalProperties: false,
  },
}

export const RELATED_CODE: Tool = {
  name: 'related_code',
  title: 'Find code that belongs to a place',
  description:
    'Finds what belongs to a file or a line of it: similar code, files that changed together with it before, ' +
    'where its names are used and where the names it uses are defined. For questions like "what else must change".',
  inputSchema: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_PATH,
        description: 'File, relative to the repository.',
      },
      line: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000_000,
        description: 'Line, from 1. Without: all of it.',
      },
      limit: { type: 'integer', minimum: 1, maximum: MAX_FILES, description: 'Files at most. Default 10.' },
      budget_tokens: BUDGET,
      root: ROOT,
    },
    required: ['path'],
    additionalProperties: false,
  },
}

export const INDEX_STATUS: Tool = {
  name: 'index_status',
  title: 'What is indexed',
  description:
    'Says which repositories are served, what is indexed of them, what is stale, how far indexing is.',
  inputSchema: { type: 'object', properties: { root: ROOT }, required: [], additionalProperties: false },
}

export const TOOLS: readonly Tool[] = [RETRIEVE_CONTEXT, RELATED_CODE, INDEX_STATUS]

/** What a client may show its model about the server as a whole. */
export const INSTRUCTIONS =
  'hone finds code in this repository by meaning, names and history; offline. Ask retrieve_context with the task, ' +
  'read the high files first, judge what you read, ask again; at most three cycles.'
