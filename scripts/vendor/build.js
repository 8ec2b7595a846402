/**
 * Bundles the part of @xenova/transformers that embeds text into dist/vendor/transformers.js, so that the
 * packed tarball needs neither `sharp` (images) nor onnxruntime-web. Why: docs/decisions/0002-install-from-a-tarball.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const out = join(root, 'dist', 'vendor')
const modules = join(root, 'node_modules')
const backend = join(here, 'onnx-backend.js')
const entry = '\0transformers-entry'
// image.js refuses to load without an image library; no image is ever opened.
const noImages = '\0no-images'

const onlyText = {
  name: 'only-text',
  resolveId(id) {
    if (id === entry) return entry
    if (id === 'sharp') return noImages
    return /\/backends\/onnx\.js$/.test(id) ? backend : undefined
  },
  load(id) {
    if (id === entry) return "export { AutoModel, AutoTokenizer, Tensor, env } from '@xenova/transformers'"
    return id === noImages ? 'export default {}' : undefined
  },
}

const bundle = await rolldown({
  input: entry,
  cwd: root,
  platform: 'node',
  external: ['onnxruntime-node'],
  plugins: [onlyText],
  logLevel: 'warn',
})
await bundle.write({ file: join(out, 'transformers.js'), format: 'esm', minify: false })
await bundle.close()

// Both licences ask that their text travels with the code.
const notices = ['@xenova/transformers', '@huggingface/jinja'].map((name) => {
  const { version, license } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
  const text = readFileSync(join(modules, name, 'LICENSE'), 'utf8')
  return `${name} ${version} (${license}); parts, bundled unchanged but for their image and web back ends\n\n${text}`
})
writeFileSync(join(out, 'LICENSES.txt'), notices.join('\n----------------\n\n'))
