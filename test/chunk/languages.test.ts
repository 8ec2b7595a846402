/** Golden symbol tables, one per fixture; refresh on purpose with `npx vitest run test/chunk -u` and read the diff. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertCovers, chunked, symbolLines } from './chunking.js'

const FIXTURES = join(import.meta.dirname, '../fixtures/chunk')
// The fixtures end in .txt so that neither compiler nor formatter takes them for our own code.
const samples = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length))

describe('symbols of', () => {
  it.each(samples)('%s stand on their exact lines', async (name) => {
    const text = readFileSync(join(FIXTURES, `${name}.txt`), 'utf8')
    const lines = await symbolLines(name, text)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, `${name}.symbols`))
    assertCovers(await chunked(name, text), text)
  })

  it.each(samples)('%s are the same with carriage returns', async (name) => {
    const text = readFileSync(join(FIXTURES, `${name}.txt`), 'utf8')
    const expected = await symbolLines(name, text)
    expect(await symbolLines(name, text.replaceAll('\n', '\r\n'))).toEqual(expected)
    expect(await symbolLines(name, text.replaceAll('\n', '\r'))).toEqual(expected)
  })
})
