/**
 * Checksums of what the index stores as bytes. SQLite notices a page of nonsense, not a bit that has tipped over in the
 * middle of a blob: that would be another answer, and nobody would know. Not against anybody's intent.
 */

// The prime of FNV-1a. A step is one to one in each operand, so a change of one word always shows.
const PRIME = 0x01000193
const BASIS = 0x811c9dc5

/** Of bytes that belong under a name: 32 bits, another for any change within one word of four bytes. */
export function checksum(name: string, bytes: Uint8Array): number {
  let sum = BASIS
  for (let i = 0; i < name.length; i++) sum = Math.imul(sum ^ name.charCodeAt(i), PRIME)
  sum = Math.imul(sum ^ bytes.length, PRIME)
  const words = bytes.length >>> 2
  const { buffer, byteOffset } = aligned(bytes)
  const view = new Int32Array(buffer, byteOffset, words)
  for (let i = 0; i < words; i++) sum = Math.imul(sum ^ view[i]!, PRIME) // i < words
  for (let i = words << 2; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, PRIME) // the last, up to three
  return sum | 0
}

/**
 * Of the values of a row, in their order. A number is another than the text of its digits, and bytes are nothing that a
 * row holds: one tipped bit makes SQLite give a text as bytes.
 */
export function rowSum(values: readonly unknown[]): number {
  let sum = BASIS
  for (const value of values) {
    const text = typeof value === 'string' ? value : String(value)
    sum = Math.imul(sum ^ TAGS.indexOf(typeof value), PRIME)
    sum = Math.imul(sum ^ text.length, PRIME)
    for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), PRIME)
  }
  return sum | 0
}

// What a value may be; null is an object.
const TAGS: readonly string[] = ['string', 'number', 'object']

/** The bytes, at a place where words can be read. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
}
