import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createChunker } from '../../src/chunk/chunk-file.js'
import { languageOf } from '../../src/chunk/language.js'
import { readSource } from '../../src/walk/read-source.js'
import { walk } from '../../src/walk/walk.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('chunks of this repository', () => {
  it('every line of every file is in exactly one chunk, with its exact text', async () => {
    const { files } = await walk({ root: ROOT, include: [], exclude: [], maxFileBytes: 1_000_000 })
    const chunker = await createChunker()
    let seen = 0
    for (const file of files) {
      const read = readSource(file, 1_000_000)
      if (read.kind !== 'text') continue
      await chunker.prepare(languageOf(file.path, read.source.text))
      const { chunks } = chunker.chunk(file.path, read.source.text)
      let line = 1
      for (const chunk of chunks) {
        expect(chunk.startLine, file.path).toBe(line)
        line = chunk.endLine + 1
      }
      expect(line - 1, file.path).toBe(read.source.lines)
      expect(
        chunks
          .map(({ text }) => text)
          .join('')
          .replace(/[\r\n]/g, ''),
        file.path,
      ).toBe(
        readFileSync(file.absolutePath, 'utf8')
          .replace(/^\uFEFF/, '')
          .replace(/[\r\n]/g, ''),
      )
      seen++
    }
    expect(seen).toBeGreaterThan(100)
  })
})
