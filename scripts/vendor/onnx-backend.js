/**
 * Takes the place of @xenova/transformers' backends/onnx.js in the bundle: onnxruntime-node alone, without
 * onnxruntime-web (66 MB).
 */
import * as runtime from 'onnxruntime-node'

const native = runtime.default ?? runtime

const InferenceSession = {
  create: (model) => native.InferenceSession.create(model, { executionProviders: ['cpu'] }),
}

export const ONNX = { ...native, InferenceSession }
// Not where it runs (see above): with "wasm" alone the library passes a failure on, else it prints it and tries again.
export const executionProviders = ['wasm']
