/**
 * Joins the compiled command line (dist/cli/main.js and all it imports) into few files: loading one file takes a
 * fraction of loading a hundred (docs/decisions/0005-bundled-command.md). Native modules stay apart.
 * usage: node scripts/bundle-cli.js   (after tsc; part of `npm run build`)
 */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const external = [/^hnswlib-node$/, /^@parcel\/watcher$/, /^onnxruntime-node$/, /tree-sitter/, /^#transformers$/]

const bundle = await rolldown({
  input: {
    main: `${dist}cli/launch.js`,
    hone: `${dist}cli/main.js`,
    'analyse-worker': `${dist}build/analyse-worker.js`,
  },
  platform: 'node',
  external,
  logLevel: 'warn',
})
await bundle.write({
  dir: `${dist}bundle`,
  format: 'cjs', // starts 20 ms sooner than an ES module
  entryFileNames: '[name].cjs',
  minify: { compress: false, mangle: false, codegen: true },
  // Beside the modules it replaces, so that relative paths (vendor/, models/) mean the same.
  chunkFileNames: '[name]-[hash].cjs',
})
rmSync(`${dist}cli`, { recursive: true })
renameSync(`${dist}bundle`, `${dist}cli`)
chmodSync(`${dist}cli/main.cjs`, 0o755)
