/** Small word tables in the format of scripts/models/make_static_table.py. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { encodeVector, vectorRowBytes } from '../../src/vector/vector-table.js'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hone-table-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export interface WordRow {
  readonly word: string
  readonly vector: readonly number[]
  readonly factor?: number
}

/** The bytes of a table; rows are sorted as the script sorts them, by bytes. */
export function tableBytes(rows: readonly WordRow[], dimensions: number): Buffer {
  const sorted = [...rows].sort((a, b) => Buffer.compare(Buffer.from(a.word), Buffer.from(b.word)))
  const text = Buffer.from(sorted.map(({ word }) => word).join('\n'))
  const words = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4)])
  const factors = Buffer.from(Float32Array.from(sorted, ({ factor }) => factor ?? 1).buffer)
  const vectors = sorted.map(({ vector }) => {
    const row = Buffer.alloc(vectorRowBytes(dimensions))
    encodeVector(Float32Array.from(vector), row)
    return row
  })
  const body = Buffer.concat([words, factors, ...vectors])
  const header = Buffer.alloc(24)
  header.write('HONEWORD', 'latin1')
  ;[2, sorted.length, dimensions, words.length].forEach((value, i) => header.writeUInt32LE(value, 8 + 4 * i))
  return Buffer.concat([header, createHash('sha256').update(body).digest(), body])
}

export function writeTable(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'words.bin')
  writeFileSync(path, bytes)
  return path
}
