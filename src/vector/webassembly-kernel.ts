/** Instances of the small WebAssembly modules of scripts/kernels; all they know is their own memory. */

const PAGE_BYTES = 65_536

/** What a module, base64, exports. */
export function kernelOf(base64: string): unknown {
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, 'base64'))).exports
}

/** Grows a memory that has less than `bytes`; views of it made before are then of no use. */
export function makeRoom(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
}
