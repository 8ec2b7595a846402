/**
 * Copies a run of train.py into the repository: models/deep-1 with the models of the folds and its statement of what
 * it was trained on.
 *
 * usage: node adopt.js RUN
 */
import { adoptTrees, foldsOf, namedRun } from '../train-relevance/adopt-run.js'

const folds = foldsOf('relevance-1')
adoptTrees(namedRun(), 'deep-1', { trainedOn: Object.keys(folds).sort(), folds })
