/** The part of WebAssembly's interface used here; Node has it, its type package leaves it to the browser library. */
declare namespace WebAssembly {
  interface Module {
    readonly kind: 'module'
  }
  interface Instance {
    readonly exports: unknown
  }
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  const Module: new (bytes: Uint8Array) => Module
  const Instance: new (module: Module) => Instance
}
