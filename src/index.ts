/**
 * hone as a library: build an index, open it, ask it. The only door: everything else is private.
 * Nothing here prints, keeps global state or reaches the network.
 */
export * from './types.js'
export { HoneError, type HoneErrorCode } from './errors.js'
export {
  buildIndex,
  watchIndex,
  type BuildOptions,
  type BuildSummary,
  type WatchOptions,
} from './library/build-index.js'
export { removeIndex } from './library/remove-index.js'
export { openIndex, type OpenOptions } from './library/open-index.js'
export { HoneIndex, type IndexStatus } from './library/hone-index.js'
export { Session } from './library/session.js'
export type {
  ExplainRequest,
  RelatedOptions,
  RelatedToOptions,
  RetrieveOptions,
} from './library/query-options.js'
export {
  codeMarker,
  type CodeMarker,
  type CodeMarks,
  type MarkedExcerpt,
  type TextSpan,
  type WordSpan,
} from './library/code-marks.js'
export { evidenceInWords, type EvidenceInWords } from './library/evidence-in-words.js'
export { addEncoder, encodersAtHand, type AddEncoderOptions } from './library/encoders.js'
export { diagnose } from './library/diagnose.js'
export type { Check } from './build/diagnose.js'
export type { BuildProgress } from './build/build-index.js'
export { findIndexedRoot, defaultRoot, indexFolderOf } from './build/index-folder.js'
export type { Embedder, EmbedOptions } from './embed/embedder.js'
export type { ModelFolder, EncoderKind } from './embed/model-folder.js'
export { tokensOf } from './retrieve/budget.js'
export { nothingFound } from './retrieve/nothing-found.js'
export { whyNoHistory } from './retrieve/past-notes.js'
export { indexCommand } from './store/mend.js'
