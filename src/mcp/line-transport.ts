/**
 * The protocol's stdio transport: one JSON message a line. Unlike the SDK's own it answers a line that is no message
 * with the error JSON-RPC has for it, and a line that never ends does not fill the memory.
 */
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { messageOf } from '../errors.js'

// The largest sensible request, a task with a thousand judgements, has 100 KB.
const MAX_LINE_BYTES = 10_000_000

export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Called when the client has said all it will say. */
  onend?: () => void

  #pieces: Buffer[] = []
  #bytes = 0
  #isOverlong = false

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  start(): Promise<void> {
    this.input.on('data', (piece: Buffer) => {
      this.#take(piece)
    })
    this.input.on('end', () => this.onend?.())
    this.input.on('error', () => this.onend?.())
    this.output.on('error', () => {
      void this.close() // nobody listens any more
    })
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message)
  }

  close(): Promise<void> {
    this.input.pause()
    this.onclose?.()
    return Promise.resolve()
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      // Also after a failed write: the error handler above closes, and nothing waits for ever.
      this.output.write(`${JSON.stringify(message)}\n`, () => {
        resolve()
      })
    })
  }

  #take(piece: Buffer): void {
    let from = 0
    for (let end; (end = piece.indexOf(0x0a, from)) >= 0; from = end + 1) {
      this.#hold(piece.subarray(from, end))
      this.#lineEnds()
    }
    this.#hold(piece.subarray(from))
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > MAX_LINE_BYTES) {
      this.#isOverlong = true
      this.#pieces = []
    } else if (part.length > 0) this.#pieces.push(part)
  }

  #lineEnds(): void {
    const line = Buffer.concat(this.#pieces).toString('utf8').trim()
    const isOverlong = this.#isOverlong
    this.#pieces = []
    this.#bytes = 0
    this.#isOverlong = false
    if (isOverlong)
      this.#refuse(null, ErrorCode.InvalidRequest, `a line is longer than ${MAX_LINE_BYTES} bytes`)
    else if (line !== '') this.#read(line)
  }

  #read(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      this.#refuse(null, ErrorCode.ParseError, `not JSON: ${messageOf(error).slice(0, 200)}`)
      return
    }
    const message = JSONRPCMessageSchema.safeParse(value)
    if (message.success) this.onmessage?.(message.data)
    else
      this.#refuse(
        idOf(value),
        ErrorCode.InvalidRequest,
        'not a JSON-RPC 2.0 request, notification or response',
      )
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } })
  }
}

/** The id of something that is no message, where it has one that may be answered to. */
function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id } = value
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}
