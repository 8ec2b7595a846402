/**
 * The deep step: a transformer reads the best chunks of the best files, and these files are rated anew. Bounded by
 * a number of chunks, never by the clock, so that the answer is the same on every machine.
 */
import { rateDeep, OWN_SIGNALS, type DeepModel } from '../rank/deep-signals.js'
import { adjusted } from '../rank/custom-signals.js'
import { byEffect } from '../rank/tree-rating.js'
import type { StoredChunk } from '../store/records.js'
import type { DeepMode, Evidence } from '../types.js'
import { dot } from '../vector/arithmetic.js'
import { deepText } from './deep-text.js'
import { whyUnavailable } from './deep-vectors.js'
import type { Engine } from './engine.js'
import type { RatedFile } from './evaluate.js'
import type { FoundFile } from './found-file.js'

// Files looked at, and chunks of each: docs/decisions/0009-deep-step.md.
export const DEEP_FILES = 16
const CHUNKS_OF_A_FILE = 1
/** No call looks at more chunks than this. */
export const MAX_DEEP_CHUNKS = DEEP_FILES * CHUNKS_OF_A_FILE
// Best relevance below which the first cycle counts as unsure: nearly all that the step gains, it gains there.
export const UNSURE_BELOW = 0.5

/** A file that was looked at. */
export interface DeepLook {
  /** Rated anew. */
  readonly rated: RatedFile
  /** Of the chunks that were read, the nearest to the task. */
  readonly chunk: StoredChunk
  /** Its cosine with the task, -1..1. */
  readonly cosine: number
}

export interface Deepened {
  /** The files looked at, as they are rated now best first, ties by path; empty when nothing could be looked at. */
  readonly looks: readonly DeepLook[]
  /** Chunks looked at. */
  readonly chunks: number
  /** Why the encoder could not be had. */
  readonly unavailable?: string
}

const NOTHING: Deepened = { looks: [], chunks: 0 }

/** Whether to look deeper, given the files found so far, best first. */
export function isDeepWanted(mode: DeepMode, files: readonly FoundFile[]): boolean {
  if (mode !== 'auto') return mode === 'always'
  const [best] = files
  return best !== undefined && best.rated.relevance < UNSURE_BELOW
}

/** Looks at the best of `files` (best first, with their matched chunks) and rates them anew. */
export async function deepen(
  engine: Pick<Engine, 'linesOf' | 'deep'>,
  query: { readonly queryText: string; readonly files: readonly FoundFile[]; readonly signal?: AbortSignal },
): Promise<Deepened> {
  const { deep } = engine
  const looked = lookedAt(engine, query.files)
  if (deep === undefined || looked.length === 0) return NOTHING
  try {
    const texts = looked.flatMap(({ texts }) => texts)
    const [task, ...vectors] = await deep.vectors.of([query.queryText, ...texts], query.signal)
    const cosines = vectors.map((vector) => dot(task!, vector)) // one for the task, one for each text
    return { looks: rateAnew(deep.model(), looked, cosines), chunks: texts.length }
  } catch (error) {
    const unavailable = whyUnavailable(error)
    if (unavailable === undefined) throw error
    return { ...NOTHING, unavailable }
  }
}

export interface LookedAt {
  readonly rated: RatedFile
  /** Its best chunks, best first, and the text of each as it is on disk. */
  readonly chunks: readonly StoredChunk[]
  readonly texts: readonly string[]
}

/** The best of `files` (best first) with what is read of them; without those that cannot be read. */
export function lookedAt(
  engine: Pick<Engine, 'linesOf'>,
  files: readonly Pick<FoundFile, 'rated' | 'matched'>[],
): readonly LookedAt[] {
  return files.slice(0, DEEP_FILES).flatMap(({ rated, matched }) => {
    const lines = matched.length === 0 ? undefined : engine.linesOf(rated.path)
    if (lines === undefined) return []
    const chunks = matched.slice(0, CHUNKS_OF_A_FILE).map(({ chunk }) => chunk)
    const texts = chunks.map((chunk) =>
      deepText(rated.path, chunk, lines.slice(chunk.startLine - 1, chunk.endLine).join('\n')),
    )
    return [{ rated, chunks, texts }]
  })
}

function rateAnew(
  model: DeepModel,
  looked: readonly LookedAt[],
  cosines: readonly number[],
): readonly DeepLook[] {
  let at = 0
  const files = looked.map(({ rated, chunks }) => {
    const own = cosines.slice(at, (at += chunks.length))
    const cosine = Math.max(...own)
    return { relevance: rated.calibrated.relevance, cosine, chunk: chunks[own.indexOf(cosine)]! } // one for each
  })
  return rateDeep(model, files)
    .map((rating, f): DeepLook => {
      const [{ rated }, { chunk, cosine }] = [looked[f]!, files[f]!] // one rating for each
      const evidence = (): readonly Evidence[] => joined(rated.calibrated.evidence(), rating.evidence())
      return { rated: { ...rated, ...adjusted({ ...rating, evidence }, rated.added) }, chunk, cosine }
    })
    .sort((a, b) => b.rated.relevance - a.rated.relevance || (a.rated.path < b.rated.path ? -1 : 1))
}

/** What spoke for a file before, and what the transformer adds. */
function joined(before: readonly Evidence[], now: readonly Evidence[]): readonly Evidence[] {
  return [...before, ...now.filter(({ signal }) => signal.startsWith(OWN_SIGNALS))].sort(byEffect)
}
