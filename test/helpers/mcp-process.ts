/** The real server as a process, spoken to line by line: for what an SDK's client would never send. */
import { spawn } from 'node:child_process'
import { tokensOf } from '../../src/retrieve/budget.js'
import type { Expected, HostileLine } from './hostile-requests.js'

export interface Spoken {
  /** What went wrong, a line each; none when all was as it should be. */
  readonly faults: readonly string[]
  readonly code: number | null
  readonly responses: number
  readonly stderr: string
}

interface Response {
  readonly jsonrpc?: unknown
  readonly id?: string | number | null
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: {
    readonly isError?: boolean
    readonly content?: readonly { readonly type: string; readonly text: string }[]
    readonly structuredContent?: { readonly error?: { readonly code: string; readonly message: string } }
  }
}

const START = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'hostile', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]
const SOUND = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'index_status', arguments: {} } }

/** Sends the lines between a sound beginning and a sound end, closes the input, and looks at all that came back. */
export async function speak(
  command: readonly string[],
  lines: readonly HostileLine[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Spoken> {
  const child = spawn(process.execPath, [...command], { stdio: 'pipe', env })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => out.push(piece))
  child.stderr.on('data', (piece: Buffer) => err.push(piece))
  child.stdin.on('error', () => undefined) // it ended early: its exit code says so
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const asLine = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
  for (const bytes of [...START.map(asLine), ...lines.map((line) => line.bytes), asLine(SOUND)])
    if (!child.stdin.write(bytes)) await new Promise((resolve) => child.stdin.once('drain', resolve))
  child.stdin.end()
  const code = await ended
  const text = Buffer.concat(out).toString('utf8')
  const { faults, responses } = check(
    text,
    lines.map(({ expected }) => expected),
  )
  return { faults, code, responses, stderr: Buffer.concat(err).toString('utf8') }
}

function check(
  text: string,
  expected: readonly Expected[],
): { readonly faults: string[]; readonly responses: number } {
  const faults: string[] = []
  if (text !== '' && !text.endsWith('\n')) faults.push('the output does not end with a whole line')
  const responses = text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parsed(line, faults))
  const byId = new Map<string | number, Response[]>()
  for (const response of responses)
    if (response.id !== null && response.id !== undefined)
      byId.set(response.id, [...(byId.get(response.id) ?? []), response])
  const refusals = responses.filter(({ id, error }) => id === null && error !== undefined).length
  const wanted = expected.filter(({ kind }) => kind === 'refusal').length
  if (refusals !== wanted) faults.push(`${refusals} refusals for ${wanted} broken lines`)
  for (const one of expected) if ('id' in one) faults.push(...faultsOf(one, byId.get(one.id) ?? []))
  if (byId.get(1)?.[0]?.result === undefined) faults.push('initialize was not answered')
  const last = byId.get(2)?.[0]
  if (last?.result === undefined || last.result.isError === true)
    faults.push('a sound call at the end was not answered')
  return { faults, responses: responses.length }
}

function parsed(line: string, faults: string[]): readonly Response[] {
  try {
    const response = JSON.parse(line) as Response
    if (response.jsonrpc === '2.0') return [response]
  } catch {
    // said below
  }
  faults.push(`not protocol: ${line.slice(0, 200)}`)
  return []
}

function faultsOf(
  expected: Extract<Expected, { id: unknown }>,
  responses: readonly Response[],
): readonly string[] {
  const [response] = responses
  const at = `request ${expected.id}`
  if (responses.length > 1) return [`${at} has ${responses.length} answers`]
  if (response === undefined) return expected.kind === 'maybe' ? [] : [`${at} has no answer`]
  const isError = response.error !== undefined || response.result?.isError === true
  if (expected.kind === 'error' && !isError)
    return [`${at} is answered: ${JSON.stringify(response).slice(0, 300)}`]
  const inner = response.result?.structuredContent?.error
  if (inner?.code === 'INTERNAL') return [`${at} is a fault: ${inner.message}`]
  if (isError && messageIn(response).length < 5) return [`${at} has an error that says nothing`]
  return expected.kind === 'answer' && !isError ? overBudget(response, expected.budget, at) : []
}

function overBudget({ result }: Response, budget: number, at: string): readonly string[] {
  const forms = [result?.content?.[0]?.text ?? '', JSON.stringify(result?.structuredContent)]
  return forms
    .filter((form) => form === '' || tokensOf(form) > budget)
    .map((form) => `${at}: ${tokensOf(form)} tokens of ${budget}`)
}

function messageIn({ error, result }: Response): string {
  return error?.message ?? result?.content?.[0]?.text ?? ''
}
