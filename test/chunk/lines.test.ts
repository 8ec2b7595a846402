import { describe, expect, it } from 'vitest'
import { assertCovers, chunked, symbolLines } from './chunking.js'

const CODE = ['// first', 'const a = 1', '', 'function second() {', '  return a', '}', 'class Third {}', '']

describe('lines are counted as an editor counts them', () => {
  it.each([
    ['\\n', '\n'],
    ['\\r\\n', '\r\n'],
    ['lone \\r', '\r'],
  ])('with %s as the line break', async (_, lineBreak) => {
    expect(await symbolLines('a.ts', CODE.join(lineBreak))).toEqual([
      'constant a 2 1-2',
      'function second 4 4-6',
      'class Third 7 7-7',
    ])
  })

  it('a final line break adds no line', async () => {
    expect((await chunked('a.txt', 'a\nb\n')).chunks.map((chunk) => chunk.endLine)).toEqual([2])
    expect((await chunked('a.txt', 'a\nb')).chunks.map((chunk) => chunk.endLine)).toEqual([2])
    expect((await chunked('a.txt', 'a\nb\n\n')).chunks.map((chunk) => chunk.endLine)).toEqual([3])
  })

  it('an empty file has no chunks', async () => {
    expect(await chunked('a.ts', '')).toEqual({ language: 'typescript', chunks: [], symbols: [] })
  })

  it('a file of blank lines is one block', async () => {
    const { chunks } = await chunked('a.ts', '\n\n\n')
    expect(chunks.map(({ startLine, endLine, kind }) => [startLine, endLine, kind])).toEqual([
      [1, 3, 'block'],
    ])
  })

  it('a byte order mark shifts nothing', async () => {
    expect(await symbolLines('a.ts', '\uFEFFconst a = 1\nfunction f() {}\n')).toEqual([
      'constant a 1 1-1',
      'function f 2 2-2',
    ])
  })

  it('emoji and CJK before a symbol shift nothing', async () => {
    const text = 'const 名前 = "😀😀漢字"; function after() {}\n// 😀\nfunction next() {}\n'
    expect(await symbolLines('a.ts', text)).toEqual([
      'constant 名前 1 1-1',
      'function after 1 1-1',
      'function next 3 2-3',
    ])
    const python = 'x = "😀漢"\ndef f():\n    """説明 😀"""\n    return "😀"\ndef g(): pass\n'
    expect(await symbolLines('a.py', python)).toEqual([
      'variable x 1 1-1',
      'function f 2 2-4',
      'function g 5 5-5',
    ])
  })
})

describe('large and odd files', () => {
  it('a string of more than 32 KiB keeps the symbols behind it', async () => {
    const rows = Array.from({ length: 2000 }, (_, row) => `  row ${row} of a long text`).join('\n')
    const text = `const before = 1\nconst long = \`\n${rows}\n\`\nfunction behind() {}\n`
    expect(text.length).toBeGreaterThan(32 * 1024)
    const lines = await symbolLines('a.ts', text)
    expect(lines.at(-1)).toBe('function behind 2004 2004-2004')
  })

  it('a file over a million characters goes by lines and says why', async () => {
    const text = 'const a = 1\n'.repeat(90_000)
    const file = await chunked('a.ts', text)
    expect(file.fallback).toMatch(/too large to parse/)
    expect(file.symbols).toEqual([])
    assertCovers(file, text)
  })

  it('a line over 20,000 characters goes by lines, alone in its chunk', async () => {
    const text = `const a = 1\nconst b = "${'x'.repeat(25_000)}"\nconst c = 1\n`
    const file = await chunked('a.js', text)
    expect(file.fallback).toMatch(/line 2 is too long/)
    expect(file.chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  it('deep nesting does not overflow the stack', async () => {
    for (const [open, close] of [
      ['class A { static b = ', '}'],
      ['namespace a {', '}'],
      ['(', ')'],
      ['{', '}'],
    ] as const) {
      const text = `${`${open}\n`.repeat(5000)}${`${close}\n`.repeat(5000)}`
      assertCovers(await chunked('a.ts', text), text)
    }
  })

  it('a parse error costs the broken part only', async () => {
    const text = 'function good() {}\n\n@@@ ??? %%%\n\nfunction alsoGood() {\n  return 1\n}\n'
    const names = (await chunked('a.ts', text)).symbols.map(({ name }) => name)
    expect(names).toContain('good')
    expect(names).toContain('alsoGood')
  })

  it('a language that was not prepared is a fault of the caller', async () => {
    const { createChunker } = await import('../../src/chunk/chunk-file.js')
    const chunker = await createChunker()
    expect(() => chunker.chunk('a.go', 'package a')).toThrow(/prepare\("go"\)/)
  })
})
