/** LEB128 variable-length unsigned integers, up to 2^31 - 1. */

export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** A copy of what was written since the last `clear`. */
  take(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  writeVarint(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
