import { describe, expect, it } from 'vitest'
import type { ChunkedFile } from '../../src/types.js'
import { chunked } from './chunking.js'

/** "from-to kind scope/name [symbols]" */
function shape(file: ChunkedFile): readonly string[] {
  return file.chunks.map(({ startLine, endLine, kind, name, scope, symbols }) => {
    const qualified = scope === '' ? name : `${scope}/${name}`
    return `${startLine}-${endLine} ${kind} ${qualified} [${symbols.join(' ')}]`
  })
}

function statements(count: number, indent: string): string {
  return Array.from({ length: count }, (_, at) => `${indent}step(${at})`).join('\n')
}

function method(name: string, lines: number): string {
  return `  ${name}() {\n${statements(lines, '    ')}\n  }\n`
}

describe('a symbol of moderate size is one chunk', () => {
  it('with the comment above it', async () => {
    const text = `/** Says what it does. */\nexport function work() {\n${statements(20, '  ')}\n}\n`
    const file = await chunked('a.ts', text)
    expect(shape(file)).toEqual(['1-23 function work [work]'])
    expect(file.chunks[0]?.comment).toBe('Says what it does.')
  })

  it('with a comment one blank line above it, but not with the licence of the file', async () => {
    const text = `// Licence.\n\nfunction one() {\n${statements(8, '  ')}\n}\n\n// Two.\n\nfunction two() {\n${statements(8, '  ')}\n}\n`
    const file = await chunked('a.ts', text)
    expect(shape(file)).toEqual(['1-13 function one [one]', '14-25 function two [two]'])
    expect(file.symbols.map(({ startLine }) => startLine)).toEqual([3, 16])
  })

  it('and a short class is one chunk with its members', async () => {
    const text = `class Small {\n${method('one', 2)}\n${method('two', 2)}}\n`
    expect(shape(await chunked('a.ts', text))).toEqual(['1-11 class Small [Small one two]'])
  })

  it('and two symbols on one line share it', async () => {
    expect(shape(await chunked('a.ts', 'function a() {} function b() {}\n'))).toEqual(['1-1 block  [a b]'])
  })

  it('and a symbol that starts where the last one ends stays with it', async () => {
    const text = `function a() {\n${statements(10, '  ')}\n} function b() {\n${statements(12, '  ')}\n}\n`
    expect(shape(await chunked('a.ts', text))).toEqual(['1-25 function b [b a]'])
  })
})

describe('a long class', () => {
  it('is its header and a chunk per member', async () => {
    const header = `/**\n * Does a lot.\n *\n * In many ways.\n */\nclass Big {\n  field = 1\n\n`
    const text = `${header}${method('one', 18)}\n${method('two', 18)}}\n`
    expect(shape(await chunked('a.ts', text))).toEqual([
      '1-8 class Big [Big field]',
      '9-29 method Big/one [one]',
      '30-50 method Big/two [two]',
    ])
  })

  it('with a header of a line or two gives it to the first member', async () => {
    const text = `class Big {\n${method('one', 18)}\n${method('two', 20)}}\n`
    expect(shape(await chunked('a.ts', text))).toEqual([
      '1-22 method Big/one [one Big]',
      '23-45 method Big/two [two]',
    ])
  })
})

describe('a long function', () => {
  it('is cut into pieces at blank lines, the first of which is the function', async () => {
    const body = Array.from({ length: 6 }, () => statements(14, '  ')).join('\n\n')
    const file = await chunked('a.ts', `function long() {\n${body}\n}\n`)
    expect(shape(file)).toEqual(['1-31 function long [long]', '32-61 piece long []', '62-91 piece long []'])
  })
})

describe('tiny neighbours', () => {
  it('are one block with all their names', async () => {
    const text = `import x from 'x'\n\nconst A = 1\nconst B = 2\n\ntype C = string\n`
    expect(shape(await chunked('a.ts', text))).toEqual(['1-6 block  [A B C]'])
  })

  it('stop joining at the limit of a block', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `const c${at} = ${at}`).join('\n')
    const file = await chunked('a.ts', text)
    expect(file.chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 25],
      [26, 50],
      [51, 60],
    ])
  })

  it('that stand alone before a function go with it', async () => {
    const text = `const LIMIT = 3\n\nfunction limited() {\n${statements(20, '  ')}\n}\n`
    expect(shape(await chunked('a.ts', text))).toEqual(['1-24 function limited [limited LIMIT]'])
  })
})

describe('lines without symbols', () => {
  it('are cut at blank lines near the wanted size', async () => {
    const paragraph = Array.from({ length: 9 }, (_, at) => `words of line ${at}`).join('\n')
    const file = await chunked('notes.txt', Array.from({ length: 8 }, () => paragraph).join('\n\n'))
    expect(file.language).toBe('text')
    expect(file.chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 30],
      [31, 60],
      [61, 79],
    ])
  })
})
