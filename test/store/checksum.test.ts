import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksum } from '../../src/store/checksum.js'

describe('a checksum', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })

  it('is another when any bit is another', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (content, at) => {
        const bit = at % (content.length * 8)
        const flipped = Uint8Array.from(content)
        flipped[bit >> 3]! ^= 1 << (bit & 7) // inside
        expect(checksum('x', flipped)).not.toBe(checksum('x', content))
      }),
    )
  })

  it('is another under another name and for bytes cut off', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(checksum('x', content)).not.toBe(checksum('y', content))
        expect(checksum('x', content)).not.toBe(checksum('x', content.subarray(1)))
      }),
    )
  })

  it('does not depend on where in memory the bytes lie', () => {
    fc.assert(
      fc.property(bytes, fc.nat(3), (content, shift) => {
        const elsewhere = new Uint8Array(content.length + shift)
        elsewhere.set(content, shift)
        expect(checksum('x', elsewhere.subarray(shift))).toBe(checksum('x', content))
      }),
    )
  })
})
