import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChunker, type Chunker } from '../../src/chunk/chunk-file.js'
import { LANGUAGE_NAMES } from '../../src/chunk/languages/table.js'
import { assertCovers } from './chunking.js'

const EXTENSIONS = ['ts', 'tsx', 'js', 'py', 'go', 'java', 'rs', 'c', 'cpp', 'rb', 'php', 'cs', 'sh', 'kt']
  .concat(['scala', 'ex', 'hs', 'lua', 'zig', 'swift', 'md', 'sql', 'bats', 'h', 'unknown'])
  .concat(['json', 'yml', 'toml', 'ini', 'rst', 'vue', 'html', 'astro', 'ipynb', 'mk', 'tf', 'dockerfile'])

/** Fragments that open, close and break things in one language or another. */
const FRAGMENTS = [
  'class A {',
  'class A:',
  '}',
  '{',
  'def f(x):',
  'end',
  'function f() {',
  'fn g() {}',
  'func H() {}',
  'if (x) {',
  'const a = 1',
  '/*',
  '*/',
  '// note',
  '# note',
  '--',
  '"""',
  "'",
  '"',
  '`',
  '#define X 1',
  '#if X',
  '#endif',
  'export default class {',
  '@Test',
  'module M',
  'impl A {',
  '😀',
  '漢字',
  '',
  ' ',
  '    ',
  '\t',
  'describe("x", () => {',
  '})',
  'namespace n {',
  'template <class T>',
  'data D = D',
  'key: value',
  '"key": {',
  '"cells": [',
  '[table]',
  '=====',
  '# Heading',
  '```',
  '<script lang="ts">',
  '</script>',
  '---',
  'create table t (',
  '$$',
  'LIB_BEGIN',
  'LIB_API int f();',
  'defmodule A do',
  'x'.repeat(700),
]
const BREAKS = ['\n', '\r\n', '\r', '\n\n', '\r\r\n', '\n\r']

const textArbitrary = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom(...FRAGMENTS), fc.constantFrom(...BREAKS)), {
    maxLength: 120,
  })
  .map((parts) => parts.map(([one, two, end]) => `${one}${two}${end}`).join(''))

const TOP = join(import.meta.dirname, '../..')

/** Files below a folder of this checkout that an index would take by size, without compiled ones. */
function textFiles(folder: string): readonly string[] {
  return readdirSync(join(TOP, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(TOP, join(entry.parentPath, entry.name)))
    .filter((file) => statSync(join(TOP, file)).size <= 1_000_000)
    .filter((file) => !readFileSync(join(TOP, file)).includes(0))
}

describe('every line is in exactly one chunk', () => {
  let chunker: Chunker
  beforeAll(async () => {
    chunker = await createChunker()
    for (const language of LANGUAGE_NAMES) await chunker.prepare(language)
  })

  it('whatever the text and the language', () => {
    fc.assert(
      fc.property(textArbitrary, fc.constantFrom(...EXTENSIONS), fc.boolean(), (text, extension, cut) => {
        const given = cut ? text.replace(/[\r\n]+$/, '') : text
        assertCovers(chunker.chunk(`a.${extension}`, given), given)
      }),
      { numRuns: 1500 },
    )
  })

  it('for arbitrary unicode', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom(...EXTENSIONS),
        (text, extension) => {
          assertCovers(chunker.chunk(`a.${extension}`, text), text)
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['this repository', ['src', 'test', 'scripts', 'docs'], 400],
    ['tree-sitter as npm installs it: C, JavaScript', ['node_modules/tree-sitter'], 60],
    ['better-sqlite3 as npm installs it: C++, JavaScript', ['node_modules/better-sqlite3'], 40],
    ['hnswlib-node as npm installs it: C++ templates', ['node_modules/hnswlib-node'], 10],
  ])('for every file of %s', (_, folders, least) => {
    const files = folders.flatMap(textFiles)
    expect(files.length).toBeGreaterThanOrEqual(least)
    for (const file of files) {
      const text = readFileSync(join(TOP, file), 'utf8')
      assertCovers(chunker.chunk(file, text), text)
    }
  })

  it('with symbols that lie inside the file, an owner around its members', () => {
    fc.assert(
      fc.property(textArbitrary, fc.constantFrom(...EXTENSIONS), (text, extension) => {
        const { chunks, symbols } = chunker.chunk(`a.${extension}`, text)
        const last = chunks.at(-1)?.endLine ?? 0
        for (const { line, startLine, endLine } of symbols) {
          expect(startLine >= 1 && startLine <= line && line <= endLine && endLine <= last).toBe(true)
        }
        const named = new Set(chunks.flatMap((chunk) => chunk.symbols))
        for (const { name } of symbols) expect(named.has(name)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
