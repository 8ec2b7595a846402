import { describe, expect, it } from 'vitest'
import { movedFiles, type ChangedPath } from '../../src/history/renames.js'

const deleted = (path: string): ChangedPath => ({ status: 'deleted', path })
const added = (path: string): ChangedPath => ({ status: 'added', path })

describe('a file that goes and one that comes under the same file name', () => {
  it('are one file that moved', () => {
    expect(movedFiles([deleted('lib/url.c'), added('src/url.c'), { status: 'kept', path: 'x.c' }])).toEqual([
      { from: 'lib/url.c', to: 'src/url.c' },
    ])
  })

  it('are not taken for one when several of that name go or come', () => {
    expect(movedFiles([deleted('a/index.ts'), deleted('b/index.ts'), added('c/index.ts')])).toEqual([])
    expect(movedFiles([deleted('a/index.ts'), added('b/index.ts'), added('c/index.ts')])).toEqual([])
  })

  it('are not one when their names differ', () => {
    expect(movedFiles([deleted('a.ts'), added('b.ts')])).toEqual([])
  })
})
