/** The server as coding agents meet it: the official client over a real process. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CallToolResultSchema,
  ListRootsRequestSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tokensOf } from '../../src/index.js'
import type { ContextFacts } from '../../src/mcp/facts.js'
import { command, hone } from '../helpers/command.js'
import { makeSample } from '../spine/sample.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/repos/parcel-api')
const OTHER = join(import.meta.dirname, '../fixtures/repos/quill-diff')
const TASK = 'throttle requests by address'

let folder: string
let root: string
let other: string
const clients: Client[] = []

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hone-mcp-')))
  root = join(folder, 'parcel-api')
  other = join(folder, 'quill-diff')
  cpSync(FIXTURE, root, { recursive: true })
  cpSync(OTHER, other, { recursive: true })
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function connected(args: readonly string[], options: { cwd?: string; roots?: readonly string[] } = {}) {
  const { cwd = folder, roots } = options
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } },
  )
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
    }))
  client.onerror = (error) => {
    throw error // anything on standard output that is no message ends here
  }
  clients.push(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command(), 'mcp', ...args],
      cwd,
      stderr: 'inherit',
    }),
  )
  return client
}

interface Result {
  readonly isError: boolean
  readonly text: string
  readonly facts: ContextFacts
}

async function called(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: { onprogress?: (progress: Progress) => void; signal?: AbortSignal } = {},
): Promise<Result> {
  const result = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: args }, CallToolResultSchema, options),
  )
  const [content] = result.content
  return {
    isError: result.isError === true,
    text: content?.type === 'text' ? content.text : '',
    facts: result.structuredContent as unknown as ContextFacts,
  }
}

describe('a session with the official client', () => {
  it('indexes on the first call, telling how far it is, and answers', async () => {
    const client = await connected([root])
    const seen: Progress[] = []
    const { isError, facts, text } = await called(
      client,
      'retrieve_context',
      { task: TASK },
      { onprogress: (p) => seen.push(p) },
    )
    expect(isError).toBe(false)
    expect(facts.files[0]?.path).toBe('src/middleware/throttle.ts')
    expect(text).toContain('## src/middleware/throttle.ts')
    const done = seen.map(({ progress }) => progress)
    expect(done.length).toBeGreaterThan(0)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(seen.at(-1)?.progress).toBe(seen.at(-1)?.total)
  })

  it('takes judgements and finds further files, at most three cycles, never one that was judged', async () => {
    const client = await connected([root])
    const task = 'webhook deliveries and backoff delays'
    const first = await called(client, 'retrieve_context', { task, limit: 1 })
    const judgements = first.facts.files.map(({ path }) => ({ path, relevant: true }))
    expect(judgements).toEqual([{ path: 'src/notify/backoff.ts', relevant: true }])
    const second = await called(client, 'retrieve_context', { task, judgements })
    expect(second.isError).toBe(false)
    expect(second.facts.files.map(({ path }) => path)).toContain('src/notify/webhooks.ts')
    expect(second.facts.cycles.length).toBeLessThanOrEqual(3)
    const judged = new Set(judgements.map(({ path }) => path))
    expect(second.facts.files.filter(({ path }) => judged.has(path))).toEqual([])
  })

  it('says the same in both forms, each within the budget', async () => {
    const client = await connected([root])
    for (const budget of [300, 700, 2000, 20_000]) {
      const { facts, text, isError } = await called(client, 'retrieve_context', {
        task: TASK,
        budget_tokens: budget,
      })
      expect(isError, text).toBe(false)
      expect(tokensOf(text)).toBeLessThanOrEqual(budget)
      expect(tokensOf(JSON.stringify(facts))).toBeLessThanOrEqual(budget)
      const said = [
        facts.stop,
        ...facts.files.flatMap(({ path, relevance, reason, ranges, missingContext }) => [
          `## ${path}\n${relevance} `,
          reason,
          ...ranges.flatMap(({ start, end, text: lines }) => [`${start}-${end}`, lines ?? '']),
          ...missingContext.map(({ name }) => name),
        ]),
        ...facts.gaps.map(({ name }) => name),
        ...facts.notes.map(({ message }) => message),
        ...facts.cycles.flatMap(({ keywords, added }) => [keywords.join(' '), ...added]),
      ]
      for (const fact of said) expect(text).toContain(fact)
    }
  })

  it('keeps a budget for what is related, in both forms, and shows lines of it', async () => {
    const client = await connected([root])
    for (const budget of [300, 700, 2000]) {
      const { facts, text, isError } = await called(client, 'related_code', {
        path: 'src/middleware/throttle.ts',
        budget_tokens: budget,
      })
      expect(isError, text).toBe(false)
      expect(tokensOf(text)).toBeLessThanOrEqual(budget)
      expect(tokensOf(JSON.stringify(facts))).toBeLessThanOrEqual(budget)
      expect(facts.files[0]?.ranges[0]?.text?.split('\n').length).toBeGreaterThanOrEqual(3)
    }
  })

  it('keeps 4,000 tokens unless asked otherwise, also for what is related', async () => {
    const body = Array.from(
      { length: 40 },
      (_, i) => `  total += ledger.balance(${i}) // adds the balance`,
    ).join('\n')
    const wide = makeSample(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          `src/ledger${i}.ts`,
          `export function ledger${i}(total) {\n${body}\n}\n`,
        ]),
      ),
    )
    const ledgers = Array.from({ length: 12 }, (_, i) => `ledger${i}`)
    const client = await connected([wide.root])
    for (const [name, args] of [
      ['retrieve_context', { task: ledgers.join(' '), limit: 50 }],
      ['related_code', { path: 'src/ledger0.ts', limit: 50 }],
    ] as const) {
      const { text, facts, isError } = await called(client, name, args)
      expect(isError, text).toBe(false)
      expect(tokensOf(text)).toBeLessThanOrEqual(4000)
      expect(tokensOf(JSON.stringify(facts))).toBeLessThanOrEqual(4000)
      expect(JSON.stringify(facts.notes)).toContain('LEFT_OUT') // there was more
    }
    wide.remove()
  })

  it('finds what belongs to a place', async () => {
    const client = await connected([root])
    const { facts, text, isError } = await called(client, 'related_code', {
      path: 'src/middleware/throttle.ts',
      line: 20,
    })
    expect(isError, text).toBe(false)
    expect(facts.files.map(({ path }) => path)).toContain('tests/throttle.spec.ts')
    expect(facts.files.map(({ path }) => path)).not.toContain('src/middleware/throttle.ts')
  })
})

describe('errors', () => {
  it('say what to do next, and are tool errors', async () => {
    const client = await connected([root])
    const cases = [
      ['retrieve_context', {}, 'task is missing'],
      ['retrieve_context', { task: '  ' }, 'say what you are looking for'],
      ['retrieve_context', { task: 'x', limit: 0 }, 'a whole number from 1 to 50'],
      ['retrieve_context', { task: 'x', nope: 1 }, 'the arguments are task, judgements'],
      [
        'retrieve_context',
        { task: TASK, judgements: [{ path: 'src/thrott.ts', relevant: true }] },
        'src/thrott.ts',
      ],
      ['related_code', { path: '../../etc/passwd' }, 'give a path relative to it'],
      ['related_code', { path: 'src/nope.ts' }, 'not in the index'],
      ['related_code', { path: 'src/router.ts', line: 9999 }, 'has 71 lines'],
      ['index_status', { root: 'elsewhere' }, root],
    ] as const
    for (const [name, args, words] of cases) {
      const { isError, text } = await called(client, name, args)
      expect(isError, text).toBe(true)
      expect(text).toContain(words)
    }
  })

  it('of an unknown tool names the tools there are', async () => {
    const client = await connected([root])
    await expect(called(client, 'nope', {})).rejects.toThrow('retrieve_context, related_code, index_status')
  })
})

describe('which repository', () => {
  it('is said as root where several are served, by folder or name', async () => {
    const client = await connected([root, other])
    expect((await called(client, 'retrieve_context', { task: TASK })).text).toContain(`${root}, ${other}`)
    for (const name of [root, 'parcel-api'])
      expect(
        (await called(client, 'retrieve_context', { task: TASK, root: name })).facts.files[0]?.path,
      ).toBe('src/middleware/throttle.ts')
  })

  it('is the one that the client has open, where none was given', async () => {
    const client = await connected([], { roots: [other] })
    expect((await called(client, 'index_status', {})).text).toContain(other)
  })

  it('is the current one where the client does not say', async () => {
    const client = await connected([], { cwd: join(root, 'src') })
    expect((await called(client, 'index_status', {})).text).toContain(`${root}: indexed`)
  })
})

describe('a large repository that is not indexed', () => {
  it('is answered about, or told how far indexing is, without waiting for the end; the next calls know more', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `src/part${i}.ts`,
        `export function part${i}() { return ${i} }\n`.repeat(40),
      ]),
    )
    const large = makeSample(files)
    const client = await connected([large.root, '--wait-ms', '1'])
    const first = await called(client, 'retrieve_context', { task: 'what does part299 return' })
    expect(first.isError ? first.text : JSON.stringify(first.facts.notes)).toMatch(
      /indexed for the first time|PARTIAL_INDEX/,
    )
    const states: string[] = []
    for (let last = first; last.isError || last.facts.notes.some(({ code }) => code === 'PARTIAL_INDEX');) {
      states.push((await called(client, 'index_status', {})).text)
      last = await called(client, 'retrieve_context', { task: 'what does part299 return' })
    }
    expect(states.every((state) => /: index(ing|ed);/.test(state))).toBe(true)
    expect(
      (await called(client, 'retrieve_context', { task: 'what does part299 return' })).facts.files[0]?.path,
    ).toBe('src/part299.ts')
    large.remove()
  })

  it('is indexed on after the call that began it was cancelled', async () => {
    const fresh = makeSample()
    const client = await connected([fresh.root])
    const cancelling = new AbortController()
    const call = called(client, 'retrieve_context', { task: 'sign a token' }, { signal: cancelling.signal })
    cancelling.abort()
    await expect(call).rejects.toThrow()
    expect((await called(client, 'retrieve_context', { task: 'sign a token' })).facts.files[0]?.path).toBe(
      'src/token.ts',
    )
    expect(hone(['status', fresh.root]).code).toBe(0)
    fresh.remove()
  })
})
