import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countLines, decoded } from '../../src/walk/text-encoding.js'

const TEXT = '// größer: 文件 😀\nlet a = 1\r\n'

function utf16(text: string, order: 'le' | 'be', mark = true): Buffer {
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('decoding', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
    ['UTF-16 LE', utf16(TEXT, 'le'), 'utf-16le'],
    ['UTF-16 BE', utf16(TEXT, 'be'), 'utf-16be'],
    ['UTF-16 LE without a mark', utf16(TEXT, 'le', false), 'utf-16le'],
    ['UTF-16 BE without a mark', utf16(TEXT, 'be', false), 'utf-16be'],
  ])('%s gives the text without the mark', (_, bytes, encoding) => {
    expect(decoded(bytes)).toEqual({ text: TEXT, lines: 2, encoding })
  })

  it('bytes that are no UTF-8 are Latin-1', () => {
    expect(decoded(Buffer.from('größer\n', 'latin1'))).toEqual({
      text: 'größer\n',
      lines: 1,
      encoding: 'latin1',
    })
  })

  it('one damaged byte does not spoil the other letters', () => {
    const bytes = Buffer.concat([Buffer.from('größer 文件\n'), Buffer.from([0xff]), Buffer.from('\nend\n')])
    expect(decoded(bytes)).toEqual({ text: 'größer 文件\n\uFFFD\nend\n', lines: 3, encoding: 'utf-8' })
  })

  it.each([
    ['a zero byte', Buffer.from('abc\0def')],
    ['many control characters', Buffer.from('\x01\x02\x03abc')],
    [
      '16-bit samples',
      Buffer.from(Uint16Array.from({ length: 400 }, (_, index) => (index * 7) % 120).buffer),
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['the two bytes of a UTF-16 mark before noise', Buffer.from([0xff, 0xfe, 0, 0xdc, 0, 0xdc, 0, 0xdc])],
  ])('%s is binary', (_, bytes) => {
    expect(decoded(bytes)).toBeUndefined()
  })

  it('escape sequences, form feeds and very short files are text', () => {
    for (const text of ['\x1b[31mred\x1b[0m\n', '\f\nclass A\n', 'a', '']) {
      expect(decoded(Buffer.from(text))?.text).toBe(text)
    }
  })

  it('any text comes back from UTF-8 and UTF-16 as it was', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((value) => /^[^\p{Cc}\uFEFF]*$/u.test(value))
    fc.assert(
      fc.property(text, fc.constantFrom('le' as const, 'be' as const), (value, order) => {
        expect(decoded(Buffer.from(value))?.text).toBe(value)
        if (!value.includes('\uFFFD')) expect(decoded(utf16(value, order))?.text).toBe(value)
      }),
    )
  })

  it('no bytes make it fail', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void decoded(Buffer.from(bytes))))
  })
})

describe('lines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n', 1],
    ['\n\n', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb\r', 2],
    ['a\rb\nc\r\nd', 4],
    ['\r\r\n\n', 3],
  ])('%j has %i', (text, lines) => {
    expect(countLines(text)).toBe(lines)
  })

  it('are as many as an editor shows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r', '\r\n')), (parts) => {
        const text = parts.join('')
        const pieces = text.split(/\r\n|\r|\n/)
        expect(countLines(text)).toBe(pieces.at(-1) === '' ? pieces.length - 1 : pieces.length)
      }),
    )
  })
})
