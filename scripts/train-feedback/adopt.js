/**
 * Copies a run of train.py into the repository: models/feedback-1 with its statement of what it was trained on, the
 * models of the folds, and the sample for the test of parity.
 *
 * usage: node adopt.js RUN
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [run] = process.argv.slice(2)
if (run === undefined) throw new Error('usage: node adopt.js RUN')
const model = fileURLToPath(new URL('../../models/feedback-1/', import.meta.url))
const folds = JSON.parse(readFileSync(join(run, 'folds.json'), 'utf8'))
const { trainedOn } = JSON.parse(readFileSync(join(run, 'scores.json'), 'utf8'))

mkdirSync(model, { recursive: true })
copyFileSync(join(run, 'trees.bin'), join(model, 'trees.bin'))
for (const fold of readdirSync(join(run, 'folds'))) {
  mkdirSync(join(model, 'folds', fold), { recursive: true })
  copyFileSync(join(run, 'folds', fold, 'trees.bin'), join(model, 'folds', fold, 'trees.bin'))
}
writeFileSync(join(model, 'trained-on.json'), `${JSON.stringify({ trainedOn, folds }, null, 2)}\n`)
copyFileSync(
  join(run, 'parity.json'),
  fileURLToPath(new URL('../../test/rank/feedback-parity.json', import.meta.url)),
)
