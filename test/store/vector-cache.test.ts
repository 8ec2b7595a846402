import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeIndexFolder, removeIndexFolder } from '../../src/store/index-location.js'
import { openVectorCache, VECTOR_CACHE_FILE, type VectorCache } from '../../src/store/vector-cache.js'
import { temporaryFolder } from './temporary-folder.js'

const vector = (start: number): Float32Array => Float32Array.from([start, start / 3, -1e-7])

function opened(folder: string, maxVectors?: number): VectorCache {
  const cache = openVectorCache(folder, maxVectors)
  onTestFinished(() => {
    cache.close()
  })
  return cache
}

describe('the cache of vectors', () => {
  it('gives back the very same numbers, also to another process, and nothing for a key it has not seen', () => {
    const folder = temporaryFolder()
    opened(folder).put([{ key: 'a', vector: vector(0.1) }])
    const other = opened(folder)
    expect([...other.get(['b', 'a'])]).toEqual([['a', vector(0.1)]])
  })

  it('keeps a bounded number, the newest', () => {
    const cache = opened(temporaryFolder(), 8)
    for (let n = 0; n < 50; n++) cache.put([{ key: `k${n}`, vector: vector(n) }])
    const kept = [...cache.get(Array.from({ length: 50 }, (_, n) => `k${n}`)).keys()]
    expect(kept.length).toBeLessThanOrEqual(8)
    expect(kept).toContain('k49')
    expect(kept).not.toContain('k0')
  })

  it('lets two write the same at once', () => {
    const folder = temporaryFolder()
    const [one, two] = [opened(folder), opened(folder)]
    one.put([{ key: 'a', vector: vector(1) }])
    two.put([
      { key: 'a', vector: vector(1) },
      { key: 'b', vector: vector(2) },
    ])
    expect(one.get(['a', 'b']).size).toBe(2)
  })

  it('begins anew when its file is damaged', () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, VECTOR_CACHE_FILE),
      'no database at all, but long enough to be looked at'.repeat(50),
    )
    const cache = opened(folder)
    cache.put([{ key: 'a', vector: vector(1) }])
    expect(cache.get(['a']).size).toBe(1)
  })

  it('keeps nothing, without complaint, where there is no folder or its file cannot be made', () => {
    const folder = temporaryFolder()
    // A folder stands in the way: nobody can write there, not even root.
    makeIndexFolder(join(folder, 'taken', VECTOR_CACHE_FILE))
    chmodSync(join(folder, 'taken', VECTOR_CACHE_FILE), 0o500)
    for (const name of ['absent', 'taken']) {
      const cache = opened(join(folder, name))
      cache.put([{ key: 'a', vector: vector(1) }])
      cache.setNote('n', 'x')
      expect(cache.get(['a']).size).toBe(0)
      expect(cache.note('n')).toBeUndefined()
    }
    expect(existsSync(join(folder, 'absent'))).toBe(false)
  })

  it('goes with its index', () => {
    const folder = join(temporaryFolder(), 'index')
    makeIndexFolder(folder)
    const cache = openVectorCache(folder)
    cache.setNote('n', 'x')
    expect(cache.note('n')).toBe('x')
    cache.close()
    expect(readdirSync(folder)).toContain(VECTOR_CACHE_FILE)
    removeIndexFolder(folder)
    expect(existsSync(folder)).toBe(false)
  })
})
