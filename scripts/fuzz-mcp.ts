/**
 * Sends hostile requests to `hone mcp` on this repository: wrong types, path escapes, huge strings, unknown tools,
 * cancellations, broken JSON, binary. Every one must get a proper error, and standard output must be protocol alone.
 * usage: npm run fuzz-mcp -- [REQUESTS, default 1000] [SEED, default 1]     exit code 1 when anything was wrong
 */
import { fileURLToPath } from 'node:url'
import { hostileLines } from '../test/helpers/hostile-requests.js'
import { speak } from '../test/helpers/mcp-process.js'

const [requests = '1000', seed = '1'] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const startedAt = performance.now()
const lines = hostileLines(Number(requests), Number(seed))
const { faults, code, responses, stderr } = await speak([`${root}dist/cli/main.cjs`, 'mcp', root], lines)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
for (const fault of faults.slice(0, 20)) console.log(fault)
if (stderr !== '') console.log(`standard error:\n${stderr.slice(0, 2000)}`)
console.log(
  `${lines.length} hostile lines, ${responses} responses, ${faults.length} faults, exit code ${String(code)}, ${seconds} s`,
)
process.exit(faults.length === 0 && code === 0 ? 0 : 1)
