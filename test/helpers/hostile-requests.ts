/** Requests that no sound client sends, by the number: the same seed gives the same ones. */

/** What a line must be answered with. */
export type Expected =
  | { readonly kind: 'error'; readonly id: string | number } // a protocol error, or a tool error
  | { readonly kind: 'answer'; readonly id: string | number; readonly budget: number } // either, within a budget
  | { readonly kind: 'refusal' } // an error without an id: what was sent had none to answer to
  | { readonly kind: 'maybe'; readonly id: string | number } // cancelled: an answer or none
  | { readonly kind: 'nothing' } // a notification

export interface HostileLine {
  readonly bytes: Buffer
  readonly expected: Expected
}

type Random = () => number

/** Mulberry32: a small generator of which the whole state is one number. */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const ESCAPES = [
  '../x.ts',
  '../../../../etc/passwd',
  '/etc/passwd',
  'src/../../x.ts',
  './../x.ts',
  '..',
  '.',
  '/',
  'src/\0x.ts',
  '~/x.ts',
  'C:\\Windows\\x.ts',
  '%2e%2e/x.ts',
  'file:///etc/passwd',
  '\u202e../x.ts',
  '....//x.ts',
]

const WRONG: readonly unknown[] = [null, 0, -1, 1.5, true, '', [], {}, [[]], { a: {} }, '__proto__', [null]]
const NAMES = [
  'nope',
  '',
  '__proto__',
  'constructor',
  'toString',
  'retrieve_context ',
  'RETRIEVE_CONTEXT',
  '../x',
]
const METHODS = [
  'tools/nope',
  'nope',
  '',
  'resources/list',
  'prompts/get',
  '__proto__',
  'tools/call/x',
  'rpc.x',
]
const BROKEN = [
  '{',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call"',
  '[]',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  'null',
  '42',
  '"text"',
  '{}',
  '{"jsonrpc":"1.0","method":"x"}',
  'Content-Length: 20',
  '{"jsonrpc":"2.0","method":7}',
  "{'jsonrpc':'2.0'}",
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
]
const TASKS = [
  '*',
  '"',
  '(',
  'NEAR(a b)',
  '-',
  '\u{1f600}',
  '日本語の検索',
  'a OR',
  "'; drop table files; --",
  '%s%n',
  '\\',
  ' x ',
  '\ud800',
]
const GLOBS = ['[', '!', '{a,b', '../**', '/**', '**/**/**/**/**/**/x', '+(a|b', '(', '\\', '@(', '']

/** `count` lines; ids from 1000 on, each once. */
export function hostileLines(count: number, seed: number): readonly HostileLine[] {
  const random = randomFrom(seed)
  const kinds = [
    wrongTypes,
    escape,
    huge,
    unknownTool,
    unknownMethod,
    broken,
    strange,
    cancelled,
    nested,
    binary,
  ]
  const lines: HostileLine[] = []
  for (let i = 0; lines.length < count; i++) lines.push(...kinds[i % kinds.length]!(1000 + i, random))
  return lines.slice(0, count)
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!
}

function call(id: number, name: unknown, args: unknown, expected: Expected['kind'] = 'error'): HostileLine {
  const budget =
    typeof args === 'object' && args !== null && 'budget_tokens' in args ? Number(args.budget_tokens) : 4000
  return {
    bytes: line({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }),
    expected: expected === 'answer' ? { kind: expected, id, budget } : { kind: expected, id },
  }
}

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

function wrongTypes(id: number, random: Random): readonly HostileLine[] {
  const tool = pick(['retrieve_context', 'related_code', 'index_status'], random)
  const sound: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    retrieve_context: { task: 'x' },
    related_code: { path: 'README.md' },
    index_status: {},
  }
  const wrongOf: Readonly<Record<string, readonly unknown[]>> = {
    task: WRONG.filter((value) => typeof value !== 'string' || value === ''),
    judgements: WRONG.filter((value) => !Array.isArray(value) || value.length > 0),
    limit: [...WRONG, 51],
    budget_tokens: [...WRONG, 199, 1e9],
    include: WRONG.filter((value) => !Array.isArray(value) || value.length > 0),
    path: WRONG,
    line: WRONG,
    root: WRONG.filter((value) => typeof value !== 'string'),
    [`unknown${id}`]: WRONG,
  }
  const argument = pick(Object.keys(wrongOf), random)
  return [call(id, tool, { ...sound[tool], [argument]: pick(wrongOf[argument]!, random) })]
}

function escape(id: number, random: Random): readonly HostileLine[] {
  const path = pick(ESCAPES, random)
  return [
    pick(
      [
        call(id, 'related_code', { path }),
        call(id, 'retrieve_context', { task: 'x', judgements: [{ path, relevant: true }] }),
        call(id, 'index_status', { root: `${path}${path}` }),
        call(id, 'related_code', { path: 'README.md', root: `/etc/${id}` }),
      ],
      random,
    ),
  ]
}

function huge(id: number, random: Random): readonly HostileLine[] {
  const letters = pick(['x', '.', '\u00e9', '../', '\n', '{'], random)
  return [
    pick(
      [
        call(id, 'retrieve_context', { task: letters.repeat(150_000) }),
        call(
          id,
          'retrieve_context',
          { task: `find ${letters.repeat(30_000)}`, budget_tokens: 500 },
          'answer',
        ),
        call(id, 'related_code', { path: letters.repeat(5000) }),
        call(id, letters.repeat(100_000), {}),
        call(id, 'retrieve_context', { task: 'x', [letters.repeat(100_000)]: 1 }),
        call(id, 'retrieve_context', { task: 'x', include: new Array(200).fill('a') }),
      ],
      random,
    ),
  ]
}

function unknownTool(id: number, random: Random): readonly HostileLine[] {
  return [call(id, pick([...NAMES, ...WRONG], random), pick<unknown>([{}, { task: 'x' }, undefined], random))]
}

function unknownMethod(id: number, random: Random): readonly HostileLine[] {
  const method = pick(METHODS, random)
  const bytes = line({ jsonrpc: '2.0', id, method, params: pick<unknown>([{}, { a: 1 }, undefined], random) })
  return [{ bytes, expected: { kind: 'error', id } }]
}

function broken(_id: number, random: Random): readonly HostileLine[] {
  return [
    {
      bytes: Buffer.from(
        `${pick(
          BROKEN.filter((text) => !/"id":1[,}]/.test(text) || text.startsWith('[')),
          random,
        )}\n`,
      ),
      expected: { kind: 'refusal' },
    },
  ]
}

/** Sound in form, strange in content: answered, or refused, within the budget. */
function strange(id: number, random: Random): readonly HostileLine[] {
  const budget = pick([200, 201, 300, 1000, 100_000], random)
  return [
    call(
      id,
      'retrieve_context',
      {
        task: pick(TASKS, random),
        budget_tokens: budget,
        ...(random() < 0.5 ? {} : { include: [pick(GLOBS, random)] }),
        ...(random() < 0.5 ? {} : { limit: pick([1, 50], random) }),
      },
      'answer',
    ),
  ]
}

function cancelled(id: number, random: Random): readonly HostileLine[] {
  const reason = pick<unknown>(['changed my mind', 'x'.repeat(10_000)], random)
  const cancel = line({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: id, reason },
  })
  return [
    call(id, 'retrieve_context', { task: 'where are sessions kept' }, 'maybe'),
    { bytes: cancel, expected: { kind: 'nothing' } },
  ]
}

function nested(id: number, random: Random): readonly HostileLine[] {
  const depth = pick([1000, 100_000], random)
  const deep = '['.repeat(depth) + ']'.repeat(depth)
  const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"retrieve_context","arguments":{"task":${deep}}}}\n`
  return [{ bytes: Buffer.from(text), expected: { kind: 'error', id } }]
}

function binary(_id: number, random: Random): readonly HostileLine[] {
  const bytes = Buffer.from(
    Array.from({ length: 1 + Math.floor(random() * 200) }, () => 128 + Math.floor(random() * 128)),
  )
  return [{ bytes: Buffer.concat([bytes, Buffer.from('\n')]), expected: { kind: 'refusal' } }]
}
