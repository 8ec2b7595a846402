/**
 * Copies a run of train.py into the repository: models/feedback-1 with its statement of what it was trained on, the
 * models of the folds, and the sample for the test of parity.
 *
 * usage: node adopt.js RUN
 */
import { adoptParity, adoptTrees, namedRun, statementOf } from '../train-relevance/adopt-run.js'

const run = namedRun()
adoptTrees(run, 'feedback-1', statementOf(run))
adoptParity(run, 'feedback-parity.json')
