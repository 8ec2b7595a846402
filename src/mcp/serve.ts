/** The MCP server: the official SDK's protocol over two streams, hone's tools behind it. */
import { fileURLToPath } from 'node:url'
import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import { VERSION } from '../config.js'
import { HoneError, messageOf } from '../errors.js'
import type { BuildProgress } from '../index.js'
import { CALLS, type Call } from './calls.js'
import { LineTransport } from './line-transport.js'
import { Repositories } from './repositories.js'
import { INSTRUCTIONS, TOOLS } from './tools.js'

export interface ServeOptions {
  readonly input: Readable
  /** Carries the protocol and nothing else. */
  readonly output: Writable
  /** Folders to serve; none: those the client has open, else the current one. */
  readonly roots: readonly string[]
  readonly currentFolder: string
  /** How long a question waits for the first indexing of a repository. */
  readonly patienceMs: number
}

// A client that does not answer this soon has no folders to offer.
const ROOTS_TIMEOUT_MS = 3000

/** Serves until the client closes its side and everything asked is answered. */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const server = new Server({ name: 'hone', title: 'hone', version: VERSION }, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  })
  const repositories = new Repositories({
    given: options.roots,
    ofClient: () => clientRoots(server),
    current: options.currentFolder,
    patienceMs: options.patienceMs,
  })
  const pending = new Set<Promise<unknown>>()
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      // The SDK's type is of mutable lists.
      inputSchema: { ...inputSchema, required: [...inputSchema.required] },
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const token = params._meta?.progressToken
    const onProgress =
      token === undefined
        ? (): void => undefined
        : progressSender((progress) => {
            const { done, total } = progress
            const message = `${progress.phase}: ${done} of ${total}`
            extra
              .sendNotification({
                method: 'notifications/progress',
                params: { progressToken: token, progress: done, total, message },
              })
              .catch(() => undefined) // a client that is gone: the transport closes
          })
    const answer = callTool(params, { repositories, signal: extra.signal, onProgress })
    pending.add(answer)
    void answer.catch(() => undefined).then(() => pending.delete(answer))
    return answer
  })
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    repositories.forgetRoots()
  })
  const transport = new LineTransport(options.input, options.output)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  transport.onend = () => {
    void allSettled(pending).then(() => server.close())
  }
  await server.connect(transport)
  await closed
  await repositories.close()
}

/** Also what is asked while waiting; a turn of the loop later, so that the answers are handed on. */
async function allSettled(pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  await turn()
  while (pending.size > 0) await Promise.allSettled(pending)
  await turn()
}

async function callTool(
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  call: Call,
): Promise<CallToolResult> {
  const run = CALLS.get(name)
  if (run === undefined) {
    const names = TOOLS.map((tool) => tool.name).join(', ')
    throw new McpError(ErrorCode.InvalidParams, `no tool ${JSON.stringify(name.slice(0, 100))}; there are ${names}`)
  }
  try {
    const { facts, markdown } = await run(args ?? {}, call)
    return { content: [{ type: 'text', text: markdown }], structuredContent: { ...facts } }
  } catch (error) {
    return toolError(error)
  }
}

// Longer messages repeat what was given.
const MAX_MESSAGE = 600

/** What went wrong and what to do, for the agent to read. */
function toolError(error: unknown): CallToolResult {
  const isKnown = error instanceof HoneError
  const code = isKnown ? error.code : 'INTERNAL'
  const said = messageOf(error).slice(0, MAX_MESSAGE)
  const message = isKnown ? said : `a fault in hone: ${said}; try again, and run hone doctor if it stays`
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message } },
  }
}

// Notifications of one call: not more often than a person can read, and never backwards.
const PROGRESS_EVERY_MS = 250

function progressSender(send: (progress: BuildProgress) => void): (progress: BuildProgress) => void {
  let last = { at: -Infinity, done: -1 }
  return (progress) => {
    if (progress.phase !== 'index' || progress.done <= last.done) return
    const at = performance.now()
    if (at - last.at < PROGRESS_EVERY_MS && progress.done < progress.total) return
    last = { at, done: progress.done }
    send(progress)
  }
}

/** Folders the client has open, where it says so. */
async function clientRoots(server: Server): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return []
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS })
    return roots.flatMap(({ uri }) => pathOf(uri) ?? [])
  } catch {
    return [] // it offers them and cannot tell: the current folder serves
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined // no file URI, or of another machine
  }
}
