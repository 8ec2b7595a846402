/** What each tool does: arguments checked, the library asked, the answer fitted into its budget. */
import { HoneError } from '../errors.js'
import { whyNoHistory, type BuildProgress, type Judgement, type PastState } from '../index.js'
import { checkArguments } from './check-arguments.js'
import { contextFacts, contextMarkdown, longer, relatedFacts, relatedMarkdown } from './facts.js'
import type { Repositories } from './repositories.js'
import { howFar, type Asked, type Repository, type Waiting } from './repository.js'
import { DEFAULT_BUDGET_TOKENS, INDEX_STATUS, RELATED_CODE, RETRIEVE_CONTEXT, type Tool } from './tools.js'

/** Both forms of what a tool says. */
export interface Said {
  readonly facts: object
  readonly markdown: string
}

export interface Call {
  readonly repositories: Repositories
  readonly signal: AbortSignal
  readonly onProgress: (progress: BuildProgress) => void
}

type Run = (args: unknown, call: Call) => Promise<Said>

/** By name. Each throws HoneError; USAGE for arguments that are not as declared. */
export const CALLS: ReadonlyMap<string, Run> = new Map([
  [RETRIEVE_CONTEXT.name, checked(RETRIEVE_CONTEXT, retrieveContext)],
  [RELATED_CODE.name, checked(RELATED_CODE, relatedCode)],
  [INDEX_STATUS.name, checked(INDEX_STATUS, indexStatus)],
])

/** A call whose arguments are what the tool's schema says, which is what their type says. */
function checked(tool: Tool, run: (args: never, call: Call) => Promise<Said>): Run {
  return (args, call) => {
    checkArguments(args, tool.inputSchema)
    return run(args as never, call)
  }
}

interface RetrieveArguments {
  readonly task: string
  readonly judgements?: readonly Judgement[]
  readonly limit?: number
  readonly budget_tokens?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly root?: string
}

async function retrieveContext(args: RetrieveArguments, call: Call): Promise<Said> {
  const { task, judgements = [], limit, include, exclude } = args
  const { budget_tokens: budgetTokens = DEFAULT_BUDGET_TOKENS } = args
  const repository = await call.repositories.one(args.root)
  return asking(repository, { ...call, question: task }, async ({ index, notes }) => {
    const answer = await index.retrieve({
      task,
      judgements,
      onlyNew: true,
      budgetTokens,
      signal: call.signal,
      emit: (shown) => {
        const facts = contextFacts(shown, notes)
        return longer(facts, contextMarkdown(facts))
      },
      ...(limit === undefined ? {} : { limit }),
      ...(include === undefined ? {} : { include }),
      ...(exclude === undefined ? {} : { exclude }),
    })
    const facts = contextFacts(answer, notes)
    return { facts, markdown: contextMarkdown(facts) }
  })
}

interface RelatedArguments {
  readonly path: string
  readonly line?: number
  readonly limit?: number
  readonly budget_tokens?: number
  readonly root?: string
}

async function relatedCode(args: RelatedArguments, call: Call): Promise<Said> {
  const { path, line, limit, budget_tokens: budgetTokens = DEFAULT_BUDGET_TOKENS } = args
  const repository = await call.repositories.one(args.root)
  return asking(repository, { ...call, question: path }, ({ index, notes }) => {
    const answer = index.related({
      path,
      budgetTokens,
      signal: call.signal,
      emit: (shown) => {
        const facts = relatedFacts(shown, notes)
        return longer(facts, relatedMarkdown(facts))
      },
      ...(line === undefined ? {} : { line }),
      ...(limit === undefined ? {} : { limit }),
    })
    const facts = relatedFacts(answer, notes)
    return { facts, markdown: relatedMarkdown(facts) }
  })
}

/** Asks the index of a repository; what an unfinished one does not know may be why it could not answer. */
async function asking(
  repository: Repository,
  waiting: Waiting,
  ask: (asked: Asked) => Said | Promise<Said>,
): Promise<Said> {
  const asked = await repository.ask(waiting)
  try {
    return await ask(asked)
  } catch (error) {
    if (!(error instanceof HoneError) || asked.notes.length === 0) throw error
    const notes = asked.notes.map(({ message }) => message)
    throw new HoneError(error.code, [error.message, ...notes].join('. '), { cause: error })
  } finally {
    asked.release()
  }
}

async function indexStatus({ root }: { readonly root?: string }, call: Call): Promise<Said> {
  const { repositories } = call
  const meant = root === undefined ? await repositories.all() : [await repositories.one(root)]
  const states: RepositoryState[] = []
  for (const repository of meant) states.push(await stateOf(repository))
  return { facts: { schema: 1, repositories: states }, markdown: states.map(stateText).join('\n') }
}

interface RepositoryState {
  readonly root: string
  readonly state: 'indexed' | 'indexing' | 'not-indexed' | 'unusable'
  /** How far indexing is, or what is wrong and what mends it. */
  readonly detail: string
  readonly folder: string
  readonly files: number
  readonly chunks: number
  readonly skipped: number
  /** Files that differ from the index. */
  readonly stale: number
  readonly encoder: string
  readonly history: string
}

async function stateOf(repository: Repository): Promise<RepositoryState> {
  const { root } = repository
  const none = { files: 0, chunks: 0, skipped: 0, stale: 0, encoder: '', history: '' }
  try {
    const { progress, folder } = repository
    if (progress !== undefined) return { root, state: 'indexing', detail: howFar(progress), folder, ...none }
    const index = await repository.peek()
    if (index === undefined) {
      const detail = 'retrieve_context builds the index on its first call'
      return { root, state: 'not-indexed', detail, folder, ...none }
    }
    const { files, chunks, skipped, encoder, history } = index.status
    const { length: stale } = await index.staleFiles()
    const detail = stale === 0 ? 'up to date' : `${stale} files are stale; run: hone index ${root}`
    return {
      root,
      state: 'indexed',
      detail,
      folder,
      files,
      chunks,
      skipped,
      stale,
      encoder,
      history: historyText(history),
    }
  } catch (error) {
    if (!(error instanceof HoneError)) throw error
    return { root, state: 'unusable', detail: error.message, folder: '', ...none }
  }
}

function historyText(history: PastState): string {
  return history.kind === 'none' ? `none; ${whyNoHistory(history.why)}` : `${history.commits} commits`
}

function stateText(state: RepositoryState): string {
  const { root, files, chunks, skipped, stale, encoder, history, folder, detail } = state
  const said = [
    `${root}: ${state.state}; ${detail}`,
    ...(state.state === 'indexed'
      ? [
          `${files} files, ${chunks} chunks, ${skipped} skipped, ${stale} stale; ${encoder}; history ${history}`,
        ]
      : []),
    ...(folder === '' ? [] : [`index in ${folder}`]),
  ]
  return `${said.join('\n')}\n`
}
