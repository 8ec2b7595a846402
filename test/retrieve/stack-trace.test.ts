import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locate, type PathList } from '../../src/retrieve/places.js'
import { readStackTraces } from '../../src/retrieve/stack-trace.js'
import type { FileId } from '../../src/types.js'

const framesOf = (text: string): readonly string[] =>
  readStackTraces(text).frames.map(({ path, line, symbol }) => `${path}:${line ?? ''} ${symbol}`.trim())

describe('a stack trace', () => {
  it.each([
    ['Python', '  File "/srv/app/models.py", line 12, in save', '/srv/app/models.py:12 save'],
    ['Python, at module level', '  File "app.py", line 3, in <module>', 'app.py:3'],
    ['Java', '\tat org.shop.Cart.total(Cart.java:42)', 'org/shop/Cart.java:42 total'],
    [
      'Java with a module',
      '\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1541)',
      'java/util/ArrayList.java:1541 forEach',
    ],
    ['Kotlin', '    at org.shop.CartKt.total(Cart.kt:7)', 'org/shop/Cart.kt:7 total'],
    ['C#', '   at Shop.Cart.Total(Int32 n) in C:\\src\\Cart.cs:line 42', 'C:/src/Cart.cs:42 Total'],
    ['JavaScript', '    at Cart.total (/srv/src/cart.js:42:7)', '/srv/src/cart.js:42 total'],
    ['JavaScript, async', '    at async load (file:///srv/src/cart.mjs:4:7)', 'srv/src/cart.mjs:4 load'],
    [
      'JavaScript, bundled',
      '    at total (webpack://shop/./src/cart.ts:42:7)',
      'shop/./src/cart.ts:42 total',
    ],
    ['JavaScript without a function', '    at /srv/src/main.ts:1:2', '/srv/src/main.ts:1'],
    ['Firefox', 'total@https://shop.example/src/cart.js:42:7', 'shop.example/src/cart.js:42 total'],
    ['Go', 'main.(*Cart).Total(0xc000, 0x2)\n\t/srv/cart.go:42 +0x1b', '/srv/cart.go:42 Total'],
    ['Go, created by', 'created by main.run in goroutine 1\n\t/srv/main.go:10 +0x20', '/srv/main.go:10 run'],
    ['Rust', '   2: shop::cart::total\n             at ./src/cart.rs:12:9', 'src/cart.rs:12 total'],
    ['Rust, where it panicked', "thread 'main' panicked at src/cart.rs:42:7:", 'src/cart.rs:42'],
    ['Ruby', "\tfrom app/cart.rb:12:in `block in total'", 'app/cart.rb:12 total'],
    ['Ruby 3.4', "app/cart.rb:12:in 'Cart#total'", 'app/cart.rb:12 total'],
    ['PHP', '#0 /srv/Cart.php(42): Shop\\Cart->total()', '/srv/Cart.php:42 total'],
    ['gdb', '#1  0x00005 in total (cart=0x0) at src/cart.c:42', 'src/cart.c:42 total'],
    ['a sanitizer', '    #1 0x4f in total /src/cart.c:42:7', '/src/cart.c:42 total'],
    ['Elixir', '    (shop 0.1.0) lib/shop/cart.ex:42: Shop.Cart.total/1', 'lib/shop/cart.ex:42 total'],
  ])('of %s is read: file, line and function', (_, text, frame) => {
    expect(framesOf(`It fails:\n${text}\nthat is all`)).toEqual([frame])
    expect(readStackTraces(`It fails:\n${text}\nthat is all`).rest).toBe('It fails:\nthat is all')
  })

  it.each([
    'see src/cart.ts:42 for the bug',
    'at noon (or at 12:30) it fails',
    'the total in cart.py, line 12, is wrong',
    'mail me@example.org:25 now',
    '- at least 3 of 4',
  ])('is not seen in prose: %s', (text) => {
    expect(readStackTraces(text)).toEqual({ frames: [], rest: text })
  })

  it('begins where the error happened, whichever end a language prints first', () => {
    const python =
      'Traceback (most recent call last):\n  File "main.py", line 1, in run\n    load()\n  File "load.py", line 2, in load\n    x\nValueError: x'
    expect(framesOf(python)).toEqual(['load.py:2 load', 'main.py:1 run'])
    expect(readStackTraces(python).rest).toBe('ValueError: x')
    const java =
      'Error: a\n\tat a.A.a(A.java:1)\nCaused by: Error: b\n\tat b.B.b(B.java:2)\n\t... 3 more\nCaused by: Error: c\n\tat c.C.c(C.java:3)'
    expect(framesOf(java)).toEqual(['c/C.java:3 c', 'b/B.java:2 b', 'a/A.java:1 a'])
  })

  it('of any text is read without fault, and what is no frame stays', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 })), (lines) => {
        const text = lines.join('\n')
        const { frames, rest } = readStackTraces(text)
        if (frames.length === 0 && !rest.includes('\r'))
          expect(text.length).toBeGreaterThanOrEqual(rest.length)
        for (const { line } of frames) expect(Number.isInteger(line)).toBe(true)
      }),
    )
  })

  it('of a very long line is not looked for in it', () => {
    const line = `#1 0x4f in ${'a '.repeat(200_000)}/src/cart.c:42:7`
    expect(readStackTraces(line).frames).toEqual([])
  })
})

describe('a place of another machine', () => {
  const paths = [
    'src/auth/tokens.ts',
    'src/billing/tokens.ts',
    'server.py',
    'lib/index.js',
    'src/index.js',
    'org/shop/Cart.java',
  ]
  const list: PathList = {
    root: '/home/ada/shop',
    files: paths.map((path, i) => ({ id: (i + 1) as FileId, path })),
    defines: (file, name) => file === (2 as FileId) && name === 'charge',
  }
  const fileFor = (path: string, symbol = ''): string | undefined =>
    locate([{ path, line: 1, symbol }], list).map(({ file }) => paths[file - 1])[0]

  it.each([
    ['/srv/app/src/auth/tokens.ts', 'src/auth/tokens.ts', 'another folder'],
    ['C:/work/shop/src/auth/tokens.ts', 'src/auth/tokens.ts', 'another system'],
    ['auth/tokens.ts', 'src/auth/tokens.ts', 'a shorter path'],
    ['/app/server.py', 'server.py', 'a container'],
    ['/x/node_modules/shop/lib/index.js', 'lib/index.js', 'this package, installed'],
    ['com/other/org/shop/Cart.java', 'org/shop/Cart.java', 'the folders of a package'],
  ])('%s means %s (%s)', (path, expected) => {
    expect(fileFor(path)).toBe(expected)
  })

  it.each([
    ['/usr/lib/python3.11/json/server.py'.replace('server.py', 'decoder.py'), 'no file of that name'],
    ['/x/node_modules/other/lib/index.js', 'another package'],
    ['node:internal/modules/cjs/loader', 'the runtime'],
    ['tokens.ts', 'two files fit'],
  ])('%s means none of ours (%s)', (path) => {
    expect(fileFor(path)).toBeUndefined()
  })

  it('that fits two files is the one that defines the function', () => {
    expect(fileFor('tokens.ts', 'charge')).toBe('src/billing/tokens.ts')
  })
})
