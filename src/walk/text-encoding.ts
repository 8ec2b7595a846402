/** From bytes to text: tells text from binary and one encoding from another. Knows nothing of files. */
import { isUtf8 } from 'node:buffer'
import type { SourceText } from '../types.js'
import { decodedEastAsian } from './east-asian-encoding.js'

// git looks at as many bytes to tell binary from text.
const SNIFFED_BYTES = 8000
// Text has no control characters besides white space and escapes; compressed bytes have 10%.
const MAX_CONTROL_SHARE = 0.03
// Latin text in UTF-16 has a zero in every second byte; half of that leaves room for other letters.
const MIN_ZERO_SHARE = 0.5
// The other bytes are seldom zero: of 256 letters one, as in U+1F600.
const MIN_ZERO_RATIO = 10

/** The text of a file, or undefined when the bytes are no text. */
export function decoded(bytes: Buffer): SourceText | undefined {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return decodedWide(bytes, wide)
  if (hasZero(bytes) || hasManyControls(bytes)) return undefined
  return isUtf8(bytes) ? source(withoutMark(bytes.toString('utf8')), 'utf-8') : decodedWithFaults(bytes)
}

function source(text: string, encoding: SourceText['encoding']): SourceText {
  return { text, lines: countLines(text), encoding }
}

/** Lines as an editor counts them: "\n", "\r\n" and a lone "\r" each end one; a final break adds none. */
export function countLines(text: string): number {
  if (text === '') return 0
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++
  if (text.includes('\r')) breaks += text.match(/\r(?!\n)/g)?.length ?? 0
  return /[\r\n]$/.test(text.slice(-1)) ? breaks : breaks + 1
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

type Wide = 'utf-16le' | 'utf-16be'

/** UTF-16 by its mark, or by zeros in every second byte and few elsewhere. */
function wideEncoding(bytes: Buffer): Wide | undefined {
  if (bytes.length < 2) return undefined
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes.length % 2 !== 0 || !hasZero(bytes)) return undefined
  const { even, odd } = zerosByParity(bytes.subarray(0, SNIFFED_BYTES))
  const needed = (Math.min(bytes.length, SNIFFED_BYTES) / 2) * MIN_ZERO_SHARE
  if (odd >= needed && even * MIN_ZERO_RATIO <= odd) return 'utf-16le'
  return even >= needed && odd * MIN_ZERO_RATIO <= even ? 'utf-16be' : undefined
}

function zerosByParity(bytes: Buffer): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++
  return zeros
}

function decodedWide(bytes: Buffer, encoding: Wide): SourceText | undefined {
  const text = withoutMark(new TextDecoder(encoding).decode(bytes))
  const sniffed = text.slice(0, SNIFFED_BYTES)
  const controls = count(sniffed, WIDE_CONTROL)
  const isBroken =
    sniffed.includes('\0') ||
    controls > sniffed.length * MAX_CONTROL_SHARE ||
    count(text, /\uFFFD/g) > text.length * MAX_FAULT_SHARE
  return isBroken ? undefined : source(text, encoding)
}

const WIDE_CONTROL = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/g
// A lone surrogate or two is a damaged text; more of them are no text.
const MAX_FAULT_SHARE = 0.01

/** UTF-8 with damaged places when most of what is not ASCII is sound, East Asian when it surely is; else Latin-1. */
function decodedWithFaults(bytes: Buffer): SourceText {
  const text = withoutMark(bytes.toString('utf8'))
  const faults = count(text, /\uFFFD/g)

  const sound = count(text, /[^\x00-\x7f\uFFFD]/g)
  if (sound > faults) return source(text, 'utf-8')
  const eastAsian = decodedEastAsian(bytes)
  if (eastAsian !== undefined) return source(eastAsian.text, eastAsian.encoding)
  return source(bytes.toString('latin1'), 'latin1')
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function hasZero(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0)
}

function hasManyControls(bytes: Buffer): boolean {
  const sniffed = bytes.subarray(0, SNIFFED_BYTES)
  let controls = 0
  for (const byte of sniffed) if (byte === 0x7f || (byte < 0x20 && !isTextControl(byte))) controls++
  return controls > sniffed.length * MAX_CONTROL_SHARE
}

/** Backspace, tab, line feed, vertical tab, form feed, carriage return, escape. */
function isTextControl(byte: number): boolean {
  return (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b
}
