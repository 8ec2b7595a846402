/**
 * English words that ask or join and name nothing. Left out of queries only, never of the index; a task made of
 * nothing else keeps them all, so that a search for `this` or `with` still works.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been being but by can could did do does doing done each either every for from get gets ' +
    'had has have having how i if in into is it its just let like may me might more most much must my need needs no not ' +
    'of off on once one only or other our out over own per please same shall she should so some such than that the their ' +
    'them then there these they this those through to too under until up upon us very was way we were what when where ' +
    'whether which while who whom whose why will with within without would you your'
  ).split(' '),
)

/**
 * Words that say what is to be done with the code, not what the code is about. They are looked for as they are; where the
 * code does not hold them nothing is missing, and nothing near them is meant.
 */
export const TASK_WORDS: ReadonlySet<string> = new Set(
  (
    'add adds added adding allow allows avoid avoids bug bugs bugfix change changed changes create creates creating ensure ' +
    'ensures feature features fix fixed fixes fixing find improve improved improves implement implemented implements ' +
    'implementing issue issues introduce make makes making problem provide refactor remove removed removes removing ' +
    'rename replace replaced simplify support supported supports task todo update updated updates updating use used uses using ' +
    'want wants work works working wrong broken'
  ).split(' '),
)
