/**
 * The MCP server: the official SDK's protocol over two streams, hone's tools behind it. Its low-level `Server`, because
 * the other takes zod schemas and publishes what it makes of them; ours are plain JSON that every client understands.
 */
/* eslint-disable @typescript-eslint/no-deprecated -- see above */
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
  type ProgressNotification,
} from '@modelcontextprotocol/sdk/types.js'
import { VERSION } from '../config.js'
import { HoneError, messageOf } from '../errors.js'
import type { BuildProgress } from '../index.js'
import { CALLS, type Call } from './calls.js'
import { LineTransport } from './line-transport.js'
import { Repositories } from './repositories.js'
import { INSTRUCTIONS, TOOLS, type Tool as McpTool } from './tools.js'

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
  const server = new Server(
    { name: 'hone', title: 'hone', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  const repositories = new Repositories({
    given: options.roots,
    ofClient: () => clientRoots(server),
    current: options.currentFolder,
    patienceMs: options.patienceMs,
  })
  const pending = new Set<Promise<unknown>>()
  handleRequests(server, repositories, pending)
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

function handleRequests(server: Server, repositories: Repositories, pending: Set<Promise<unknown>>): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(declaration) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, sendNotification }) => {
    const onProgress = progressSender(params._meta?.progressToken, sendNotification)
    const answer = callTool(params, { repositories, signal, onProgress })
    pending.add(answer)
    void answer.catch(() => undefined).then(() => pending.delete(answer))
    return answer
  })
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    repositories.forgetRoots()
  })
}

/** A tool as the protocol lists it; the SDK's type is of mutable lists. */
function declaration({ name, title, description, inputSchema }: McpTool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, required: [...inputSchema.required] },
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  }
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
    throw new McpError(
      ErrorCode.InvalidParams,
      `no tool ${JSON.stringify(name.slice(0, 100))}; there are ${names}`,
    )
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

/** Tells the client how far indexing is, where it gave a token for that. */
function progressSender(
  token: string | number | undefined,
  send: (notification: ProgressNotification) => Promise<void>,
): (progress: BuildProgress) => void {
  if (token === undefined) return () => undefined
  let last = { at: -Infinity, done: -1 }
  return ({ phase, done, total }) => {
    if (phase !== 'index' || done <= last.done) return
    const at = performance.now()
    if (at - last.at < PROGRESS_EVERY_MS && done < total) return
    last = { at, done }
    const params = {
      progressToken: token,
      progress: done,
      total,
      message: `indexed ${done} of ${total} files`,
    }
    send({ method: 'notifications/progress', params }).catch(() => undefined) // the client is gone: the transport closes
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
