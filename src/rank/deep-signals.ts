/**
 * The signals of the deep step: what a transformer says of the best files of a cycle, beside what the cycle said.
 * Their order is the model's input, as in signals.ts.
 */
import { checkSignals, rateRows, type Rating } from './tree-rating.js'
import type { Trees } from './trees.js'

export const DEEP_SIGNALS_VERSION = 1

/** One file that was looked at. */
export interface DeepFile {
  /** Relevance before, 0..1, ends excluded. */
  readonly relevance: number
  /** Cosine of the task with the nearest of its chunks that were looked at, -1..1. */
  readonly cosine: number
}

/** What the files looked at have in common. */
interface DeepQuery {
  /** Log-odds of the best before. */
  readonly bestBefore: number
  readonly bestCosine: number
  readonly meanCosine: number
}

interface DeepSignal {
  readonly name: string
  readonly value: (query: DeepQuery, file: DeepFile) => number
}

export const DEEP_SIGNALS: readonly DeepSignal[] = [
  { name: 'before', value: (_, f) => logOdds(f.relevance) },
  { name: 'deep.nearness', value: (q, f) => f.cosine - q.meanCosine },
  { name: 'query.before', value: (q) => q.bestBefore },
  { name: 'query.deep', value: (q) => q.bestCosine },
]

/** What begins so is said by the transformer, of one file beside the others. */
export const OWN_SIGNALS = 'deep.'

export interface DeepModel {
  readonly trees: Trees
}

/** A model of these trees. Throws MODEL_CORRUPT when they were trained on other signals than this code computes. */
export function deepModel(trees: Trees, path: string): DeepModel {
  checkSignals(trees, { version: DEEP_SIGNALS_VERSION, names: DEEP_SIGNALS.map(({ name }) => name) }, path)
  return { trees }
}

/** Rates the files that were looked at for one task; one rating for each. */
export function rateDeep({ trees }: DeepModel, files: readonly DeepFile[]): readonly Rating[] {
  return rateRows(trees, deepRows(files))
}

/** Values of every signal, file by file. */
export function deepRows(files: readonly DeepFile[]): Float32Array {
  const query = queryOf(files)
  return Float32Array.from(files.flatMap((file) => DEEP_SIGNALS.map(({ value }) => value(query, file))))
}

function queryOf(files: readonly DeepFile[]): DeepQuery {
  const cosines = files.map(({ cosine }) => cosine)
  const meanCosine = sum(cosines) / Math.max(1, cosines.length)
  return {
    bestBefore: Math.max(...files.map(({ relevance }) => logOdds(relevance))),
    bestCosine: Math.max(...cosines),
    meanCosine,
  }
}

function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
