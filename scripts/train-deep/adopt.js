/**
 * Copies a run of train.py into the repository: models/deep-1 with the models of the folds and its statement of what
 * it was trained on.
 *
 * usage: node adopt.js RUN
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [run] = process.argv.slice(2)
if (run === undefined) throw new Error('usage: node adopt.js RUN')
const models = fileURLToPath(new URL('../../models/', import.meta.url))
const { folds } = JSON.parse(readFileSync(join(models, 'relevance-1', 'trained-on.json'), 'utf8'))

for (const part of ['trees.bin', 'folds'])
  cpSync(join(run, part), join(models, 'deep-1', part), { recursive: true })
const trainedOn = Object.keys(folds).sort()
writeFileSync(join(models, 'deep-1', 'trained-on.json'), `${JSON.stringify({ trainedOn, folds }, null, 2)}\n`)
