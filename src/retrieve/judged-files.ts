/** What judgements make of the files found: a view of them, which leaves what the loop itself found as it is. */
import { CERTAIN } from '../rank/relevance.js'
import type { FoundFile, FoundFiles } from './found-file.js'
import type { Judged } from './judgements.js'

/** Confirmed files are certain, rejected ones are gone. */
export function judgedFiles(files: FoundFiles, judged: Judged): FoundFiles {
  if (judged.size === 0) return files
  const seen = new Map<string, FoundFile>()
  for (const [path, found] of files) {
    const verdict = judged.get(found.rated.id)
    if (verdict === false) continue
    seen.set(path, verdict === true ? confirmed(found) : found)
  }
  return seen
}

function confirmed(found: FoundFile): FoundFile {
  return { ...found, rated: { ...found.rated, relevance: CERTAIN }, verdict: { kind: 'confirmed' } }
}
