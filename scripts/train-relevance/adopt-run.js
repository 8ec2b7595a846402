/** Copying a run of training into the repository; each model's adopt.js says which. */
import { cpSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** The run that the command line names. */
export function namedRun() {
  const [run] = process.argv.slice(2)
  if (run === undefined) throw new Error('usage: node adopt.js RUN')
  return run
}

/** trees.bin and folds of a run as models/`model`, with what it says it was trained on: {trainedOn, folds}. */
export function adoptTrees(run, model, statement) {
  const folder = join(REPOSITORY, 'models', model)
  mkdirSync(folder, { recursive: true })
  for (const part of ['trees.bin', 'folds']) cpSync(join(run, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'trained-on.json'), `${JSON.stringify(statement, null, 2)}\n`)
}

/** What a run of a train.py that writes folds.json and scores.json was trained on. */
export function statementOf(run) {
  const read = (file) => JSON.parse(readFileSync(join(run, file), 'utf8'))
  return { trainedOn: read('scores.json').trainedOn, folds: read('folds.json') }
}

/** The folds of a model that is in the repository. */
export function foldsOf(model) {
  return JSON.parse(readFileSync(join(REPOSITORY, 'models', model, 'trained-on.json'), 'utf8')).folds
}

/** The sample for the test of parity. */
export function adoptParity(run, file) {
  copyFileSync(join(run, 'parity.json'), join(REPOSITORY, 'test/rank', file))
}
