/** Text for a terminal: wrapped at its width, linked, and never obeying what a repository says. */
import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explained } from '../../src/cli/explain-command.js'
import { formatRelated } from '../../src/cli/format-related.js'
import { format } from '../../src/cli/format.js'
import { layoutFor, PLAIN, type Layout } from '../../src/cli/layout.js'
import { allVisible, visible, visibleJson, visibleLines } from '../../src/cli/visible.js'
import { buildIndex, openIndex, type Answer, type RelatedAnswer } from '../../src/index.js'
import { command } from '../helpers/command.js'
import { makeSample, put } from '../spine/sample.js'

const ESC = '\u001b'
/** Clears the screen, renames the window, moves up, turns the reading direction. */
const EVIL = `${ESC}[2J${ESC}]0;owned\u0007\u009b1A\u202e`
const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

const answer = (path: string, change: Partial<Answer['files'][number]> = {}): Answer => ({
  schema: 1,
  task: 'a task',
  stop: 'sufficient',
  notes: [{ code: 'LEFT_OUT', message: `see ${path}` }],
  files: [
    {
      path,
      relevance: 0.91,
      band: 'high',
      cycle: 1,
      reason: 'defines throttle; 3 places about limiting, rate, requests; file name matches',
      ranges: [{ start: 1, end: 28, symbol: 'throttle', kind: 'function' }],
      missingContext: [{ kind: 'symbol', name: 'Store', definedIn: path, critical: false }],
      ...change,
    },
  ],
  gaps: [],
  cycles: [],
  index: { files: 1, chunks: 1, stale: 0, skipped: 0, encoder: 'hone-static-1' },
  ms: 1,
})
const related = (path: string): RelatedAnswer => ({
  schema: 1,
  places: [{ path }],
  notes: [],
  files: [
    {
      path,
      relatedness: 0.5,
      reason: `uses ${path}`,
      ranges: [],
      similarity: 0.5,
      commitsTogether: 0,
      uses: [],
      usedBy: [],
    },
  ],
  index: { files: 1, chunks: 1, stale: 0, skipped: 0, encoder: 'hone-static-1' },
  ms: 1,
})

const text = (of: Answer, layout: Layout, isColoured = false): string =>
  format(of, 'text', { isColoured, isCompact: false, layout })
const terminal = (columns: number, isLinking = false): Promise<Layout> =>
  layoutFor({ columns, isLinking, root: '/the/root' })

describe('what a repository says', () => {
  it('is shown, control characters and turned directions included, on one line', () => {
    expect(visible(`a${EVIL}\n\tb`)).toBe('a␛[2J␛]0;owned␇<U+009B>1A<U+202E>␊␉b')
    expect(visible('src/größe/日本語 😀.ts')).toBe('src/größe/日本語 😀.ts')
    expect(visibleLines(`a\n\tb${ESC}[1m\r`)).toBe('a\n\tb␛[1m␍')
  })

  it('holds nothing a terminal obeys afterwards, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        expect(visible(given)).not.toMatch(OBEYED)
        expect(visibleLines(given).replace(/[\n\t]/g, '')).not.toMatch(OBEYED)
      }),
    )
  })

  it('is the same JSON value without a raw control character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (given) => {
        const json = visibleJson(JSON.stringify(given))
        expect(json).not.toMatch(/\p{Cc}/u)
        expect(JSON.parse(json)).toEqual(given)
      }),
    )
    expect(visibleJson(JSON.stringify('\u009b2J'))).toBe('"\\u009b2J"')
  })

  it('stays of its shape: numbers, nothing and lists are left alone', () => {
    const value = { a: [1, null, { b: `${ESC}c` }], d: true, e: undefined }
    expect(allVisible(value)).toEqual({ a: [1, null, { b: '␛c' }], d: true, e: undefined })
  })

  it('does not reach a terminal raw: not from a path, a symbol, a reason, a gap or a note', async () => {
    const evil = answer(`src/${EVIL}.ts`, {
      reason: `defines ${EVIL}`,
      ranges: [{ start: 1, end: 2, symbol: EVIL, kind: 'function' }],
      missingContext: [{ kind: 'symbol', name: EVIL, critical: false }],
    })
    for (const layout of [PLAIN, await terminal(60)])
      for (const out of [
        text(evil, layout),
        formatRelated(related(EVIL), 'text', { isColoured: false, isCompact: false, layout }),
      ])
        expect(out.replaceAll('\n', '')).not.toMatch(OBEYED)
    const linked = text(evil, await terminal(200, true))
    const opened = linked.replace(/\u001b\]8;;([^\u0007]*)\u0007/g, (_, url: string) => url)
    expect(opened.replaceAll('\n', '')).not.toMatch(OBEYED)
    expect(opened).toContain('file:///the/root/src/%1B')
  })
})

describe('on a terminal', () => {
  it('lines are wrapped at its width, and go on below the path', async () => {
    const lines = text(answer('src/middleware/throttle.ts'), await terminal(40)).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '0.91 src/middleware/throttle.ts',
      '     1-28 throttle',
      '     defines throttle; 3 places about',
      '     limiting, rate, requests; file name',
      '     matches',
    ])
  })

  const paths = fc.array(
    fc.constantFrom('src', '日本語', '😀', 'größe', 'a-very-long-name-of-a-folder', '한국'),
    {
      minLength: 1,
      maxLength: 12,
    },
  )

  it('no line is wider than it, wide characters and emoji counted, and nothing is lost', async () => {
    const layouts = await Promise.all([30, 33, 47, 80].map((columns) => terminal(columns)))
    fc.assert(
      fc.property(paths, fc.constantFrom(0, 1, 2, 3), fc.boolean(), (parts, n, isColoured) => {
        const path = parts.join('/')
        const shown = text(answer(path), layouts[n]!, isColoured) // four layouts
        for (const line of shown.split('\n'))
          expect(stringWidth(line)).toBeLessThanOrEqual([30, 33, 47, 80][n]!)
        const packed = (of: string): string => stripVTControlCharacters(of).replace(/\s/g, '')
        expect(packed(shown)).toBe(packed(text(answer(path), PLAIN)))
      }),
    )
  })

  it('paths are links to their files where it shows links', async () => {
    const linked = text(answer('src/größe a.ts'), await terminal(100, true))
    expect(linked).toContain(
      `${ESC}]8;;file:///the/root/src/gr%C3%B6%C3%9Fe%20a.ts\u0007src/größe a.ts${ESC}]8;;\u0007`,
    )
    expect(text(answer('src/a.ts'), await terminal(100))).not.toContain(ESC)
  })

  it('columns of an explanation stand under each other, wide words included', async () => {
    const word = (name: string): object => ({
      word: name,
      origin: 'task',
      places: ['file name'],
      ranges: [],
      chunks: 1,
    })
    const explanation = {
      schema: 1,
      task: 'a',
      path: 'a.ts',
      outcome: 'returned',
      why: 'rated',
      rating: null,
      cycles: [],
      words: [word('日本'), word('token')],
      deep: null,
      stop: null,
    } as unknown as Parameters<typeof explained>[0]
    const out = explained(explanation, { isColoured: false, layout: await terminal(80) }).split('\n')
    const columns = out
      .filter((line) => line.includes('file name'))
      .map((line) => stringWidth(line.split('file name')[0]!))
    expect(columns).toEqual([9, 9])
  })

  it('that is too narrow, or tells no width, lines are left to it', async () => {
    const plain = text(answer('src/middleware/throttle.ts'), PLAIN)
    for (const columns of [0, 8])
      expect(text(answer('src/middleware/throttle.ts'), await terminal(columns))).toBe(plain)
  })
})

describe('the command, piped', () => {
  let root: string
  let remove: () => void
  const name = `src/token-${ESC}[31mred.ts`

  beforeAll(async () => {
    ;({ root, remove } = makeSample({}))
    put(root, name, `/** Signs a token. ${ESC}[2J */\nexport const signToken = 1\n`)
    put(root, `src/${'long-'.repeat(40)}token.ts`, 'export const tokenOfLongName = 1\n')
    await buildIndex({ root, jobs: 0 })
  })
  afterAll(() => {
    remove()
  })

  const run = (...args: readonly string[]): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [command(), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, FORCE_HYPERLINK: '1', FORCE_COLOR: '1', COLUMNS: '40' },
    })
    expect(stderr.replaceAll('\n', '')).not.toMatch(OBEYED)
    return stdout
  }

  it('prints no escape sequence as text or JSON, and wraps and cuts nothing', () => {
    for (const args of [
      ['query', 'sign a token', '--min-relevance', '0', '--explain'],
      ['query', 'sign a token', '--min-relevance', '0', '--format', 'json', '--budget-tokens', '2000'],
      ['related', 'src/' + 'long-'.repeat(40) + 'token.ts'],
      ['explain', name, '--task', 'sign a token', '--min-relevance', '0'],
      ['status'],
    ]) {
      expect(run(...args).replaceAll('\n', ''), args.join(' ')).not.toMatch(OBEYED)
    }
    expect(run('query', 'token', '--min-relevance', '0')).toContain(`src/${'long-'.repeat(40)}token.ts`)
  })

  it('gives programs the path as it is', async () => {
    expect(run('query', 'sign a token', '--min-relevance', '0', '--format', 'paths')).toContain(`${name}\n`)
    const index = await openIndex({ root })
    expect(index.files()).toContain(name)
    index.close()
  })
})
