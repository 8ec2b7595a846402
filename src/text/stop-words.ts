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
