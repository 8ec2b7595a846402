import { describe, expect, it } from 'vitest'
import { commentSpansOf } from '../../src/chunk/comment-spans.js'
import { chunked } from './chunking.js'

async function commentOf(path: string, text: string): Promise<string> {
  return (await chunked(path, text)).chunks.map((chunk) => chunk.comment).join('\n')
}

describe('the comment text of a chunk', () => {
  it.each([
    ['a.ts', '// one\nf() // two\n/* three */\n/**\n * four\n * five\n */\n', 'one\ntwo\nthree\nfour\nfive'],
    ['a.py', '# one\nx = 1  # two\n', 'one\ntwo'],
    ['a.rs', '//! one\n/// two\n/* three */\n', 'one\ntwo\nthree'],
    ['a.lua', '-- one\n--- two\n--[[ three\nfour ]]\n', 'one\ntwo\nthree\nfour'],
    ['a.hs', '-- | one\n{- two\n-}\n', 'one\ntwo'],
    ['a.rb', '# one\n=begin\ntwo\n=end\n', 'one\ntwo'],
    ['a.sql', '-- one\n/* two */\n', 'one\ntwo'],
    ['a.html', '<!-- one\n two -->\n', 'one\ntwo'],
    ['a.css', '/* one */\n', 'one'],
    ['a.yml', '# one\na: b#c\n', 'one'],
    ['a.ini', '; one\n# two\n', 'one\ntwo'],
    ['a.el', ';; one\n', 'one'],
    ['a.ex', '@doc """\none\n"""\ndef f, do: 1 # two\n', 'one\ntwo'],
    ['a.zig', '/// one\n', 'one'],
  ])('of %s comes without markers', async (path, text, expected) => {
    expect(await commentOf(path, text)).toBe(expected)
  })

  it('holds Python docstrings but no other strings', async () => {
    const text =
      '"""Module."""\n\ndef f():\n    """Does it.\n\n    Well.\n    """\n    return """not this"""\n'
    expect(await commentOf('a.py', text)).toBe('Module.\nDoes it.\nWell.')
    expect(await commentOf('a.py', 'x = f(\n    """no""",\n)\n')).toBe('')
  })

  it('holds no markers that stand in strings', async () => {
    expect(await commentOf('a.ts', 'a("// no", \'/* no\', `// no\n// no`) // yes\n')).toBe('yes')
    expect(await commentOf('a.go', 'x := `\\` // yes\n')).toBe('yes')
    expect(await commentOf('a.rs', "fn f<'a>(x: &'a str) {} // yes 'a'\n")).toBe("yes 'a'")
    expect(await commentOf('a.sh', 'echo $# "# no" a#b # yes\n')).toBe('yes')
    expect(await commentOf('a.c', "x = '\"'; // yes\n")).toBe('yes')
  })

  it('takes an unterminated block to the end of the file', async () => {
    expect(await commentOf('a.css', 'a {}\n/* one\ntwo\n')).toBe('one\ntwo')
  })

  it('lies in the chunk that holds its line', async () => {
    const lines = Array.from({ length: 70 }, (_, at) => `// line ${at + 1}`).join('\n')
    for (const chunk of (await chunked('a.css', `/*\n${lines}\n*/\n`)).chunks) {
      for (const line of chunk.comment.split('\n')) expect(chunk.text).toContain(line)
    }
  })

  it('does not make a shebang the comment of the first symbol', async () => {
    const { symbols } = await chunked('run', '#!/bin/sh\nLIMIT=1\n')
    expect(symbols.map(({ startLine }) => startLine)).toEqual([2])
  })
})

describe('the places of comments', () => {
  it.each([
    ['a.ts', 'f("// no") // two\n/* three\n */ g()', ['// two', '/* three\n */']],
    ['a.py', 'def f():\n    """Doc\n    text"""\n    return "# no" # yes', ['"""Doc\n    text"""', '# yes']],
    ['a.rs', "fn f<'a>(x: &'a str) {} // it's", ["// it's"]],
    ['a.sh', '#!/bin/sh\nx=$# # count', ['#!/bin/sh', '# count']],
    ['a.sql', "select '--' -- all", ['-- all']],
    ['a.ts', '/* never closed', ['/* never closed']],
    ['notes.txt', '// text # has -- none', []],
  ])('in %s %j are %j', (path, text, comments) => {
    expect(commentSpansOf(path, text).map(({ start, end }) => text.slice(start, end))).toEqual(comments)
  })
})
