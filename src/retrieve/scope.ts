/** Which files a query may return: the caller's globs, as hard limits applied before anything is ranked. */
import type { IndexReader } from '../store/index-reader.js'
import type { FileId } from '../types.js'
import { pathMatcher } from '../walk/globs.js'

export type Scope = { readonly kind: 'all' } | { readonly kind: 'only'; readonly files: ReadonlySet<FileId> }

/** The globs mean what they mean to `hone index` (walk/globs.ts). Throws GLOB_INVALID. */
export function scopeOf(index: IndexReader, include: readonly string[], exclude: readonly string[]): Scope {
  if (include.length === 0 && exclude.length === 0) return { kind: 'all' }
  const isIn = include.length === 0 ? (): boolean => true : pathMatcher(include)
  const isOut = exclude.length === 0 ? (): boolean => false : pathMatcher(exclude)
  const files = index.allPaths().filter(({ path }) => isIn(path) && !isOut(path))
  return { kind: 'only', files: new Set(files.map(({ id }) => id)) }
}

export function accepts(scope: Scope, file: FileId): boolean {
  return scope.kind === 'all' || scope.files.has(file)
}
