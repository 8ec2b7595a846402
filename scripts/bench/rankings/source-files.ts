/** Which files of an index are code, so that baselines need not compete with documentation and data. */
import type { IndexReader } from '../../../src/store/index-reader.js'
import type { StoredFile } from '../../../src/store/records.js'

/** Languages of prose, data, configuration and style. */
const NOT_SOURCE: ReadonlySet<string> = new Set(
  'text markdown rst html css scss less xml json jsonc yaml toml ini properties csv diff'.split(' '),
)

const known = new WeakMap<IndexReader, readonly StoredFile[]>()

/** Sorted by path. Kept for each reader: its index does not change while it is scored. */
export function sourceFiles(reader: IndexReader): readonly StoredFile[] {
  let files = known.get(reader)
  if (files === undefined) {
    files = reader.files().filter(({ language }) => !NOT_SOURCE.has(language))
    known.set(reader, files)
  }
  return files
}
