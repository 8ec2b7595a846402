/** Assembles dot.wat and writes it into src/vector/dot-kernel-bytes.ts. usage: node scripts/kernels/build.js [--check] */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const target = here('../../src/vector/dot-kernel-bytes.ts')

const toolkit = await wabt()
const module = toolkit.parseWat('dot.wat', readFileSync(here('dot.wat'), 'utf8'), { simd: true })
const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64')
const lines = base64.match(/.{1,96}/g).map((line) => `  '${line}',`)
const source = `/** WebAssembly of scripts/kernels/dot.wat, base64. Made by \`node scripts/kernels/build.js\`; do not edit. */\nexport const DOT_KERNEL = [\n${lines.join('\n')}\n].join('')\n`

if (process.argv.includes('--check')) {
  process.exitCode = readFileSync(target, 'utf8') === source ? 0 : 1
} else {
  writeFileSync(target, source)
}
