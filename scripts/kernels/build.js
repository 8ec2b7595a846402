/** Assembles the .wat files beside it and writes each into the part of hone that calls it. usage: node scripts/kernels/build.js [--check] */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const KERNELS = [
  { from: 'dot.wat', to: '../../src/vector/dot-kernel-bytes.ts', name: 'DOT_KERNEL' },
  { from: 'trees.wat', to: '../../src/rank/tree-kernel-bytes.ts', name: 'TREE_KERNEL' },
]

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const toolkit = await wabt()

for (const { from, to, name } of KERNELS) {
  const module = toolkit.parseWat(from, readFileSync(here(from), 'utf8'), { simd: true })
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64')
  const lines = base64.match(/.{1,96}/g).map((line) => `  '${line}',`)
  const source = `/** WebAssembly of scripts/kernels/${from}, base64. Made by \`node scripts/kernels/build.js\`; do not edit. */\nexport const ${name} = [\n${lines.join('\n')}\n].join('')\n`
  if (!process.argv.includes('--check')) writeFileSync(here(to), source)
  else if (readFileSync(here(to), 'utf8') !== source) process.exitCode = 1
}
