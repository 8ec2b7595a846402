/**
 * Joins the compiled command line (dist/cli/main.js and all it imports) into few files: loading one file takes a
 * fraction of loading a hundred (docs/decisions/0005-bundled-command.md). Native modules stay apart.
 * usage: node scripts/bundle-cli.js   (after tsc; part of `npm run build`)
 */
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const external = [
  /^hnswlib-node$/,
  /^@parcel\/watcher$/,
  /^onnxruntime-node$/,
  /tree-sitter/,
  /^#transformers$/,
]

const bundle = await rolldown({
  input: {
    main: `${dist}cli/launch.js`,
    hone: `${dist}cli/main.js`,
    'analyse-worker': `${dist}build/analyse-worker.js`,
  },
  platform: 'node',
  // Its main file is of a form that cannot be bundled.
  resolve: {
    alias: {
      'jsonc-parser': fileURLToPath(new URL('../node_modules/jsonc-parser/lib/esm/main.js', import.meta.url)),
    },
  },
  external,
  logLevel: 'warn',
})
const { output } = await bundle.write({
  dir: `${dist}bundle`,
  format: 'cjs', // starts 20 ms sooner than an ES module
  entryFileNames: '[name].cjs',
  minify: { compress: false, mangle: false, codegen: true },
  // Beside the modules it replaces, so that relative paths (vendor/, models/) mean the same.
  chunkFileNames: '[name]-[hash].cjs',
})
writeFileSync(`${dist}bundle/LICENSES.txt`, licences(output))
rmSync(`${dist}cli`, { recursive: true })
rmSync(`${dist}mcp`, { recursive: true }) // only the command serves, and its libraries are in the bundle alone
renameSync(`${dist}bundle`, `${dist}cli`)
chmodSync(`${dist}cli/main.cjs`, 0o755)

/** Licences of what is bundled and not installed beside it: they ask that their text travels with the code. */
function licences(chunks) {
  const root = join(dist, '..')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds ?? [])
      .map((id) => /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id))
      .filter((match) => match !== null && !(match[2] in dependencies))
      .map(([, folder]) => folder),
  )
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      if (file === undefined || !existsSync(join(folder, file)))
        throw new Error(`${name} has no licence text`)
      return `${name} ${version} (${license}); parts, bundled unchanged\n\n${readFileSync(join(folder, file), 'utf8')}`
    })
    .join('\n----------------\n\n')
}
